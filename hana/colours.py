"""Colours on a terminal, unless NO_COLOR is set."""

from __future__ import annotations

import os
import sys
from typing import Final

_CODES: Final = {
    "verified": "32",
    "consistent": "32",
    "unfinished": "36",
    "mismatch": "33",
    "unsupported": "33",
    "illegal": "31",
    "malformed": "31",
}


def status(word: str) -> str:
    """Return a status in its colour."""
    if word not in _CODES or not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return word
    return f"\x1b[{_CODES[word]}m{word}\x1b[0m"
