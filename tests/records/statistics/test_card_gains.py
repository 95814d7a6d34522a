"""The interval of what a captured card is worth contains the truth as often as stated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pytest

from lengths import part
from records.statistics.intervals import LEAST
from tests.records.statistics.memory_facts import MemoryFacts, answer

pytestmark = pytest.mark.django_db

DEALS: Final = 150
#: Each sample has the 48 cards, whose captures are independent.
SAMPLES: Final = 12
#: Cases of different cards are independent, but their scores are the same.
TOLERANCE: Final = 0.02


@pytest.mark.parametrize("seats", part([3, 2]))
def test_interval_of_a_gain_contains_the_truth(seats: int) -> None:
    """Scores add up to zero and do not depend on the cards: each gain is zero."""
    chance = np.random.default_rng(seats)
    correct: list[bool] = []
    for _sample in range(SAMPLES):
        rows = answer("cards", "ruleset=hachihachi", simulate_facts(chance, seats)).rows
        for row in rows:
            assert row["n"] == seats * DEALS
            low, high = row["gain_low"], row["gain_high"]
            if int(row["count"] or 0) >= LEAST:
                assert isinstance(low, float) and isinstance(high, float)
                correct.append(low <= 0 <= high)
    assert len(correct) > 40 * SAMPLES
    assert 0.93 - TOLERANCE <= np.mean(correct) <= 0.97 + TOLERANCE


def simulate_facts(chance: np.random.Generator, seats: int) -> MemoryFacts:
    """Return facts of deals with one winner, whom the others pay."""
    facts = MemoryFacts("hachihachi")
    scores = np.repeat(-np.ceil(chance.exponential(12, (DEALS, 1))), seats, axis=1)
    scores[np.arange(DEALS), chance.integers(seats, size=DEALS)] *= 1 - seats
    owners = chance.integers(seats, size=(DEALS, 48))
    for seat in range(seats):
        captured: Sequence[int] = [
            sum(1 << int(card) for card in np.flatnonzero(row == seat)) for row in owners
        ]
        columns = {
            "deal": np.arange(DEALS),
            "score": scores[:, seat].astype("i8"),
            "captured": np.array(captured, "i8"),
        }
        facts.database.register("drawn", columns)
        facts.insert(
            "seats",
            "SELECT 1 AS game, 'hachihachi' AS ruleset, 'hachihachi' AS profile, '' AS options,"
            f" {seat + 1} AS seat, {seat + 1} AS place, {(1 << seats) - 1} AS playing,"
            " true AS scored, false AS won, deal, score, -score AS others, captured FROM drawn",
        )
    return facts
