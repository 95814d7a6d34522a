"""Counting: equal to adding up case by case, whatever the numbers and the blocks are."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.insights import counting
from records.insights.blocks import Array, chosen, counts_of
from records.insights.counting import Counting, MetricCount
from records.insights.metrics import METRICS
from records.insights.remembered import in_order, places_of

TYPES = ("u1", "i2", "u2", "u4", "i8")


def column(chance: np.random.Generator, low: int, high: int, length: int) -> Array:
    """Numbers in the narrowest type that holds them, as they are stored."""
    numbers = chance.integers(low, high, length)
    kinds = (np.iinfo(one) for one in TYPES)
    return numbers.astype(next(one.dtype for one in kinds if one.min <= low and high <= one.max))


# Codes and values of few bins; of many; with gaps; with more cells than fit into an array. The last
# number is the bound of sums: below it sums and cases are in one number.
@pytest.mark.parametrize(
    ("codes", "values", "exact"),
    [(5, 3, 1 << 53), (90, 2_000, 1 << 53), (60_000, 40, 1), (1 << 22, 30_000, 1 << 53)],
)
@given(seed=st.integers(0, 1 << 32), lengths=st.lists(st.integers(0, 40), max_size=4))
def test_counts(codes: int, values: int, exact: int, seed: int, lengths: list[int]) -> None:
    chance = np.random.default_rng(seed)
    low = -values * int(chance.integers(2))
    found = Counting(["month", "hand"], MetricCount(METRICS["score"]), np.zeros((1, 2), bool))
    known: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "_EXACT", exact)
        for length in lengths:
            most = 1 + int(chance.integers(codes))  # blocks differ in how far their numbers go
            block = {
                "month": column(chance, 0, most, length),
                "hand": column(chance, 0, 3, length),
                "score": column(chance, low, values, length),
            }
            found.add(block)
            for month, hand, score in zip(*(one.tolist() for one in block.values()), strict=True):
                known[month, hand].append(score)
        cells = found.cells()
    assert found.cases == sum(lengths)
    columns = (*cells.codes, cells.n, cells.total, cells.squares)
    assert {tuple(one) for one in zip(*(some.tolist() for some in columns), strict=True)} == {
        (*cell, len(some), sum(some), sum(one * one for one in some))
        for cell, some in known.items()
    }


@given(
    players=st.lists(st.integers(0, 12) | st.integers(250, 260) | st.just(1 << 17), max_size=60),
    player=st.integers(0, 12) | st.integers(250, 260) | st.sampled_from([1 << 17, 1 << 33]),
)
def test_facts_of_a_player(players: list[int], player: int) -> None:
    numbers = np.array(players, np.min_scalar_type(max(players, default=0)))
    found = places_of(player, *in_order(numbers))
    assert found.tolist() == [at for at, one in enumerate(players) if one == player]


def test_what_is_chosen_keeps_what_hangs_below() -> None:
    counts = counts_of("opponents")
    block = {
        "seat": np.array([1, 2, 3, 4]),
        counts: np.array([2, 0, 1, 3]),
        "opponent": np.array([11, 12, 31, 41, 42, 43]),
    }
    found = chosen(block, np.array([True, True, False, True]))
    assert {name: one.tolist() for name, one in found.items()} == {
        "seat": [1, 2, 4],
        counts: [2, 0, 3],
        "opponent": [11, 12, 41, 42, 43],
    }
