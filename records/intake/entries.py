"""What was entered in the form of a score sheet, stored with the text that the form writes.

In: the months of the form as JSON. Out: the same, for `records.models.UploadFile.entries`, and
months again. They contain seats, ids and amounts. Names, tags and options are those of the text, so
nothing here has to be redacted.
"""

from __future__ import annotations

from typing import Final

import msgspec

from kafu.editing.sheet_composing import plain_amount
from kafu.editing.sheet_months import MAX_LINES, MonthWanted
from kafu.notation.reading import amounts
from kafu.notation.vocabulary import MAX_DEALS

#: Bytes that the months of a form have at most; a year of three players has some 9,000.
MAX_BYTES: Final = 64 << 10
_DECODER: Final = msgspec.json.Decoder(list[MonthWanted])


def checked(data: str | bytes) -> str:
    """Return the months that were sent, to be stored.

    Raises ValueError for what is not the months of a form, too many, or words that are no amounts.
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
            if plain and amounts.points(plain) is None:
                raise ValueError("no amount")
    return msgspec.json.encode(months).decode()


def months_of(entries: str) -> list[MonthWanted]:
    """Return the months that were stored."""
    return _DECODER.decode(entries)
