"""Roll-outs from the knowledge of a seat, in deals that policies play."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from kafu import cards
from kafu.analysis.policy import Policy
from kafu.analysis.search import margin
from kafu.rules.play.actions import Say
from kafu.rules.play.machine import State


class Decision(NamedTuple):
    """The advantage of playing on, and its standard error."""

    advantage: float
    error: float


def play_deals(policy: Policy, deals: int, random: Random) -> Iterator[State]:
    """Yield the states before each action after the opening; each changes with the next one."""
    machine = policy.machine
    for _ in range(deals):
        start = machine.start().replace(month=random.randint(1, 12))
        state = policy.begin(machine.step(start, machine.deal(start, random)), random)
        while state.result is None:
            yield state
            policy.step(state)


def rearrange(state: State, random: Random) -> State:
    """Return a copy of a state with the cards that the seat in turn does not see shuffled."""
    table_cards, i = state.table, state.seat - 1
    loose = [
        card for k, hand in enumerate(table_cards.hands) if k != i for card in cards.bits(hand)
    ]
    loose += table_cards.ahead
    random.shuffle(loose)
    hands = list(table_cards.hands)
    for k, hand in enumerate(hands):
        if k != i:
            count = hand.bit_count()
            hands[k] = sum(loose[:count])
            del loose[:count]
    copy = state.copy()
    stock = (*table_cards.stock[: table_cards.turned], *loose)
    copy.table = table_cards.replace(hands=hands, stock=stock)
    return copy


def try_decision(policy: Policy, state: State, samples: int, random: Random) -> Decision | None:
    """Return the advantage of playing on, None if the rules allow a single word."""
    machine, choice, seat = policy.machine, policy.choice, state.seat
    if choice is None or len([a for a in machine.legal_actions(state) if isinstance(a, Say)]) < 2:
        return None
    stopped = state.copy()
    machine.say(stopped, choice.stop)
    gains = []
    for _ in range(samples):
        after = rearrange(state, random)
        machine.say(after, choice.on)
        gains.append(find_result(policy.play_out(after), seat) - find_result(stopped, seat))
    return Decision(fmean(gains), stdev(gains) / sqrt(samples))


def find_result(state: State, seat: int) -> int:
    """Return the result of a finished deal for a seat."""
    assert state.result is not None, "the deal was played out"
    return margin(state.result.score, seat)
