"""Invisible characters are removed with a warning in every place."""

from __future__ import annotations

import pytest

from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from notation.texts import TAGS, fault, read_game, warnings

GAME = TAGS + "month 1 dealer 1\nhand 1 ABEF\n1. A/C {well played} B/D\nscore 1 +5 2 0\n"


def test_invisible_character_is_removed() -> None:
    characters = "\u200b\u00ad\u200e\u2066\ufeff\u2060\u200d\ufe0f"
    places = [("nd 1 AB", 6), ("EF", 6), ("/C", 7), ("B/D", 7), ("core", 8), ("5 2", 8)]
    for character in characters:
        for before, line in places:
            text = GAME.replace(before, character + before)
            assert write(read_game(text)) == write(read_game(GAME))
            column = text.split("\n")[line - 1].index(character) + 1
            assert warnings(text) == [("invisible-character", line, column)]
            assert f"U+{ord(character):04X}" in read(text).warnings[0].message()


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("A\u200bya", "Aya"),
        ("\u202eayA\u202c", "ayA"),
        ("Mül\u00adler", "Müller"),
        ("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680"),
        ("葛\U000e0100城", "葛\U000e0100城"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("A\u200dya", "Aya"),
    ],
)
def test_name_keeps_only_characters_that_join(name: str, stored: str) -> None:
    text = GAME.replace("Aya", name)
    assert read_game(text).players == (stored, "Ben")
    assert [code for code, *_ in warnings(text)] == ["invisible-character"] * (name != stored)


def test_comment_loses_invisible_characters() -> None:
    text = GAME.replace("well", "we\u200bll")
    assert write(read_game(text)) == write(read_game(GAME))
    assert warnings(text) == [("invisible-character", 7, 9)]


def test_faults_behind_invisible_characters_have_their_places() -> None:
    text = GAME.replace("hand 1 ABEF", "\u200bhand\u200b 1 {a}\u200bAB\u200b\u200bEw")
    assert fault(text) == ("bad-card", 6, 19)


def test_game_begins_behind_an_invisible_character() -> None:
    assert write(read_game("\u200b" + GAME)) == write(read_game(GAME))


def test_line_of_nothing_else_is_blank() -> None:
    assert write(read_game(GAME.replace("hand", "\u200b\nhand"))) == write(read_game(GAME))
