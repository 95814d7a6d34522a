"""Judging leaves no cycles for the garbage collector.

With millions of games, the search for cycles would visit all their objects.
"""

import gc

import pytest

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate


@pytest.mark.parametrize("rules", RULES)
def test_judged_game_leaves_no_cycle_of_objects(rules: str) -> None:
    text = write(simulate(rules, seed=1))
    # The tolerant reader reads the second variant.
    for variant in (text, text.replace("\n1. ", "\n\n1.  ", 1) + "; the end\n"):
        assert (
            verify(read(variant), facts=True).verdict.status == "verified"
        )  # this verification also fills caches
        gc.freeze()  # garbage from before does not matter
        gc.disable()
        try:
            verify(read(variant), facts=True)
            assert gc.collect() == 0
        finally:
            gc.enable()
