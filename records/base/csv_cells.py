"""Cells of CSV files that no spreadsheet takes for formulas: names are written by anybody."""

from __future__ import annotations

from typing import Final

#: Beginnings of a cell that are taken for a formula; in Japanese ones full-width signs too.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def safe_cell(text: str) -> str:
    """Return the text as a cell that is not a formula.

    >>> safe_cell('=HYPERLINK("http://x")')
    '\\'=HYPERLINK("http://x")'
    """
    return f"'{text}" if text.startswith(_FORMULA) else text
