"""CSV cells that spreadsheets do not take for formulas: names may contain any text."""

from __future__ import annotations

from typing import Final

#: Beginnings of a cell that spreadsheets take for a formula; Japanese ones also full-width signs.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def safe_cell(text: str) -> str:
    """Return the text as a cell that is not a formula.

    >>> safe_cell('=HYPERLINK("http://x")')
    '\\'=HYPERLINK("http://x")'
    """
    return f"'{text}" if text.startswith(_FORMULA) else text
