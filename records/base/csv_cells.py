"""CSV cells that spreadsheets do not take for formulas: names may contain any text.

Where the decimal sign is a comma, spreadsheets split lines at semicolons instead of commas, and
heed no quotation marks in the middle of such a field. A cell can therefore begin within a text.
"""

from __future__ import annotations

import re
from typing import Final

#: Characters at the beginning of a formula; Japanese spreadsheets also accept full-width forms.
_SIGNS: Final = "=+\\-@＝＋－＠"
#: The beginning of a formula, at the beginning of a text or after a separator and quotation marks.
_BEGINNING: Final = re.compile(rf'^(?=[{_SIGNS}\t\r\n])|[;\t\r\n]"*(?=[{_SIGNS}])')


def safe_cell(text: str) -> str:
    """Return the text as a cell without a formula, with an apostrophe before each.

    >>> safe_cell('=HYPERLINK("http://x")')
    '\\'=HYPERLINK("http://x")'
    >>> safe_cell("x;=1+1")
    "x;'=1+1"
    """
    return _BEGINNING.sub(r"\g<0>'", text)
