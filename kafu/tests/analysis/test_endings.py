"""Sampled values compared with exact values in small endings with few consistent deals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import inf, isclose, sqrt
from random import Random
from statistics import fmean

import pytest

from analysis.rollouts import find_result
from kafu.analysis.choices import ChoicePoint, find_choices
from kafu.analysis.policy import Policy
from kafu.analysis.search import RunningMean, Search
from kafu.analysis.winning import load_win_chances
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.simulation.simulate import simulate
from lengths import LONG

pytestmark = pytest.mark.long

#: Positions per ruleset, samples per position, and deals per sample. A single sample of 500
#: positions would often have 468 hits instead of 477, with a standard deviation of 4.7.
POSITIONS, SAMPLES, DEALS = (500, 4, 600) if LONG else (5, 2, 150)
#: Samples from the results of all deals, without play-outs: enough to detect less than 95 %.
AGAIN = 100 if LONG else 25
#: Arrangements of hidden cards at most, as in the last two turns of a seat.
WAYS = 1_000


def endings(rules: str) -> Iterator[ChoicePoint]:
    """Yield choices in endings, including forced ones, from games of both kinds of players."""
    seed = 0
    while True:
        game = simulate(rules, seed=seed, player=("random", "sensible")[seed % 2])
        seed += 1
        for point in find_choices(game):
            if point.view is not None and 20 <= point.view.count <= WAYS:
                yield point


def _within(every: Sequence[int], random: Random) -> float:
    """Return the share of `AGAIN` samples whose mean is within two standard errors of the truth."""
    truth, hits = fmean(every), 0
    for _ in range(AGAIN):
        sample = RunningMean()
        for result in random.choices(every, k=DEALS):
            sample.add(result)
        hits += abs(sample.mean - truth) <= 2 * sample.error + 1e-9
    return hits / AGAIN


@pytest.mark.parametrize("rules", tuple(RULESETS) if LONG else ("koikoi",))
def test_sampled_values_are_near_the_mean_of_all_deals(rules: str) -> None:
    """The truth is within two standard errors in 95 % of samples, and there is no bias."""
    machine = machine_of(rules, {}, RULESETS[rules].seats[0])
    policy, chances = Policy(machine), load_win_chances(machine, 1)
    errors, within = [], []
    for count, point in enumerate(islice(endings(rules), POSITIONS)):
        assert point.view is not None
        number = count % len(point.actions)
        search = Search(policy, chances, point.view, point.actions, point.played)
        action = point.actions[number]
        every = [
            find_result(after, point.seat)
            for state in point.view.enumerate_states()
            for after in search.play_out(state, [action])
        ]
        assert len(every) <= point.view.count
        truth = fmean(every)
        within.append(_within(every, Random(count)))
        for sample in range(SAMPLES):
            search = Search(policy, chances, point.view, point.actions, point.played)
            search.sample([number], DEALS, Random(f"{count} {sample}"))
            sampled = search.sums[number]
            same = isclose(sampled.mean, truth, abs_tol=1e-9)
            errors.append(
                0.0 if same else (sampled.mean - truth) / sampled.error if sampled.error else inf
            )
    hits = sum(abs(error) <= 2 for error in errors)
    print(f"{rules}: {hits} of {len(errors)} within two standard errors, {DEALS} deals each")
    print(
        f"{rules}: {100 * fmean(within):.2f} % of {AGAIN} samples each of the results of all deals"
    )
    tried = AGAIN * len(within)
    assert fmean(within) >= 0.95 - 2 * sqrt(0.95 * 0.05 / tried)
    assert hits >= 0.95 * len(errors) - 2 * sqrt(0.95 * 0.05 * len(errors))
    assert abs(fmean(errors)) < 3 / sqrt(len(errors))
