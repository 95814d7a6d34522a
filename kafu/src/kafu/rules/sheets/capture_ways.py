"""The ways in which the four cards of a month can be dealt and captured (C2).

A *place* is where a card was dealt: 0, 1 and 2 for the hands of the three players in play order,
`FIELD`, or `PILE`. An *owner* is the player who captured a card, `NOBODY` for a card that is not
captured. Both are tuples, one item per card of the month.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from operator import add
from typing import Final

FIELD: Final = 3
PILE: Final = 4
NOBODY: Final = -1
PLAYERS: Final = (0, 1, 2)
Places = tuple[int, ...]
Owners = tuple[int, ...]
#: The number of captures with a turned card, by player.
Turned = tuple[int, ...]
#: The cards on the field and those still to come (masks), owners and turned cards so far.
_Position = tuple[int, int, Owners, Turned]
_UNCAPTURED: Final = (NOBODY,) * 4
#: All four cards of the month, as a mask.
WHOLE: Final = 0b1111


@dataclass(frozen=True, eq=False, slots=True)
class Way:
    """Places that permit a capture: the cards in each hand and on the field (masks of four bits).

    ``turned`` are the captures that need a turned card. ``measures`` are the numbers of cards in
    each hand and on the field, the turned cards of each player, and the cards of each player in the
    hand and turned. ``pile`` are the cards in the pile (a mask). Ways are compared by identity.
    """

    places: Places
    masks: tuple[int, ...]
    turned: Turned
    measures: tuple[int, ...]
    pile: int


class Ways:
    """Some ways to deal a month for one capture, which are compared by identity.

    ``measures`` are those that occur.
    """

    def __init__(self, ways: Sequence[Way]) -> None:
        self.ways = ways
        self.measures = {way.measures for way in ways}


@cache
def list_outcomes(places: Places) -> Mapping[Owners, Turned]:
    """Return the possible captures of a month that was dealt to ``places``."""
    order = sorted(range(4), key=places.__getitem__)
    outcomes = _play_all(tuple(places[card] for card in order))
    return {
        tuple(owners[order.index(card)] for card in range(4)): turned
        for owners, turned in outcomes.items()
    }


@cache
def _play_all(places: Places) -> Mapping[Owners, Turned]:
    """Return the possible captures, with the captures by turned cards that each needs.

    The cards that were not dealt to the field are played or turned one by one, in any order. With
    one or two cards on the field a card captures one of these, with three it captures all. Four
    cards on the field belong to the first player. Play may stop at any time.
    """
    field = sum(1 << card for card, place in enumerate(places) if place == FIELD)
    if field == WHOLE:
        return {(0,) * 4: (0, 0, 0)}
    outcomes: dict[Owners, Turned] = {}
    stack: list[_Position] = [(field, WHOLE & ~field, _UNCAPTURED, (0, 0, 0))]
    seen = set(stack)
    while stack:
        on_field, left, owners, turned = stack.pop()
        best = outcomes.get(owners)
        if best is None or sum(turned) < sum(best):
            outcomes[owners] = turned
        for after in _play_any(on_field, left, owners, turned, places):
            if after not in seen:
                seen.add(after)
                stack.append(after)
    return outcomes


def _play_any(
    on_field: int, left: int, owners: Owners, turned: Turned, places: Places
) -> Iterator[_Position]:
    """Yield the positions after any card of ``left`` was played or turned by any player."""
    for card in _bits(left):
        rest = left & ~(1 << card)
        if not on_field:
            yield 1 << card, rest, owners, turned
            continue
        players = PLAYERS if places[card] == PILE else (places[card],)
        takes = [on_field] if on_field.bit_count() == 3 else [1 << on for on in _bits(on_field)]
        for player, take in product(players, takes):
            taken = take | 1 << card
            now = tuple(player if taken >> i & 1 else owner for i, owner in enumerate(owners))
            counts = turned
            if places[card] == PILE:
                counts = tuple(count + (i == player) for i, count in enumerate(turned))
            yield on_field & ~take, rest, now, counts


def _bits(mask: int) -> list[int]:
    """Return the positions of the bits of a mask."""
    return [card for card in range(4) if mask >> card & 1]


@cache
def group_ways() -> Mapping[Owners, tuple[Way, ...]]:
    """Return the ways to deal a month by the owners of its captured cards."""
    ways: dict[Owners, list[Way]] = {}
    for places in product((*PLAYERS, FIELD, PILE), repeat=4):
        masks = tuple(
            sum(1 << card for card in range(4) if places[card] == place)
            for place in (*PLAYERS, FIELD)
        )
        sizes = tuple(mask.bit_count() for mask in masks)
        for owners, turned in list_outcomes(places).items():
            used = tuple(map(add, sizes, turned))
            measures = sizes + turned + used
            way = Way(places, masks, turned, measures, WHOLE & ~sum(masks))
            ways.setdefault(owners, []).append(way)
    return {owners: tuple(listed) for owners, listed in ways.items()}


@cache
def list_captures(*, is_played_out: bool) -> tuple[Owners, ...]:
    """Return the possible captures of a month, of all four cards if it was played out."""
    return tuple(
        sorted(owners for owners in group_ways() if not (is_played_out and NOBODY in owners))
    )
