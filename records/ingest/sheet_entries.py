"""Entries: the months of a score sheet's form as JSON, stored with the text of the sheet.

`records.models.UploadFile.entries` stores seats, ids and amounts. Names, tags and options come from
the text. Therefore entries need no redaction.
"""

from __future__ import annotations

from typing import Final

import msgspec

from kafu.editing.sheet_forms import MAX_LINES, MonthWanted, plain_amount
from kafu.notation.reading import amounts
from kafu.notation.vocabulary import MAX_DEALS

#: Maximum number of bytes. A year of three players has about 9,000.
MAX_BYTES: Final = 64 << 10
_DECODER: Final = msgspec.json.Decoder(list[MonthWanted])


def checked(data: str | bytes) -> str:
    """Return received entries in the form for storage.

    Raise ValueError for other JSON, too many months or lines, or words that are not amounts.
    """
    if len(data) > MAX_BYTES:
        raise ValueError("more bytes than a form has")
    try:
        months = _DECODER.decode(data)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if len(months) > MAX_DEALS or any(len(month.lines) > MAX_LINES for month in months):
        raise ValueError("more than a sheet can have")
    for month in months:
        gains = [line.gain or "" for line in month.lines]
        for word in (*gains, *month.points, *month.captured, *month.sums):
            plain = plain_amount(word)
            if plain and amounts.parse_canonical(plain) is None:
                raise ValueError("no amount")
    return msgspec.json.encode(months).decode()


def months_of(entries: str) -> list[MonthWanted]:
    """Return the months of stored entries."""
    return _DECODER.decode(entries)
