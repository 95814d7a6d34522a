"""Kafu with names for the letters of its cards."""

from __future__ import annotations

from kafu import cards
from kafu.naming.statements import MOVES, Line, lines_of
from kafu.naming.table import exact


def named(text: str, lang: str) -> str:
    """A canonical text with the names of its cards in ``lang`` ("en" or "ja"); of alike ones each
    has its number, so that `kafu.naming.reading.lettered` gives the same text back.
    """
    return "\n".join(_written(line, lang) for line in lines_of(text, named=False))


def _written(line: Line, lang: str) -> str:
    comma = "、" if lang == "ja" else ", "
    text = ""
    for i, token in enumerate(line.tokens):
        if token.kind == "letters":
            if text and line.role != MOVES and not text.endswith((" ", comma)):
                text += " "
            text += comma.join(_name(letter, lang) for letter in token.text)
        elif token.kind == "blank" and line.role == MOVES and line.tokens[i - 1].kind == "letters":
            text += "  "  # names have blanks in them
        elif token.kind in ("capture", "draw") and lang != "ja":
            text += f" {token.text} "
        else:
            text += token.text
    return text


def _name(letter: str, lang: str) -> str:
    return exact(letter, lang) if letter in cards.CARD else letter
