"""Records with blanks, comments and line ends between their tokens are the same games."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import identity, write
from lengths import examples
from notation.texts import KAN_TAGS, TAGS, fault, read_game, warnings
from simulated import simulated
from turns import make_turn

#: Number of words before the cards of a statement.
_BEFORE_CARDS = {"draw": 1, "split": 1, "hand": 2, "field": 1, "stock": 1, "show": 3}
_BLANKS = ("", "", " ", "\t", " {c} ", "{c\nd}")
_ROW_ENDS = (*_BLANKS, "\n", " ; c\n", "\n\n ")
_MOVE = re.compile(r"( *)((?<==)[a-z-]+|[0-9]+|[A-Za-v_x/=.:])")


def tokens(row: str) -> list[str]:
    """Return the tokens of a canonical row, each with the blanks before it."""
    if row[:1].isdigit():
        return ["".join(match) for match in _MOVE.findall(row)]
    keyword, *words = row.split(" ")
    before = _BEFORE_CARDS.get(keyword, len(words) + 1) - 1
    row_tokens = [keyword]
    for number, word in enumerate(words):
        parts = [word]
        if number >= before:
            parts = re.findall(r"\.\.\.|.", word)
        elif keyword == "bid":
            parts = [word[0], word[1:]]
        elif keyword in ("show", "pay", "void"):
            parts = re.findall(r"[+-]?[0-9]+k?[0-9]*|[a-z-]+|\+", word)
        row_tokens += [f" {parts[0]}", *parts[1:]]
    return row_tokens


def spaced(text: str, random: Random) -> str:
    """Return a canonical text with additions between the tokens of its months."""
    tags, *months = text.split("\n\n")
    rows = "\n\n".join(months).split("\n")
    spaced_rows = []
    for row in rows:
        gaps = _ROW_ENDS if row[:1].isdigit() else _BLANKS
        parts = tokens(row) if row else []
        spaced_rows.append("".join([part + random.choice(gaps) for part in parts]))
    return "\n\n".join([tags, "\n".join(spaced_rows)])


@settings(max_examples=examples(20), deadline=None)
@given(st.sampled_from(sorted(RULES)), st.data())
def test_spaced_record_is_the_same_game(rules: str, data: st.DataObject) -> None:
    players = data.draw(st.sampled_from(list(RULES[rules].seats)))
    game = simulated(rules, players, data.draw(st.integers(0, 2)))
    text = spaced(write(game), Random(data.draw(st.integers(0, 1 << 30))))
    reading = read(text)
    assert reading.game is not None, (reading.fault, text)
    assert identity(reading.game) == identity(game)


@pytest.mark.parametrize(
    "moves",
    [
        "1. C x B / D  Q x T / F x G",
        "1. CxB/\nD QxT/FxG",
        "1 . C\nxB\n/ D\n\nQ xT {c} /FxG",
        "1.\nC x\nB ; c\n/D QxT\n/\nF\nx\nG",
    ],
)
def test_turn_in_parts_is_read(moves: str) -> None:
    month = read_game(TAGS + "month 1 dealer 1\n" + moves).months[0]
    for turn in month.turns:
        turn.comments.clear()
    assert month.turns == [make_turn("CxB/D"), make_turn("QxT/FxG")]


def test_comment_within_a_turn_belongs_to_it() -> None:
    month = read_game(TAGS + "month 1 dealer 1\n1. {a} C {b} xB/{c}D {d}\n{e} Q/F ; f\n").months[0]
    assert month.notes == {"turns": ["a"]}
    assert [turn.comments for turn in month.turns] == [["b", "c", "d", "e"], ["f"]]
    assert [(turn.place, *turn.card_places) for turn in month.turns] == [
        ((6, 8), (6, 20)),
        ((7, 5), (7, 7)),
    ]


@pytest.mark.parametrize(
    ("moves", "turns"),
    [
        ("1. B x A C D / m", "BxACD/m"),
        ("1. B\nxA\nCD\n/m", "BxACD/m"),
        ("1. m/BxA\nCD E\n/n", "m/BxACD E/n"),
        ("1. m/BxA C D C/n", "m/BxACD C/n"),
        ("1. m/BxA C/n D/o", "m/BxA C/n D/o"),
        ("1. m/BxAC D/n", "m/BxAC D/n"),
        ("1. B/m = sage = nimai C/n", "B/m=sage=nimai"),
    ],
)
def test_captured_cards_apart_are_read_where_no_turn_can_begin(moves: str, turns: str) -> None:
    due = [make_turn(turn) for turn in turns.split()]
    month = read_game(KAN_TAGS + "month 1 dealer 1\n" + moves).months[0]
    assert month.turns[: len(due)] == due


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("1. CxB / ? QxT/F", ("unknown-card-here", 6, 10)),
        ("1. CxB /\nscore 1 0 2 0", ("bad-turn", 6, 4)),
        ("1. CxB/D\nscoer 1 +5 2 0", ("unknown-statement", 7, 1)),
        ("1. CxB/D\n\nQxT/\nF=pass", ("unknown-decision", 9, 3)),
        ('1. CxB/D\n[Event "a"]', ("tag-after-month", 7, 1)),
    ],
)
def test_fault_of_movetext_in_parts_has_its_place(
    moves: str, expected: tuple[str, int, int]
) -> None:
    assert fault(TAGS + "month 1 dealer 1\n" + moves) == expected


@pytest.mark.parametrize(
    ("row", "canonical", "code"),
    [
        ("hand 1 C、P、R", "hand 1 CPR", "character-repaired"),
        ("hand 1 CPRU, fgmu", "hand 1 CPRUfgmu", "character-repaired"),
        ("field C・P・R", "field CPR", "character-repaired"),
        ("stock D, A, C...", "stock DAC...", "character-repaired"),
        ("split 1A,F 2B、D", "split 1AF 2BD", "character-repaired"),
        ("bid 2 in 1out", "bid 2in 1out", "alias"),
        ("score 1 –5 2 0", "score 1 -5 2 0", "character-repaired"),
        ("score 1 ‑5 2 — 3", "score 1 -5 2 -3", "character-repaired"),
        ("score 1 ▲18 2 △ 18", "score 1 -18 2 -18", "alias"),
        ("score 1 (18) 2 +9文", "score 1 -18 2 +9", "alias"),
        ("score 1 ー5 2 ▼5点", "score 1 -5 2 -5", "alias"),
        ("score 1 + 5 2 - 5", "score 1 +5 2 -5", ""),
    ],
)
def test_statement_as_people_write_it_is_read(row: str, canonical: str, code: str) -> None:
    text = f"{TAGS}month 1 dealer 1\n{row}\n"
    assert f"\n{canonical}\n" in write(read_game(text))
    assert {warning[0] for warning in warnings(text)} <= {code}
    assert bool(warnings(text)) == bool(code)


PLAYED = f"{TAGS}\nmonth 1 dealer 1\nhand 1 AB\n1. A/B=koikoi\n"


@pytest.mark.parametrize(
    ("old", "new", "places"),
    [
        ("month 1 dealer", "Month 1 Dealer", [(6, 1), (6, 9)]),
        ("hand", "Hand", [(7, 1)]),
        ("hand", "  HAND", [(7, 3)]),
        *(("1. ", number, [(8, 1)]) for number in ("1) ", "1)", "1。", "①", "① ", "①.", "⑴", "⒈")),
        *(
            ("=koikoi", f"={word}", [(8, 8)])
            for word in ("Koikoi", "koi-koi", "コイコイ", "ｺｲｺｲ", "コイコイ。")
        ),
    ],
)
def test_text_typed_on_a_phone_is_read_with_a_warning(
    old: str, new: str, places: list[tuple[int, int]]
) -> None:
    text = PLAYED.replace(old, new)
    assert warnings(text) == [("alias", *place) for place in places]
    assert write(read_game(text)) == write(read_game(PLAYED))


def test_two_cards_in_capitals_are_no_keyword() -> None:
    game = read_game(PLAYED.replace("1. A/B=koikoi", "1. Cx\nBA/D"))
    assert [turn.value[0].take for turn in game.months[0].turns] == ["AB"]


@pytest.mark.parametrize("row", ["hand 1 moon, deer", "hand 1 C, crane", "score 1 (-5) 2 5)"])
def test_statement_that_may_mean_another_is_refused(row: str) -> None:
    assert fault(f"{TAGS}month 1 dealer 1\n{row}\n")[0] in ("bad-card", "bad-amount")


def test_kan_are_read_but_not_a_debt_in_two_ways() -> None:
    months = "month 1 dealer 1\nscore 1 {} 2 -1k 3 0\n"
    assert read_game(KAN_TAGS + months.format("7貫6文")).months[0].score == (90, -12, 0)
    assert read_game(KAN_TAGS + months.format("-1貫7文")).months[0].score == (-19, -12, 0)
    on_bga = KAN_TAGS.replace("hachihachi", "hachihachi-bga") + months
    assert read_game(on_bga.format("-1貫")).months[0].score == (-12, -12, 0)
    fault = read(on_bga.format("-1貫7文")).fault
    assert fault is not None
    assert (fault.code.id, fault.line, fault.column) == ("ambiguous-amount", 7, 9)
    assert fault.expected == ("-1k7", "-5")


@pytest.mark.parametrize(
    ("word", "near"), [("sambon", "sanbon"), ("haneke", "haneken"), ("kutsuki", "kuttsuki")]
)
def test_misspelt_yaku_has_the_nearest_ones(word: str, near: str) -> None:
    fault = read(f"{KAN_TAGS}month 1 dealer 1\nshow 1 {word} AB\n").fault
    assert fault is not None
    assert (fault.code.id, fault.line, fault.column) == ("bad-yaku", 7, 8)
    assert near in fault.expected


def test_call_without_a_seat_has_its_form() -> None:
    fault = read(f"{KAN_TAGS}month 1 dealer 1\n1. B/m\n= torikeshi\n").fault
    assert fault is not None
    assert (fault.code.id, fault.line, fault.column) == ("statement-form", 8, 1)
    assert fault.expected == ("=torikeshi P",)
