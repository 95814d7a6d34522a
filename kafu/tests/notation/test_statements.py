"""The statements of a month and of a sheet's month: values, order, repetition."""

from __future__ import annotations

import pytest

from kafu.notation.actions import Action
from kafu.notation.game import Month, Payment
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from notation.texts import KAN_TAGS, SHEET_TAGS, TAGS, fault, read_game, warnings

MONTH = "month 1 dealer 1\n"


def test_month_with_every_statement_is_read_and_written_in_order() -> None:
    month = read_game(
        KAN_TAGS
        + "month 12 dealer 3\ndraw 2E 1k 3 A\ndraw 1s 2t\nsplit 2BA 1F\nblind 3\nhand 2 ?_BA\n"
        + "hand 1 AFG KQ\nfield OJE C\nstock dg AB...\nswap 1\nswap 2\nbid 3in 1out\nba large\n"
        + "show 1 aka+sanbon BA\nshow 1 nasake -\nredeal ba4\nvoid other\nscore 3 -5 1 +1k 2 -7\n"
        + "final 1 0 2 0 3 0\n"
    ).months[0]
    assert (month.month, month.dealer, month.ba) == (12, 3, "large")
    assert [list(draw.items()) for draw in month.draws] == [
        [(2, "E"), (1, "k"), (3, "A")],
        [(1, "s"), (2, "t")],
    ]
    assert list(month.split.items()) == [(1, "F"), (2, "AB")]
    assert month.hands == {1: "AFGKQ", 2: "AB_?"}
    assert (month.field, month.stock, month.stock_cut) == ("CEJO", "dgAB", True)
    assert [statement.value for statement in month.in_play()] == [
        (Action("blind", 3),),
        (Action("swap", 1),),
        (Action("swap", 2),),
        (Action("bid", 3, say="in"), Action("bid", 1, say="out")),
        (Action("show", 1, take="AB", say="aka+sanbon"),),
        (Action("show", 1, say="nasake"),),
        (Action("redeal", say="ba4"),),
        (Action("void", say="other"),),
    ]
    assert month.score == (12, -7, -5)
    assert month.places["hand.1"] == (12, 1)
    assert month.places["show.1"] == (20, 1)


@pytest.mark.parametrize(
    ("stock", "cards", "cut"),
    [("stock ...", "", True), ("stock AB", "AB", False), ("stock A B ...", "AB", True)],
)
def test_stock_is_read_with_the_cut_of_its_rest(stock: str, cards: str, cut: bool) -> None:
    month = read_game(TAGS + MONTH + stock).months[0]
    assert (month.stock, month.stock_cut) == (cards, cut)


def test_ellipsis_character_is_repaired_to_three_dots() -> None:
    assert warnings(TAGS + MONTH + "stock AB…") == [("character-repaired", 6, 7)]


def test_month_of_a_sheet_with_every_statement_is_read() -> None:
    month = read_game(
        SHEET_TAGS
        + MONTH
        + "ba large2\npay a+b 1 +2k 2 -1k 3 -1k\nvoid nuke 1 0 2 0 3 0\npay c 1 1 2 2 3 -3\n"
        + "stone 2\nscore 1 0 2 0 3 0\n"
    ).months[0]
    assert list(month.payments) == [
        Payment("a+b", (24, -12, -12)),
        Payment("nuke", (0, 0, 0), void=True),
        Payment("c", (1, 2, -3)),
    ]
    assert (month.ba, month.stone) == ("large2", 2)


def test_wrong_statement_is_refused_at_its_place() -> None:
    for lines, code, line, column in [
        ("month 1", "statement-form", 6, 8),
        ("month x dealer 1", "statement-form", 6, 7),
        ("month 1 dealer 3", "no-such-seat", 6, 16),
        ("draw", "statement-form", 6, 5),
        ("draw 1AB", "statement-form", 6, 6),
        ("draw 1A 1B", "seat-twice", 6, 9),
        ("draw 1?", "unknown-card-here", 6, 6),
        ("draw 3A", "no-such-seat", 6, 6),
        ("split 1AB 2w", "statement-form", 6, 11),
        ("blind", "statement-form", 6, 6),
        ("blind 0", "no-such-seat", 6, 7),
        ("hand 1", "statement-form", 6, 7),
        ("hand A BC", "no-such-seat", 6, 6),
        ("hand 1 AB wC", "bad-card", 6, 11),
        ("hand 1 A\nhand 1 B", "statement-twice", 7, 1),
        ("field AB?", "unknown-card-here", 6, 9),
        ("field A\nfield B", "statement-twice", 7, 1),
        ("stock A..B", "bad-card", 6, 8),
        ("stock ABCxA", "bad-card", 6, 10),
        ("swap 12", "no-such-seat", 6, 6),
        ("bid 1in 2up", "statement-form", 6, 9),
        ("bid 1in 1out", "seat-twice", 6, 9),
        ("ba huge", "unknown-grade", 6, 4),
        ("ba large2", "unknown-grade", 6, 4),
        ("show 1 teshi", "statement-form", 6, 13),
        ("show 1 Gok AB", "bad-yaku", 6, 8),
        ("show 1 teshi A?", "unknown-card-here", 6, 15),
        ("redeal whim", "unknown-reason", 6, 8),
        ("void points 1 0 2 0", "statement-form", 6, 6),
        ("score 1 +5", "bad-amounts", 6, 11),
        ("score 1 +5 1 0", "seat-twice", 6, 12),
        ("score 1 +5 2 0 3", "bad-amounts", 6, 16),
        ("score 1 +5 2 x", "bad-amount", 6, 14),
        ("score 1 +5 2 1k", "no-kan", 6, 14),
        ("field A\nhand 1 B", "statement-order", 7, 1),
        ("1. A/B\nfield A", "statement-order", 7, 1),
        ("score 1 0 2 0\n1. A/B", "statement-order", 7, 1),
        ("final 1 0 2 0\nscore 1 0 2 0", "statement-order", 7, 1),
        ("final 1 0 2 0\nmonth 2 dealer 1", "statement-order", 7, 1),
        ("final 1 0 2 0\nfinal 1 0 2 0", "statement-twice", 7, 1),
        ("final", "statement-form", 6, 6),
        ("pay points 1 0 2 0", "only-in-sheet", 6, 1),
        ("stone 1", "only-in-sheet", 6, 1),
        ("moon 1", "unknown-statement", 6, 1),
        ("draw 1A\n" * 101, "too-many", 106, 1),
    ]:
        assert fault(TAGS + MONTH + lines + "\n") == (code, line, column)


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("hand 1 A", "not-in-sheet"),
        ("1. A/B", "not-in-sheet"),
        ("redeal ba4", "not-in-sheet"),
        ("pay X! 1 0 2 0 3 0", "bad-label"),
        ("pay nuke 1 0 2 0", "bad-amounts"),
        ("pay points 1 0", "bad-amounts"),
        ("pay points 1 0 1 0", "seat-twice"),
        ("pay points 1 0 2 x", "bad-amount"),
        ("pay points", "statement-form"),
        ("stone 1\nstone 1", "statement-twice"),
        ("stone 1\npay points 1 0 2 0 3 0", "statement-order"),
        ("void misdeal", "statement-form"),
    ],
)
def test_wrong_statement_of_a_sheet_is_refused(lines: str, code: str) -> None:
    assert fault(SHEET_TAGS + MONTH + lines)[0] == code


@pytest.mark.parametrize(
    ("written", "amounts"),
    [("1 -10 2 +1k", (-10, 12, -2)), ("2 +3 3 -3", (0, 3, -3)), ("3 -1k2 1 +4", (4, 10, -14))],
)
def test_left_out_points_of_the_last_player_are_filled_in(
    written: str, amounts: tuple[int, ...]
) -> None:
    text = f"{SHEET_TAGS}{MONTH}pay points {written}\n"
    assert read_game(text).months[0].payments == (Payment("points", amounts),)
    assert warnings(text) == [("points-filled-in", 8, 5)]


@pytest.mark.parametrize("line", ["hand 1 A", "final 1 0 2 0", "1. A/B", "=torikeshi 1"])
def test_statement_before_the_first_month_is_refused(line: str) -> None:
    assert fault(TAGS + line)[:2] == ("no-months", 5)


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("sanbon+aka", "aka+sanbon"),
        ("Aka+SANBON", "aka+sanbon"),
        ("kuttsuki+karasu", "karasu+kuttsuki"),
        ("nasake+teshi", "teshi+nasake"),
        ("aka+sanbon", "aka+sanbon"),
        ("sanbon+nasake", "sanbon+nasake"),
        ("sanbon+teshi", "sanbon+teshi"),
        ("sanbon", "sanbon"),
    ],
)
def test_yaku_of_a_compound_in_another_order_are_read_with_a_warning(
    written: str, read_as: str
) -> None:
    """Yaku ids: dregs family first; read with a warning, written in the canonical order."""
    reading = read(f"{KAN_TAGS}month 1 dealer 1\nshow 1 {written} AB\n")
    assert reading.game is not None
    assert reading.game.months[0].actions("show") == [Action("show", 1, take="AB", say=read_as)]
    assert f"\nshow 1 {read_as} AB\n" in write(reading.game)
    repaired = [
        (warning.code.id, warning.line, warning.column, warning.values)
        for warning in reading.warnings
    ]
    values = {"found": written, "read": read_as}
    assert repaired == ([("alias", 7, 8, values)] if written != read_as else [])


def test_words_of_statements_with_capitals_are_read_with_warnings() -> None:
    text = (
        f"{SHEET_TAGS}month 1 dealer 1\npay Tanichi 1 +10K 2 -5K 3 -5k\nvoid Points 1 0 2 0 3 0\n"
    )
    reading = read(text)
    assert reading.game is not None
    assert [payment.label for payment in reading.game.months[0].payments] == ["tanichi", "points"]
    assert [(warning.code.id, warning.line, warning.column) for warning in reading.warnings] == [
        ("alias", 8, 5),
        ("alias", 8, 15),
        ("alias", 8, 22),
        ("alias", 9, 6),
    ]


def test_compound_of_a_payment_in_another_order_is_put_in_order() -> None:
    """kafu.md §7."""
    text = f"{SHEET_TAGS}month 1 dealer 1\npay sanbon+tanichi 1 +10k 2 -5k 3 -5k\n"
    reading = read(text + "pay nanatan+akatan 1 0 2 0 3 0\n")
    assert reading.game is not None
    labels = [payment.label for payment in reading.game.months[0].payments]
    assert labels == ["tanichi+sanbon", "nanatan+akatan"]
    assert [(warning.code.id, warning.line, warning.column) for warning in reading.warnings] == [
        ("alias", 8, 5)
    ]


def test_month_is_a_list_of_statements_with_places_and_comments() -> None:
    text = "month 1 dealer 1 {begun}\nhand 2 B {second}\nhand 1 A\n1. A/C\nscore 1 1 2 0 ; end\n"
    month = read_game(TAGS + text).months[0]
    line = TAGS.count("\n") + 1
    stated = [(item.keyword, item.place, item.comments) for item in month.statements]
    assert stated == [
        ("month", (line, 1), ["begun"]),
        ("hand", (line + 2, 1), []),
        ("hand", (line + 1, 1), ["second"]),
        ("turn", (line + 3, 4), []),
        ("score", (line + 4, 1), ["end"]),
    ]
    assert dict(month.hands) == {1: "A", 2: "B"}
    changed = month.replace(score=(0, 0), hands={2: "C"})
    assert changed.notes == {"month": ["begun"], "hand.2": ["second"], "score": ["end"]}
    assert changed.places["hand.2"] == (line + 1, 1)
    assert month.score == (1, 0)


def test_unknown_attribute_of_a_month_is_refused() -> None:
    with pytest.raises(TypeError, match="hand"):
        Month(1, 1, hand={1: "A"})
