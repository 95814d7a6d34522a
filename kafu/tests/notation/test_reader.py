"""The reader as a whole: line ends, encodings of characters, limits, places of comments."""

from __future__ import annotations

import pytest

from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import MAX_GAME_BYTES
from notation.texts import TAGS, fault, read_game, warnings

MONTH = "month 1 dealer 1\n"
GAME = TAGS + "\n" + MONTH + "hand 1 AB\n1. A/B\n"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("\n", "\r\n", []),
        ("\n", "\r", [("lone-cr", 1, 11)]),
        ("[Kafu", "\ufeff[Kafu", []),
        ("hand", "\ufeffhand", [("invisible-character", 7, 1)]),
        ("hand 1 AB", "  hand\t1\f A B ", []),
        ("hand 1", "ｈand１ ".replace("１", " １"), [("character-repaired", 7, 1)]),
    ],
)
def test_tolerated_spelling_is_read_with_its_warning(
    old: str, new: str, expected: list[tuple[str, int, int]]
) -> None:
    text = GAME.replace(old, new)
    assert warnings(text) == expected
    assert read_game(text) == read_game(GAME)


def test_places_count_from_the_first_line_number() -> None:
    reading = read(GAME.replace("A/B", "A"), line=101)
    assert reading.fault is not None
    assert reading.fault.line == 108
    game = read(GAME, line=101).game
    assert game is not None
    assert game.line == 101
    assert game.months[0].places["hand.1"] == (107, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("empty", 1, 1)),
        (" \n; nothing\n", ("empty", 1, 1)),
        ("hello", ("first-tag", 1, 1)),
        (TAGS, ("no-months", 1, 1)),
        (GAME + "{ open\n" + GAME, ("comment-not-closed", 9, 1)),
        (GAME.replace("AB", "A\x00"), ("control-character", 7, 9)),
        (GAME.replace("Ben", "\x1b"), ("control-character", 4, 11)),
        (GAME.replace("Ben", "\ud800"), ("bad-encoding", 4, 11)),
        (GAME.replace("Ben", "\x7f"), ("control-character", 4, 11)),
        (TAGS + MONTH * 65, ("too-many-deals", 69, 1)),
        (GAME + ";" + "x" * MAX_GAME_BYTES, ("game-too-large", 1, 1)),
    ],
)
def test_malformed_text_has_its_fault_and_place(text: str, expected: tuple[str, int, int]) -> None:
    assert fault(text) == expected


def test_game_of_64_deals_is_read() -> None:
    assert len(read_game(TAGS + MONTH * 64).months) == 64


def test_size_limit_counts_bytes() -> None:
    room = MAX_GAME_BYTES - len(GAME) - 1
    assert read(GAME + ";" + "花" * (room // 3)).game is not None
    assert fault(GAME + ";" + "花" * (room // 3 + 1))[0] == "game-too-large"


def test_comment_belongs_to_the_part_before_it() -> None:
    game = read_game(
        "{head}\n; too\n"
        + TAGS.replace('"1"]', '"1"] {version}').replace('"Ben"]', '"Ben"]\n{of Ben}')
        + "{before} month 1 {in} dealer 1 ; behind\nhand 1 {x\ny} AB\n{own line}\nfield C\n"
        + "1. A/B {t}\n{last}\nscore 1 0 2 0 {s}\nfinal 1 0 2 0\n{end}\n"
    )
    assert game.notes == {
        "head": ["head", "too"],
        "Kafu": ["version"],
        "Player2": ["of Ben", "before"],
        "final": ["end"],
    }
    month = game.months[0]
    assert month.notes == {"month": ["in", "behind"], "hand.1": ["x y", "own line"], "score": ["s"]}
    assert month.turns[0].comments == ["t", "last"]


def test_comment_without_a_turn_stays_in_the_movetext_before_a_statement() -> None:
    game = read_game(TAGS + "month 1 dealer 1\n1. {a}\nscore 1 0 2 0\n" + MONTH + "1. {b}\n")
    assert [list(month.notes.values()) for month in game.months] == [[["a"]], [["b"]]]
    assert [month.written[-1].keyword for month in game.months] == ["score", "month"]
    assert game.months[0].notes == {"turns": ["a"]}


def test_comments_of_an_empty_options_tag_follow_rules() -> None:
    text = TAGS.replace("[Player1", '[Options ""] {none}\n[Player1') + MONTH
    assert read_game(text).notes == {"Rules": ["none"]}


def test_warnings_after_a_hundred_are_left_out() -> None:
    reading = read(TAGS + MONTH + "Ａ/B\n" * 150)
    assert len(reading.warnings) == 101
    assert reading.warnings[-1].code.id == "more-warnings"


@pytest.mark.parametrize(
    "token", ["{", "A", "1.", "[", '"', "\\", "{}", "1. ", "：", "\n[Kafu ", "=", "; "]
)
@pytest.mark.parametrize("head", ["", GAME, GAME + "2. ", TAGS + '[Event "'])
def test_hostile_texts_come_to_an_end(token: str, head: str) -> None:
    reading = read(head + token * ((MAX_GAME_BYTES // 8 - len(head)) // len(token.encode())))
    assert (reading.game is None) == (reading.fault is not None)
