"""Verdicts, canonical texts and facts have the stored hashes (`golden`)."""

from __future__ import annotations

from itertools import islice
from typing import Final

import pytest

from golden import BATCH, LINES, expected, line
from kafu.notation.vocabulary import RULES
from lengths import LONG

pytestmark = pytest.mark.long

#: Batches of each ruleset: all of them in `make test-long`.
BATCHES: Final = LINES if LONG else 1
#: A hash cannot tell which game changed.
CHANGED: Final = "what is found in games {} to {} of {} is not what it was: see `golden.py`"


@pytest.mark.parametrize("rules", sorted(RULES))
def test_simulated_games_have_the_stored_hash(rules: str) -> None:
    for number, stored in enumerate(islice(expected(rules), BATCHES)):
        seeds = number * BATCH, (number + 1) * BATCH - 1
        assert line((rules, number)) == stored, CHANGED.format(*seeds, rules)


def test_every_batch_has_its_hash() -> None:
    assert {rules: len(expected(rules)) for rules in RULES} == dict.fromkeys(RULES, LINES)
