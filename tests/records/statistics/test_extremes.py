"""The comparison of the highest with the lowest of many rows rarely mistakes chance for more."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

import numpy as np
import pytest

from lengths import part
from records.statistics.intervals import LEAST, are_extremes_apart, chance_of_difference
from tests.records.statistics.memory_facts import MemoryFacts, answer

GAMES: Final = 120
SAMPLES: Final = 400
#: Three standard errors of the share of samples.
TOLERANCE: Final = 3 * (0.05 * 0.95 / SAMPLES) ** 0.5

Array = np.ndarray[Any, Any]


def simulate_tables(rows: int, kind: str, seed: int) -> tuple[Array, Array, Array]:
    """Return game, row and value of cases whose values do not depend on the row.

    Each game has its own mean, and cases of a few rows, some of which are rare.
    """
    chance = np.random.default_rng([seed, rows])
    weights = chance.dirichlet(np.full(rows, 3.0))
    games = np.repeat(np.arange(GAMES), max(12, rows))
    row = chance.choice(rows, size=len(games), p=weights)
    habit = chance.normal(size=GAMES)[games]
    value: Array
    if kind == "rate":
        value = chance.random(len(games)) < 1 / (1 + np.exp(-0.5 * habit))
    elif kind == "skewed":
        value = np.floor(np.exp(chance.normal(size=len(games)) * 1.2 + 0.5 * habit))
    else:
        value = np.round(5 * chance.normal(size=len(games)) + 2 * habit)
    return games, row, value.astype(float)


def is_difference_told(games: Array, row: Array, value: Array) -> bool:
    """Return whether the highest and the lowest row are said to differ."""
    n = np.bincount(row)
    means = np.bincount(row, value) / np.maximum(n, 1)
    compared = np.flatnonzero(n >= LEAST)
    if len(compared) < 2:
        return False
    high, low = (compared[place(means[compared])] for place in (np.argmax, np.argmin))
    both = value[(row == high) | (row == low)].mean()
    share = (row == high) / n[high] - (row == low) / n[low]
    change = np.bincount(games, (value - both) * share)
    gap = means[high] - means[low]
    chance = chance_of_difference(gap, (change**2).sum(), (change**4).sum())
    return are_extremes_apart(chance, len(compared))


@pytest.mark.parametrize("kind", ["rate", "normal", "skewed"])
@pytest.mark.parametrize("rows", part([7, 48, 2, 12, 24], one_of=5))
def test_rows_without_a_difference_are_rarely_told_apart(rows: int, kind: str) -> None:
    told_count = sum(
        is_difference_told(*simulate_tables(rows, kind, seed)) for seed in range(SAMPLES)
    )
    assert told_count / SAMPLES <= 0.05 + TOLERANCE


def test_difference_that_chance_does_not_explain_is_told() -> None:
    games, row, value = simulate_tables(12, "rate", 1)
    assert is_difference_told(games, row, np.where(row == 3, 1.0, value))


@pytest.mark.django_db
def test_insights_compare_the_games_of_the_highest_and_lowest_row() -> None:
    """Months differ by chance, and one is always won; the sums are those of plain Python."""
    games, row, value = simulate_tables(12, "rate", 2)
    for changed, is_apart in ((value, False), (np.where(row == 3, 1.0, value), True)):
        facts = MemoryFacts("koikoi")
        columns = {"game": games, "month": row + 1, "won": changed > 0, "deal": np.arange(len(row))}
        facts.database.register("drawn", columns)
        facts.insert(
            "seats",
            "SELECT game, 'koikoi' AS ruleset, 'koikoi' AS profile, '' AS options, deal, month,"
            " won, 1 AS seat, 1 AS place, true AS scored FROM drawn",
        )
        extremes = answer("insights", "ruleset=koikoi&by=month", facts).extremes
        assert extremes is not None
        wins = defaultdict[str, list[bool]](list)
        for month, won in zip(row + 1, changed, strict=True):
            wins[str(month)].append(won > 0)
        ordered = sorted(wins, key=lambda month: sum(wins[month]) / len(wins[month]))
        assert (extremes.lowest["by"], extremes.highest["by"]) == (ordered[0], ordered[-1])
        assert extremes.is_apart == is_apart == is_difference_told(games, row, changed)
