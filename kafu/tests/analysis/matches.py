"""Matches between the policy and other players, with alternating seats."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from kafu.analysis.policy import Policy
from kafu.notation.vocabulary import MAX_DEALS
from kafu.rules.play.actions import Begin, Bid, Redeal, ShowAction
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


def compare_policies(policy: Policy, other: Policy, deals: int, seed: int = 0) -> Outcome:
    """Play ``deals``, each once with ``policy`` in each seat and ``other`` in all further seats.

    Return the advantage of ``policy`` a deal: its score less the mean of the others.
    """
    machine, margins = policy.machine, []
    for number in range(deals):
        margin = 0.0
        for seat in range(1, machine.players + 1):
            policies = [other] * machine.players
            policies[seat - 1] = policy
            score = play_deal(policies, number, Random(f"{machine.id} {seed} {number}"))
            margin += score[seat - 1] - (sum(score) - score[seat - 1]) / (machine.players - 1)
        margins.append(margin / machine.players)
    return Outcome(fmean(margins), stdev(margins) / sqrt(deals), deals)


def play_deal(policies: Sequence[Policy], number: int, random: Random) -> Sequence[int]:
    """Play a deal with a policy for each seat, in a month by ``number``, and return the scores."""
    machine = policies[0].machine
    start = machine.start().replace(month=number % 12 + 1)
    state = machine.step(start, machine.deal(start, random))
    while state.result is None:
        if state.phase is Phase.PILE:
            machine.step(state, machine.pile(state, random))
        elif state.phase in (Phase.BID, Phase.SHOW):
            action = policies[0].choose_opening(state)
            if isinstance(action, Bid):
                action = policies[action.seat - 1].choose_opening(state)
            machine.step(state, action)
        else:
            policies[state.seat - 1].step(state)
    return state.result.score
