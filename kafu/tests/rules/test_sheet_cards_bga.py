"""Months of 八八 on a score sheet: the cards that make them (S7)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafu import cards
from kafu.rules.hachihachi.sheet_hands import find_kind
from kafu.rules.hachihachi_bga import hands
from kafu.rules.hachihachi_bga.sheet_hands import find_shut_out_kind
from kafu.rules.sheets import dealt_hands
from kafu.rules.sheets.dealt_hands import find_hands, shuffle_steps
from lengths import part
from sheets import judge_sheet


@given(seed=st.integers(0, 10**6), is_plain=st.booleans())
def test_hand_is_of_the_kinds_of_its_yaku_and_its_value(seed: int, is_plain: bool) -> None:
    pack = cards.CHAFF | cards.WILLOW | cards.RIBBONS if is_plain else cards.ALL
    hand = sum(Random(seed).sample(list(cards.bits(pack)), 7))
    declaration = hands.declaration(hand)
    yaku = declaration.yaku if declaration else ()
    count = next((id for id in yaku if id in hands.COUNT), None)
    chaff = next((id for id in yaku if id not in hands.COUNT), None)
    for other in (None, "sanbon", "kuttsuki"):
        kind = find_kind(frozenset({other}), frozenset({chaff}))
        assert kind.accepts(hand) == (other == count)
    for other in (None, "aka", "karasu"):
        kind = find_kind(frozenset({count}), frozenset({other}))
        assert kind.accepts(hand) == (other == chaff)
    for value in (0, 6, 18):
        assert find_shut_out_kind(value).accepts(hand) == (value == hands.shut_out(hand))


@pytest.mark.parametrize(
    ("value", "is_possible"), part([(132, True), (135, False), (174, True), (171, False)], one_of=2)
)
def test_hand_that_is_shut_out_has_a_value_that_seven_cards_have(
    value: int, is_possible: bool
) -> None:
    assert bool(find_shut_out_kind(value).layers) == is_possible


MONTHS = {
    "three players have no room for four brights": (
        6,
        "pay karasu 1 +8k 2 -4k 3 -4k 4 0 5 0 6 0\n"
        "pay toichi 1 -3k 2 +6k 3 -3k 4 0 5 0 6 0\n"
        "pay tanichi 1 -3k 2 -3k 3 +6k 4 0 5 0 6 0\n"
        "pay nuke 1 +2k 2 -1k 3 -1k 4 0 5 0 6 0\n"
        "pay points 1 +4 2 -2 3 -2 4 0 5 0 6 0",
        "sheet-no-cards",
    ),
    "seven ribbons are in one hand": (
        5,
        "pay oikomi 1 -174 2 -174 3 -174 4 +522 5 0\n"
        "pay oikomi 1 -174 2 -174 3 -174 4 0 5 +522\n"
        "pay points 1 +4 2 -2 3 -2 4 0 5 0",
        "sheet-no-cards",
    ),
    "a month by half is played out": (
        3,
        "pay pikaichi+sanbon-tatesanbon 1 +22k 2 -11k 3 -11k\n"
        "pay shiko+nanatan 1 +20k 2 -10k 3 -10k",
        "sheet-due",
    ),
    "the payer has no cards left for a yaku in sage": (
        3,
        "pay goko+nanatan 1 +44k 2 -44k 3 0",
        "sheet-no-cards",
    ),
    "a payer has a yaku in sage": (3, "pay nanatan 1 +20k 2 -20k 3 0", ""),
    "struck-out lines are missing": (3, "pay futahachi 1 +20k 2 -10k 3 -10k", ""),
    "the hand of a struck-out tobikomi is missing": (
        3,
        "void tobikomi 1 +2k 2 -1k 3 -1k\npay futahachi 1 +20k 2 -10k 3 -10k",
        "",
    ),
    "the hand of a struck-out nuke is missing": (
        3,
        "void nuke 1 +2k 2 -1k 3 -1k\npay futahachi 1 +20k 2 -10k 3 -10k",
        "",
    ),
    "no line ends the month": (
        3,
        "pay shiso 1 -20k 2 -20k 3 +40k\npay pikaichi+teshi 1 +20k 2 -10k 3 -10k",
        "sheet-no-end",
    ),
}


@pytest.mark.parametrize(("players", "lines", "code"), MONTHS.values(), ids=MONTHS)
def test_month_is_refused_if_no_cards_make_it(players: int, lines: str, code: str) -> None:
    points = " ".join(f"{seat} 0" for seat in range(4, players + 1))
    following = f"month 2 dealer 1\npay points 1 +4 2 -4 3 0 {points}"
    months = f"month 1 dealer 1\nba small\n{lines}\n\n{following}"
    error = judge_sheet("hachihachi-bga", months, players=players).error
    assert (error.code.id if error else "") == code


def test_month_of_six_hands_can_have_four_cards_of_a_month_on_the_field() -> None:
    lines = (
        "month 1 dealer 1",
        "ba absolute2",
        "pay oikomi 1 -24 2 -24 3 -24 4 +72 5 0 6 0",
        "pay oikomi 1 -252 2 -252 3 -252 4 0 5 +756 6 0",
        "pay oikomi 1 -12 2 -12 3 -12 4 0 5 0 6 +36",
        "pay shiso 1 -960 2 -960 3 +4800 4 -960 5 -960 6 -960",
    )
    verdict = judge_sheet("hachihachi-bga", "\n".join(lines), "shiso=ends", players=6)
    assert verdict.error is None


@pytest.mark.parametrize(("winner", "code"), [(5, None), (3, "sheet-fees-to")])
def test_fees_belong_to_the_player_whose_hand_ended_the_game(winner: int, code: str | None) -> None:
    """The line of 四三 also names the chaff yaku of the hand."""
    fees = []
    for payer, value in ((2, 48), (4, 72)):
        amounts = {payer: -value, winner: value}
        fees.append("pay ori " + " ".join(f"{seat} {amounts.get(seat, 0)}" for seat in range(1, 7)))
    lines = (
        "month 1 dealer 2",
        "ba absolute2",
        "pay oikomi 1 +72 2 0 3 -24 4 0 5 -24 6 -24",
        "pay aka 1 0 2 0 3 +192 4 0 5 -96 6 -96",
        "pay tanichi+shiso 1 -960 2 -960 3 -1104 4 -960 5 +5088 6 -1104",
        *fees,
    )
    error = judge_sheet("hachihachi-bga", "\n".join(lines), "shiso=ends", players=6).error
    assert (error and error.code.id) == code


def test_six_scarce_hands_with_three_brights_on_the_field_are_found_in_few_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps: list[int] = []

    def count_steps(*arguments: Any) -> list[int]:
        steps.append(1)
        return shuffle_steps(*arguments)

    monkeypatch.setattr(dealt_hands, "shuffle_steps", count_steps)
    none = frozenset({None})
    kinds = (
        *(find_kind(frozenset({count}), none) for count in ("shiso", "sanbon", None)),
        *map(find_shut_out_kind, (6, 18, 12)),
    )
    assert find_hands(kinds, frozenset({(0, 3)}), is_all=True)
    assert len(steps) < 2000
