"""A simulated player with some sense: captures what leads to yaku, and weighs playing on against
the yaku it has.

It knows what a person at the table knows: own hand, field, captured cards. It reads the house's own
tables, so that it plays any ruleset and profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import tanh
from random import Random
from typing import Any, Final

from kafu import cards
from kafu.rules.play.actions import Action, Begin, Bid, Call, Draw, Play, Redeal, Say, Show
from kafu.rules.play.machine import Machine, State
from kafu.rules.rulesets import RULESETS
from kafu.rules.yaku import YakuTable, missing, total

#: A card's worth apart from any yaku: bright, animal, slip, dregs.
_PLAIN: Final = ((cards.BRIGHTS, 3.0), (cards.ANIMALS, 1.5), (cards.SLIPS, 1.2), (cards.DREGS, 0.4))
#: The value of a hand worth going in with, and the error in estimating it.
_WORTH_PLAYING: Final = 8.5
_DOUBT: Final = 3.0


def sensible(rules: Machine[Any], state: Any, actions: Sequence[Action], random: Random) -> Action:
    """Choose an action with sense; see the module. ``actions`` must not be empty."""
    if len(actions) == 1:
        return actions[0]
    first = actions[0]
    if isinstance(first, Begin | Redeal):
        return _declare(actions, random)
    if isinstance(first, Bid):
        return _bid(rules, state, actions, random)
    if isinstance(first, Say):
        stop = _should_stop(rules, state, state.seat, random)
        choice = RULESETS[rules.id].choice
        on = choice.on if choice else ""
        matching = (a for a in actions if isinstance(a, Say) and (a.word == on) != stop)
        return next(matching, first)
    calls = [action for action in actions if isinstance(action, Call)]
    if calls and random.random() < 0.5 and _danger(rules, state, calls[0].seat):
        return calls[0]
    played = [action for action in actions if isinstance(action, Play | Draw)]
    return max(played, key=lambda action: _worth(rules, state, action) + random.random() * 0.3)


def _bid(rules: Machine[Any], state: State, actions: Sequence[Action], random: Random) -> Action:
    """Go in with a hand that is better than most; sometimes choose otherwise."""
    bids = [action for action in actions if isinstance(action, Bid)]
    others = [action for action in actions if not isinstance(action, Bid)]
    if others and random.random() < 0.1:
        return random.choice(others)
    table = rules.yaku_table(state)
    worth = _gain(table, state.table.hands[state.seat - 1], 0, 0) + random.uniform(-_DOUBT, _DOUBT)
    return next(bid for bid in bids if bid.goes_in == (worth > _WORTH_PLAYING))


def _declare(actions: Sequence[Action], random: Random) -> Action:
    """Nearly always show a dealt hand, as much of it as counts."""
    shows = [action for action in actions if isinstance(action, Show)]
    if shows and random.random() < 0.9:
        return max(shows, key=lambda show: len(show.yaku))
    return actions[0]


def _should_stop(rules: Machine[Any], state: State, seat: int, random: Random) -> bool:
    """Stop with much in hand, few cards left, or an opponent who is close to a yaku."""
    mine = total(rules.yaku(state, seat))
    left = state.table.hands[seat - 1].bit_count() + state.table.hidden[seat - 1]
    wish = 0.25 * left - 0.35 * mine - 0.5 * _danger(rules, state, seat)
    return random.random() > (1 + tanh(wish / 2)) / 2


def _danger(rules: Machine[Any], state: State, seat: int) -> int:
    """How many valuable yaku an opponent is one card short of."""
    return sum(
        1
        for i, captured in enumerate(state.table.captured, start=1)
        for row in rules.yaku_table(state)
        if i != seat and row.value > 1 and missing(row, captured, taken=0) == 1
    )


def _worth(rules: Machine[Any], state: State, action: Play | Draw) -> float:
    """The value of an action: cards and steps to yaku, less what a discard offers the others."""
    mine, table = state.table.captured[state.seat - 1], rules.yaku_table(state)
    others = [captured for i, captured in enumerate(state.table.captured, 1) if i != state.seat]
    if not action.take:
        offered = (_gain(table, action.card, other, mine) for other in others)
        return -max(offered) * 0.6
    taken = 0
    for other in others:
        taken |= other
    return _gain(table, action.take | action.card, mine, taken)


def _gain(table: YakuTable, gained: int, mine: int, other: int) -> float:
    """The value of ``gained`` to the owner of ``mine`` against ``other``."""
    worth = _plain(gained)
    for row in table:
        fresh = (gained & row.cards).bit_count()
        if fresh and (left := missing(row, mine, taken=other)):
            worth += row.value * fresh / (row.need * left)
    return worth


@lru_cache(maxsize=1 << 13)
def _plain(gained: int) -> float:
    """The value of cards apart from any yaku."""
    return sum(value * (gained & group).bit_count() for group, value in _PLAIN)
