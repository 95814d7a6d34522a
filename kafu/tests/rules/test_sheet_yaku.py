"""Yaku that one player can have captured together, and impossible combinations (S4)."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from kafu import cards
from kafu.rules.hanaawase.machine import YAKU as HANAAWASE
from kafu.rules.sheets.together import possible, sums, ways
from kafu.rules.yaku import made


@given(seed=st.integers(0, 10**6), count=st.integers(1, 40))
def test_yaku_that_cards_make_are_possible(seed: int, count: int) -> None:
    captured = sum(Random(seed).sample(list(cards.bits(cards.ALL)), count))
    whole = made(HANAAWASE, captured, rained=False, called=False)
    assert possible(HANAAWASE, frozenset((yaku.id, yaku.value) for yaku in whole))


def test_ways_to_divide_a_sum_are_found_up_to_a_hundred() -> None:
    assert sums([[1, 2], [10, 20]]) == {11, 12, 21, 22}
    assert list(ways([[1, 2], [1, 2], [5]], 8)) == [(1, 2, 5), (2, 1, 5)]
    assert list(ways([[1], [1]], 3)) == []
    assert len(list(ways([range(100), range(100)], 99))) == 100
    assert len(list(ways([range(200), range(200)], 199))) == 100, "no more are tried"
