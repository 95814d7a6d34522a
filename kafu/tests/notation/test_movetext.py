"""Movetext: turns, decisions, calls, round numbers and seats, comments."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from kafu.notation.game import Month
from kafu.notation.reading.reader import read
from notation.texts import KAN_TAGS, TAGS, fault, read_game, warnings
from turns import make_call, make_turn

HEAD = KAN_TAGS + "month 1 dealer 1\n"


def month(movetext: str) -> Month:
    return read_game(HEAD + movetext).months[0]


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("B/m", "B/m"),
        ("BxA/GxH", "BxA/GxH"),
        ("BxDCA/m", "BxACD/m"),
        ("BxA=agari", "BxA=agari"),
        ("k=menjo/AxB=nimai=sage", "k=menjo/AxB=nimai=sage"),
        ("ＢｘＡ／Ｇ", "BxA/G"),
        ("B×A/G＝勝負", "BxA/G=shobu"),
    ],
)
def test_turn_is_parsed_into_its_parts(text: str, turn: str) -> None:
    assert month(f"1. {text}").turns == [make_turn(turn)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("BxA/Mx" + "N" * 51, "bad-turn"),
        ("Bx" + "A" * 51 + "/M", "bad-turn"),
        ("BxA/M" + "=sage" * 9, "bad-turn"),
    ],
)
def test_turn_with_more_than_the_json_form_has_room_for_is_refused(text: str, code: str) -> None:
    assert fault(f"{HEAD}1. {text}")[0] == code


def test_wrong_round_numbers_and_seats_are_read_with_the_places_of_turns() -> None:
    turns = month("1. 2:B/m 3: C/n\n\n 2.D/o\n  3.\n1:\tE/p").turns
    assert [(turn.round, turn.seat) for turn in turns] == [
        (None, 2),
        (None, 3),
        (2, None),
        (3, 1),
    ]
    assert [turn.place for turn in turns] == [(7, 6), (7, 13), (9, 4), (11, 4)]
    assert [turn.card_places for turn in turns] == [
        ((7, 8),),
        ((7, 15),),
        ((9, 6),),
        ((11, 6),),
    ]


def test_calls_between_turns_are_read_in_their_order() -> None:
    assert month("1. =void-show 2 B/m =torikeshi 3\n2. =torikeshi 1").turns == [
        make_call("void-show", 2),
        make_turn("B/m"),
        make_call("torikeshi", 3),
        make_call("torikeshi", 1),
    ]


def test_comment_belongs_to_the_turn_before_it() -> None:
    played = month(
        "{of the month} 1. {a} B/m {b\nb} C/n ; c\n2. {d} 3: {e} D/o =torikeshi 1 {f}{g}"
    )
    assert played.notes == {"month": ["of the month"], "turns": ["a"]}
    assert [turn.comments for turn in played.turns] == [["b b"], ["c", "d", "e"], [], ["f", "g"]]


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("1. B/m C/n D/o 2. E/p", []),
        ("B/m C/n D/o 2. E/p", [(1, 7, 1)]),
        ("B/m C/n D/o\n E/p F/q G/r H/s", [(1, 7, 1), (2, 8, 2), (3, 8, 14)]),
        ("1. B/m C/n D/o\n1:E/p", [(2, 8, 3)]),
        ("=void-show 1 B/m", [(1, 7, 14)]),
        ("1. B/m C/n 2. D/o E/p F/q G/r", []),  # after a wrong number the next rounds are unknown
        ("2. B/m C/n D/o E/p", []),
    ],
)
def test_round_without_its_number_has_a_warning(text: str, due: list[tuple[int, int, int]]) -> None:
    """kafu.md §6: the writer adds the number, which is a repair."""
    warnings = read(HEAD + text).warnings
    assert [warning.code.id for warning in warnings] == ["round-left-out"] * len(due)
    assert [(warning.values["due"], warning.line, warning.column) for warning in warnings] == due


def test_round_of_koikoi_without_its_number_ends_after_two_turns() -> None:
    warnings = read(TAGS + "month 1 dealer 1\nB/m C/n D/o").warnings
    assert [warning.values["due"] for warning in warnings] == [1, 2]


def test_round_without_a_turn_has_a_warning() -> None:
    assert warnings(HEAD + "1. B/m\n2.") == [("empty-round", 8, 1)]
    assert warnings(HEAD + "1. 2. B/m") == [("empty-round", 7, 1)]
    for text in ("1. {kept}", "1.\n{kept} month 2 dealer 1", "1.\n{kept} final 1 0 2 0 3 0"):
        assert month(text).notes == {"month": ["kept"]}


def test_japanese_name_of_a_decision_has_a_warning() -> None:
    assert warnings(HEAD + "1. B/m=下げ") == [("alias", 7, 8)]


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("B", "bad-turn", 4),
        ("B/", "bad-turn", 4),
        ("BxA/m/n", "bad-turn", 4),
        ("B=sage/m/", "bad-turn", 4),
        ("Bx/m", "bad-turn", 4),
        ("B/mw", "bad-turn", 7),
        ("B/?", "unknown-card-here", 6),
        ("B/m=pass", "unknown-decision", 8),
        ("B/m==sage", "bad-turn", 4),
        ("4:B/m", "no-such-seat", 4),
        ("0:B/m", "no-such-seat", 4),
        ("=torikeshi 4", "no-such-seat", 15),
        ("=torikeshi", "statement-form", 4),
        ("B / m =void-show", "statement-form", 10),
        ("=sage", "bad-turn", 4),
        ("12345.B/m", "bad-turn", 4),
        ("}", "bad-turn", 4),
    ],
)
def test_malformed_turn_is_refused_at_its_column(text: str, code: str, column: int) -> None:
    assert fault(HEAD + f"1. {text}") == (code, 7, column)


def test_too_many_turns_are_refused_at_the_first_one_too_many() -> None:
    assert fault(HEAD + "1. B/m\n" + "B/m\n" * 400)[:2] == ("too-many", 407)


@pytest.mark.parametrize(
    ("before", "unit"),
    [("", "/\n"), ("1. A/B=koikoi\n", "A\n/\n"), ("", "1: "), ("", "=koikoi\n")],
)
def test_endless_movetext_is_refused_in_little_time_and_memory(before: str, unit: str) -> None:
    text = f"{TAGS}month 1 dealer 1\n{before}{unit * (500_000 // len(unit))}\n"
    tracemalloc.start()
    start = time.process_time()
    assert read(text).fault is not None
    assert time.process_time() - start < 3
    assert tracemalloc.get_traced_memory()[1] < 20 << 20
    tracemalloc.stop()


def test_movetext_is_refused_at_its_first_line_too_many() -> None:
    lines = "1. A/B\n" + "/\n" * 20_000
    reason = read(f"{TAGS}month 1 dealer 1\n{lines}").fault
    assert reason is not None and reason.code.id == "too-many"
    assert reason.line == TAGS.count("\n") + 2 + 15_000
