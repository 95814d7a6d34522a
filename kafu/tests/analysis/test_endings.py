"""Sampled values against the truth: small endings of which every deal that fits is counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import inf, isclose, sqrt
from random import Random
from statistics import fmean

import pytest

from kafu.analysis.game import Point, points
from kafu.analysis.policy import Policy
from kafu.analysis.search import Search, _Sum
from kafu.analysis.winning import winning
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.simulation.simulate import simulate
from lengths import LONG

pytestmark = pytest.mark.long

#: Positions a ruleset, samples of each, and deals in a sample. One sample of 500 positions alone
#: would often have 468 hits where 477 are to be expected (their standard deviation is 4.7).
POSITIONS, SAMPLES, DEALS = (500, 4, 600) if LONG else (5, 2, 150)
#: Samples of the results of all deals, for which nothing is played: enough to tell 95 %
#: from less.
AGAIN = 100 if LONG else 25
#: Hidden cards of the last two turns of a seat lie in no more ways.
WAYS = 1_000


def endings(rules: str) -> Iterator[Point]:
    """Choices of endings, forced ones too, of games by all kinds of players."""
    seed = 0
    while True:
        game = simulate(rules, seed=seed, player=("random", "sensible")[seed % 2])
        seed += 1
        for point in points(game):
            if point.view is not None and 20 <= point.view.count <= WAYS:
                yield point


def _within(every: Sequence[int], random: Random) -> float:
    """How many of `AGAIN` samples of the results of all deals have their mean within two standard
    errors.
    """
    truth, hits = fmean(every), 0
    for _ in range(AGAIN):
        sample = _Sum()
        for result in random.choices(every, k=DEALS):
            sample.add(result)
        hits += abs(sample.mean - truth) <= 2 * sample.error + 1e-9
    return hits / AGAIN


@pytest.mark.parametrize("rules", tuple(RULESETS) if LONG else ("koikoi", "ten-five-one"))
def test_sampled_values_are_near_the_mean_of_all_deals(rules: str) -> None:
    """The truth is within two standard errors in 95 % of samples, as far as so many can tell, and
    on average neither above nor below.
    """
    machine = machine_of(rules, {}, RULESETS[rules].seats[0])
    policy, chances = Policy(machine), winning(machine, 1)
    errors, within = [], []
    for count, point in enumerate(islice(endings(rules), POSITIONS)):
        assert point.view is not None
        number = count % len(point.actions)
        search = Search(policy, chances, point.view, point.actions, point.played)
        action = point.actions[number]
        every = [search.result(state, action) for state in point.view.every()]
        assert len(every) <= point.view.count
        truth = fmean(every)
        within.append(_within(every, Random(count)))
        for sample in range(SAMPLES):
            search = Search(policy, chances, point.view, point.actions, point.played)
            search.sample([number], DEALS, Random(f"{count} {sample}"))
            got = search.sums[number]
            same = isclose(got.mean, truth, abs_tol=1e-9)
            errors.append(0.0 if same else (got.mean - truth) / got.error if got.error else inf)
    hits = sum(abs(error) <= 2 for error in errors)
    print(f"{rules}: {hits} of {len(errors)} within two standard errors, {DEALS} deals each")
    print(
        f"{rules}: {100 * fmean(within):.2f} % of {AGAIN} samples each of the results of all deals"
    )
    tried = AGAIN * len(within)
    assert fmean(within) >= 0.95 - 2 * sqrt(0.95 * 0.05 / tried)
    assert hits >= 0.95 * len(errors) - 2 * sqrt(0.95 * 0.05 * len(errors))
    assert abs(fmean(errors)) < 3 / sqrt(len(errors))
