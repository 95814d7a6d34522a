"""Cells of CSV files: names are anybody's, and a spreadsheet takes some texts for formulas."""

from __future__ import annotations

from typing import Final

#: How a cell begins that is taken for a formula; full-width signs are too, in Japanese ones.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def safe_cell(text: str) -> str:
    """The text as a cell that is not a formula.

    >>> safe_cell('=HYPERLINK("http://x")')
    '\\'=HYPERLINK("http://x")'
    """
    return f"'{text}" if text.startswith(_FORMULA) else text
