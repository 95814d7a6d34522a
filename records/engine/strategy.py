"""A simulated player with some sense: takes what leads to yaku, weighs こいこい against what it
holds.

It knows what a person at the table knows: own hand, field, captured cards. It reads the house's own
tables, so that it plays any profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random
from typing import Any, Final

from records import cards
from records.engine.actions import Action, Begin, Play, Redeal, Say, Show, Turn
from records.engine.koikoi import Koikoi, State
from records.engine.machine import Ruleset
from records.engine.yaku import Yaku, total

#: A card's worth apart from any yaku: bright, animal, slip, dregs.
_PLAIN: Final = ((cards.BRIGHTS, 3.0), (cards.ANIMALS, 1.5), (cards.SLIPS, 1.2), (cards.DREGS, 0.4))


def sensible(rules: Ruleset[Any], state: Any, actions: Sequence[Action], random: Random) -> Action:
    """Choose an action with sense; see the module. ``actions`` must not be empty."""
    if len(actions) == 1:
        return actions[0]
    if not isinstance(rules, Koikoi):
        return random.choice(actions)
    first = actions[0]
    if isinstance(first, Begin | Redeal):
        return _declare(actions, random)
    if isinstance(first, Say):
        return Say("shobu" if _should_stop(rules, state, random) else "koikoi")
    return max(actions, key=lambda action: _worth(rules, state, action) + random.random() * 0.3)


def _declare(actions: Sequence[Action], random: Random) -> Action:
    """Show a dealt hand nearly always; nobody is bound to (the document's 手役)."""
    shows = [action for action in actions if isinstance(action, Show)]
    return shows[0] if shows and random.random() < 0.9 else actions[0]


def _should_stop(rules: Koikoi, state: State, random: Random) -> bool:
    """Stop with much in hand, few cards left, or an opponent who is close to a yaku."""
    mine = total(rules.yaku(state, state.seat))
    left = state.table.hands[state.seat - 1].bit_count() + state.table.hidden[state.seat - 1]
    captured = state.table.captured[2 - state.seat]
    near = sum(
        1
        for row in rules.profile.yaku
        if 0 < _missing(row, captured, taken=0) <= 1 and row.value > 1
    )
    wish = 0.25 * left - 0.35 * mine - 0.5 * near
    return random.random() > 1 / (1 + exp(-wish))


def _missing(row: Yaku, captured: int, *, taken: int) -> int:
    """How many cards of a yaku are missing from ``captured``; 99 if ``taken`` puts it out of
    reach.
    """
    have = (captured & row.cards).bit_count()
    open_cards = (row.cards & ~captured & ~taken).bit_count()
    return row.need - have if open_cards >= row.need - have else 99


def _worth(rules: Koikoi, state: State, action: Action) -> float:
    """What an action brings: cards and steps to yaku gained, less what a discard offers the
    other.
    """
    if not isinstance(action, Play | Turn):
        return 0.0
    mine = state.table.captured[state.seat - 1]
    other = state.table.captured[2 - state.seat]
    if not action.take:
        return -_gain(rules, action.card, other, mine) * 0.6
    return _gain(rules, action.take | action.card, mine, other)


def _gain(rules: Koikoi, gained: int, mine: int, other: int) -> float:
    """The worth of ``gained`` to one who holds ``mine`` against ``other``."""
    worth = sum(value * (gained & group).bit_count() for group, value in _PLAIN)
    for row in rules.profile.yaku:
        fresh = (gained & row.cards).bit_count()
        missing = _missing(row, mine, taken=other)
        if fresh and 0 < missing < 99:
            worth += row.value * fresh / (row.need * missing)
    return worth
