"""Matches between players: games whose seats alternate, and what they bring."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from kafu.analysis.policy import Policy
from kafu.notation.vocabulary import MAX_DEALS
from kafu.rules.play.actions import Begin, Redeal, Show
from kafu.rules.play.machine import Machine, Phase
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.simulation.simulate import PLAYERS


class Outcome(NamedTuple):
    """What a game brings the policy more than the others on average: mean, standard error, in the
    small unit.
    """

    mean: float
    error: float
    games: int


def match(rules: str, other: str, games: int, seed: int = 0) -> Outcome:
    """So many games of the policy, in each seat in turn, against ``other`` in all other seats."""
    machine = machine_of(rules, {}, RULESETS[rules].seats[0])
    policy = Policy(machine)
    margins = []
    for number in range(games):
        seat = number % machine.players + 1
        totals = played(machine, policy, seat, other, Random(f"{rules} {seed} {number}"))
        own = totals[seat - 1]
        margins.append(own - (sum(totals) - own) / (machine.players - 1))
    return Outcome(fmean(margins), stdev(margins) / sqrt(games), games)


def played(
    machine: Machine[Any], policy: Policy, seat: int, other: str, random: Random
) -> Sequence[int]:
    """The sums of a game with the policy in one seat."""
    choose = PLAYERS[other]
    state = machine.start()
    while state.phase is not Phase.OVER and state.deals < MAX_DEALS:
        state = machine.step(state, machine.deal(state, random))
        while state.phase not in (Phase.DEAL, Phase.OVER):
            actions = machine.legal_actions(state)
            if state.phase is Phase.SHOW:  # every hand is declared, by whomever
                shows = [one for one in actions if isinstance(one, Show)]
                first = next(one for one in actions if isinstance(one, Begin | Redeal))
                best = max(shows, key=lambda show: len(show.yaku), default=first)
                state = machine.step(state, best)
            elif state.seat == seat:
                policy.step(state)
            else:
                state = machine.step(state, choose(machine, state, actions, random))
    return state.totals
