"""Small texts for tests: a koi-koi game with parts to be replaced."""

from __future__ import annotations

from kafu.notation.game import Game
from kafu.notation.reading.reader import read

TAGS = '[Kafu "1"]\n[Rules "koikoi"]\n[Player1 "Aya"]\n[Player2 "Ben"]\n'
KAN_TAGS = TAGS.replace("koikoi", "hachihachi") + '[Player3 "Chie"]\n'
SHEET_TAGS = KAN_TAGS + '[Sheet "1"]\n'


def read_game(text: str) -> Game:
    """Return the game of a readable text."""
    reading = read(text)
    assert reading.fault is None, reading.fault.message()
    assert reading.game is not None
    return reading.game


def fault(text: str) -> tuple[str, int | None, int | None]:
    """Return code, line and column of the fault of ``text``."""
    error = read(text).fault
    assert error is not None, "reads, but should not"
    assert error.message("en") != ""
    assert error.message("ja") != ""
    return error.code.id, error.line, error.column


def warnings(text: str) -> list[tuple[str, int | None, int | None]]:
    """Code, line and column of each warning of ``text``, which must read."""
    reading = read(text)
    assert reading.fault is None, reading.fault.message()
    return [(warning.code.id, warning.line, warning.column) for warning in reading.warnings]
