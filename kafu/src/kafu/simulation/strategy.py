"""A sensible simulated player: it captures towards yaku, and weighs playing on against stopping.

It knows no more than a person at the table: the own hand, the field and captured cards. It reads
the tables of the house, so it plays any ruleset and profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import tanh
from random import Random
from typing import Any, Final

from kafu import cards
from kafu.rules.play.actions import (
    Action,
    Begin,
    Bid,
    CallAction,
    Draw,
    Play,
    Redeal,
    Say,
    ShowAction,
    Swap,
)
from kafu.rules.play.machine import Machine, Phase, State
from kafu.rules.rulesets import RULESETS
from kafu.rules.yaku import YakuTable, missing, total

#: The value of a card apart from yaku: bright, animal, ribbon, chaff.
_PLAIN: Final = (
    (cards.BRIGHTS, 3.0),
    (cards.ANIMALS, 1.5),
    (cards.RIBBONS, 1.2),
    (cards.CHAFF, 0.4),
)
#: The least value of a hand for going in, and the error of its estimate.
_WORTH_PLAYING: Final = 8.5
_DOUBT: Final = 3.0


def choose_sensibly(
    machine: Machine[Any], state: Any, actions: Sequence[Action], random: Random
) -> Action:
    """Choose among ``actions``, which must not be empty."""
    if len(actions) == 1:
        return actions[0]
    first = actions[0]
    if isinstance(first, Begin | Redeal):
        return _declare(machine, state, actions, random)
    if isinstance(first, Bid):
        return _bid(machine, state, actions, random)
    if isinstance(first, Say):
        stop = _should_stop(machine, state, state.seat, random)
        choice = RULESETS[machine.id].choice
        on = choice.on if choice else ""
        words = (action for action in actions if isinstance(action, Say))
        return next((word for word in words if (word.word == on) != stop), first)
    calls = [action for action in actions if isinstance(action, CallAction)]
    if call := _find_cancellation(machine, state, calls, random):
        return call
    plays = [action for action in actions if isinstance(action, Play | Draw)]
    return max(plays, key=lambda action: _worth(machine, state, action) + random.random() * 0.3)


def _bid(machine: Machine[Any], state: State, actions: Sequence[Action], random: Random) -> Action:
    """Go in with a good hand, or sometimes go in blind or swap hands."""
    bids = [action for action in actions if isinstance(action, Bid)]
    rarities = [action for action in actions if not isinstance(action, Bid)]
    if rarities and random.random() < 0.1:
        return random.choice(rarities)
    table = machine.yaku_table(state)
    worth = _gain(table, state.table.hands[state.seat - 1], 0, 0) + random.uniform(-_DOUBT, _DOUBT)
    return next(bid for bid in bids if bid.goes_in == (worth > _WORTH_PLAYING))


def _declare(
    machine: Machine[Any], state: State, actions: Sequence[Action], random: Random
) -> Action:
    """Choose whether to act out of turn, or to begin.

    Nearly always show a dealt hand, with as many yaku as possible; rarely swap hands before the
    bids; cancel 下げ under threat.
    """
    shows = [action for action in actions if isinstance(action, ShowAction)]
    if shows and random.random() < 0.9:
        return max(shows, key=lambda show: len(show.yaku))
    swaps = [action for action in actions if isinstance(action, Swap)]
    if swaps and state.phase is Phase.BID and random.random() < 0.1:
        return swaps[0]
    calls = [action for action in actions if isinstance(action, CallAction)]
    return _find_cancellation(machine, state, calls, random) or actions[0]


def _find_cancellation(
    machine: Machine[Any], state: State, calls: Sequence[CallAction], random: Random
) -> CallAction | None:
    """Return one of the calls that cancel 下げ in half of the cases with a threat, else None."""
    if calls and random.random() < 0.5 and _count_threats(machine, state, calls[0].seat):
        return calls[0]
    return None


def _should_stop(machine: Machine[Any], state: State, seat: int, random: Random) -> bool:
    """Return whether to stop: with valuable yaku, few cards left, or threats by opponents."""
    value = total(machine.yaku(state, seat))
    left = state.table.hands[seat - 1].bit_count() + state.table.hidden[seat - 1]
    courage = 0.25 * left - 0.35 * value - 0.5 * _count_threats(machine, state, seat)
    return random.random() > (1 + tanh(courage / 2)) / 2


def _count_threats(machine: Machine[Any], state: State, seat: int) -> int:
    """Return the number of valuable yaku that opponents lack a single card of."""
    return sum(
        1
        for i, captured in enumerate(state.table.captured, start=1)
        for row in machine.yaku_table(state)
        if i != seat and row.value > 1 and missing(row, captured, taken=0) == 1
    )


def _worth(machine: Machine[Any], state: State, action: Play | Draw) -> float:
    """Return the value of a capture, or the negative value of a discard to the opponents."""
    captured, table = state.table.captured[state.seat - 1], machine.yaku_table(state)
    by_opponent = [cards_ for i, cards_ in enumerate(state.table.captured, 1) if i != state.seat]
    if not action.take:
        gains = (_gain(table, action.card, cards_, captured) for cards_ in by_opponent)
        return -max(gains) * 0.6
    gone = 0
    for cards_ in by_opponent:
        gone |= cards_
    return _gain(table, action.take | action.card, captured, gone)


def _gain(table: YakuTable, gained: int, captured: int, gone: int) -> float:
    """Return the value of cards to a player with ``captured``, if opponents have ``gone``."""
    worth = _plain_worth(gained)
    for row in table:
        fresh = (gained & row.cards).bit_count()
        if fresh and (left := missing(row, captured, taken=gone)):
            worth += row.value * fresh / (row.need * left)
    return worth


@lru_cache(maxsize=1 << 13)
def _plain_worth(gained: int) -> float:
    """Return the value of cards apart from yaku."""
    return sum(value * (gained & group).bit_count() for group, value in _PLAIN)
