"""Stable ids of all actions of a ruleset, for programs that learn to play.

An id is the index of a name in `Ruleset.actions`. Names leave out the acting seat, and the cards
that a declaration lays open.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from kafu import cards
from kafu.rules.play.actions import (
    Action,
    Bid,
    Blind,
    CallAction,
    Draw,
    Play,
    Say,
    ShowAction,
    Swap,
)
from kafu.rules.play.table import captures

#: The id of silence: a seat out of turn does nothing.
PASS: Final = 0
#: The name of every action that ends the declarations: play begins, or the month is dealt again.
BEGIN: Final = "begin"
#: Actions before and between turns, which few rulesets have.
_RARE: Final = ("bid in", "bid out", "blind", "swap", "=torikeshi")


def _list_captures() -> list[tuple[int, int]]:
    """Return each card with each capture that some field allows, as masks."""
    pairs: list[tuple[int, int]] = []
    for card in cards.bits(cards.ALL):
        others = cards.MATCH[card] & ~card
        fields = (0, *cards.bits(others), others)
        pairs += [(card, take) for field in fields for take in captures(field, card)]
    return pairs


_CAPTURES: Final = _list_captures()
_FIRST_PLAY: Final = 2
_FIRST_DRAW: Final = _FIRST_PLAY + len(_CAPTURES)
_PLAYS: Final = {pair: _FIRST_PLAY + number for number, pair in enumerate(_CAPTURES)}
_DRAWS: Final = {pair: _FIRST_DRAW + number for number, pair in enumerate(_CAPTURES)}


@cache
def list_actions(
    counts: tuple[str, ...], kinds: tuple[str, ...], decisions: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the names of all actions, from dealt-hand yaku by count and by kind, and decisions."""
    written = [
        cards.letters(card) + (f"x{cards.letters(take)}" if take else "")
        for card, take in _CAPTURES
    ]
    pairs = [(count, kind) for count in counts for kind in kinds]
    declared = [*((yaku,) for yaku in (*counts, *kinds)), *pairs]
    return (
        *("pass", BEGIN),
        *written,
        *(f"/{name}" for name in written),
        *_RARE,
        *(f"={word}" for word in decisions),
        *map(_name_show, declared),
    )


def find_id(ids: dict[str, int], action: Action) -> int:
    """Return the id of an action of a player, with the ids of the ruleset by name."""
    if isinstance(action, Play):
        return _PLAYS[action]
    if isinstance(action, Draw):
        return _DRAWS[action]
    return ids[_name(action)]


def _name(action: Action) -> str:
    match action:
        case ShowAction(yaku=yaku):
            return _name_show(yaku)
        case Say(word) | CallAction(word):
            return f"={word}"
        case Bid(goes_in=goes_in):
            return "bid in" if goes_in else "bid out"
        case Blind():
            return "blind"
        case Swap():
            return "swap"
    return BEGIN


def _name_show(yaku: Iterable[str]) -> str:
    """Return the name of a declaration; the order of its yaku does not matter."""
    return f"show {'+'.join(sorted(yaku))}"
