"""Matches between the policy and other players, with alternating seats."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from kafu.analysis.policy import Policy
from kafu.notation.vocabulary import MAX_DEALS
from kafu.rules.play.actions import Begin, Redeal, ShowAction
from kafu.rules.play.machine import Machine, Phase
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.simulation.simulate import PLAYERS


class Outcome(NamedTuple):
    """The policy's mean advantage per game and its standard error, in the small unit."""

    mean: float
    error: float
    games: int


def play_match(rules: str, opponent: str, games: int, seed: int = 0) -> Outcome:
    """Play ``games`` of the policy, in each seat in turn, against the player ``other``."""
    machine = machine_of(rules, {}, RULESETS[rules].seats[0])
    policy = Policy(machine)
    margins = []
    for number in range(games):
        seat = number % machine.players + 1
        totals = play_game(machine, policy, seat, opponent, Random(f"{rules} {seed} {number}"))
        score = totals[seat - 1]
        margins.append(score - (sum(totals) - score) / (machine.players - 1))
    return Outcome(fmean(margins), stdev(margins) / sqrt(games), games)


def play_game(
    machine: Machine[Any], policy: Policy, seat: int, opponent: str, random: Random
) -> Sequence[int]:
    """Play a game with the policy in one seat, and return the totals."""
    choose = PLAYERS[opponent]
    state = machine.start()
    while state.phase is not Phase.OVER and state.deals < MAX_DEALS:
        state = machine.step(state, machine.deal(state, random))
        while state.phase not in (Phase.DEAL, Phase.OVER):
            actions = machine.legal_actions(state)
            if state.phase is Phase.SHOW:  # Every hand is declared, for both kinds of players.
                shows = [action for action in actions if isinstance(action, ShowAction)]
                first = next(action for action in actions if isinstance(action, Begin | Redeal))
                best = max(shows, key=lambda show: len(show.yaku), default=first)
                state = machine.step(state, best)
            elif state.seat == seat:
                policy.step(state)
            else:
                state = machine.step(state, choose(machine, state, actions, random))
    return state.totals
