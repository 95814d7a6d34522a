"""Verdicts, canonical texts and facts have the stored hashes (`golden`)."""

from __future__ import annotations

from typing import Final

import pytest

from golden import BATCH, FIRST, LINES, expected, hash_of, line
from kafu.notation.vocabulary import RULES

pytestmark = pytest.mark.long

#: A hash cannot tell which game changed.
CHANGED: Final = "what is found in games {} to {} of {} is not what it was: see `golden.py`"


@pytest.mark.parametrize("rules", sorted(RULES))
def test_first_simulated_games_have_the_stored_hash(rules: str) -> None:
    """The first games have every kind of simulation, with and without claims and a house."""
    first, *batches = expected(rules)
    assert len(batches) == LINES
    assert hash_of(rules, range(FIRST)) == first, CHANGED.format(0, FIRST - 1, rules)


@pytest.mark.long_only  # the test above compares the first games
@pytest.mark.parametrize("rules", sorted(RULES))
def test_simulated_games_have_the_stored_hash(rules: str) -> None:
    for number, stored in enumerate(expected(rules)[1:]):
        seeds = number * BATCH, (number + 1) * BATCH - 1
        assert line((rules, number)) == stored, CHANGED.format(*seeds, rules)
