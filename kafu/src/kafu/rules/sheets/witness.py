"""Cards that make a month of a score sheet, and the plain check that play can lead to them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Final, NamedTuple

from kafu.rules.sheets.capture_ways import NOBODY, PILE, list_outcomes
from kafu.rules.sheets.hand_kinds import HAND

FIELD_SIZE: Final = 6
#: The number of cards of the draw pile that each player turns.
TURNS: Final = 7


class Undecided(Exception):
    """A month of which neither cards nor a proof of impossibility was found: an internal error."""


class Witness(NamedTuple):
    """Cards that make a month: hands and captured cards by player, and the field, as masks.

    Players are in play order from 0 on. The other cards are the draw pile, with the ``idle`` hands.
    """

    hands: tuple[int, ...]
    field: int
    captured: tuple[int, ...]
    idle: tuple[int, ...] = ()

    def check(self, *, is_played_out: bool) -> None:
        """Raise `Undecided` unless play, in any order, can lead from the deal to the captures."""
        dealt = (*self.hands, self.field)
        is_deal = [held.bit_count() for held in dealt] == [HAND, HAND, HAND, FIELD_SIZE]
        is_deal &= all(held.bit_count() == HAND for held in self.idle)
        is_out = sum(held.bit_count() for held in self.captured) == 48
        turned = [0, 0, 0]
        for month in range(12):
            outcomes = list_outcomes(_find_places(dealt, month, PILE))
            captures = outcomes.get(_find_places(self.captured, month, NOBODY))
            if captures is None:
                raise Undecided(self)
            turned = [count + more for count, more in zip(turned, captures, strict=True)]
        are_apart = _are_apart((*dealt, *self.idle)) and _are_apart(self.captured)
        is_complete = is_out or not is_played_out
        if not (is_deal and are_apart and is_complete and max(turned) <= TURNS):
            raise Undecided(self)


def _find_places(groups: Sequence[int], month: int, elsewhere: int) -> tuple[int, ...]:
    """Return for each card of a month the group that it is in."""
    places = []
    for card in range(4):
        bit = 1 << 4 * month + card
        places.append(next((i for i, group in enumerate(groups) if group & bit), elsewhere))
    return tuple(places)


def _are_apart(groups: Sequence[int]) -> bool:
    """Return whether no card is in two groups."""
    return sum(group.bit_count() for group in groups) == reduce(or_, groups).bit_count()
