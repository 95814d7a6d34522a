"""Luck is apart from choices: on average nobody has any."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import sqrt
from statistics import fmean, stdev

import pytest

from kafu.analysis.luck import Luck, of_deal
from kafu.cards import UNKNOWN
from kafu.facade.judging import verify
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from lengths import LONG

#: Deals a ruleset, and play-outs for each card: fewer are as right, and less steady.
DEALS, PLAYOUTS = (2_000, 8) if LONG else (16, 2)


def _deals(rules: str) -> Iterator[Luck]:
    """The luck of the deals of games, whoever plays."""
    seed = 0
    while True:
        game = simulate(rules, seed=seed, player=("random", "sensible")[seed % 2])
        for number in range(1, len(game.months) + 1):
            luck = of_deal(game, number, seed=seed, playouts=PLAYOUTS)
            assert luck is not None
            yield luck
        seed += 1


@pytest.mark.long
@pytest.mark.parametrize("rules", tuple(RULESETS))
def test_nobody_is_lucky_on_average(rules: str) -> None:
    """Within three standard errors, at the deal and at the stock; whoever plays."""
    lucks = list(islice(_deals(rules), DEALS))
    for name in Luck._fields:
        sums = [getattr(luck, name)[0] for luck in lucks]
        error = stdev(sums) / sqrt(DEALS)
        print(f"{rules}: luck of the {name} {fmean(sums):.2f} ± {error:.2f}")
        assert abs(fmean(sums)) < 3 * error


def test_luck_is_not_measured_where_cards_are_missing() -> None:
    game = simulate("koikoi", seed=1, options={"months": "1"})
    month = game.months[0]
    game.months[0] = month.with_hands(month.hands | {2: UNKNOWN * 8})
    assert of_deal(game, 1, playouts=1) is None
    assert verify(game).status in ("consistent", "verified")
