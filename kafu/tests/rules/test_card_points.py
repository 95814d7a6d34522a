"""How many points captured cards with just some yaku can count (S4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafu import cards
from kafu.rules.hanaawase.machine import YAKU as HANAAWASE
from kafu.rules.sheets.captured import can_count, least_points, most_without_yaku
from kafu.rules.ten_five_one.machine import YAKU as TEN_FIVE_ONE
from kafu.rules.ten_five_one.machine import points
from kafu.rules.yaku import YakuTable, made

MASKS = st.integers(0, cards.ALL)


@pytest.mark.parametrize(
    ("table", "count"), [(HANAAWASE, cards.points), (TEN_FIVE_ONE, points)], ids=("hana", "ten")
)
@given(MASKS, MASKS)
def test_points_of_any_captured_cards_are_possible(
    table: YakuTable, count: Callable[[int], int], captured: int, others: int
) -> None:
    yaku = made(table, captured, rained=False, called=False)
    claimed = frozenset((row.id, row.value) for row in yaku)
    assert least_points(table, claimed, count) <= count(captured)
    assert can_count(table, claimed, count, count(captured), others & ~captured)


@pytest.mark.parametrize(
    ("claimed", "most"),
    [({}, 166), ({"goko": 160}, 196), ({"nanatan": 40}, 176), ({"kasu": 10}, 167)],
)
def test_more_points_than_without_another_yaku_are_impossible(
    claimed: dict[str, int], most: int
) -> None:
    yaku = frozenset(claimed.items())
    assert claimed or most_without_yaku(HANAAWASE, cards.points) == most
    assert can_count(HANAAWASE, yaku, cards.points, most)
    assert not can_count(HANAAWASE, yaku, cards.points, most + 1)


@pytest.mark.parametrize(
    ("claimed", "least"),
    [({}, 0), ({"goko": 160}, 100), ({"rokutan": 20}, 30), ({"kasu": 30}, 14), ({"kusa": 20}, 15)],
)
def test_cards_of_yaku_count_their_points(claimed: dict[str, int], least: int) -> None:
    assert least_points(HANAAWASE, frozenset(claimed.items()), cards.points) == least
