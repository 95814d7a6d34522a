"""Rare events as data: places of cards, and actions.

Places count in play order, from 0. `rare.arrangement` lays the cards out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from kafu.cards import BLUE_RIBBONS, CHAFF, MATCH, RED_POEMS, WISTERIA, bits, letters

#: A turn from 1 on, and its part: the hand card or the card of the draw pile.
When = tuple[int, str]
HAND: Final = "hand"
STOCK: Final = "stock"
#: The pack in three parts of 88 card points each, as pairs, without a yaku of any ruleset.
_EVEN: Final = (
    "BC KL IJ OP cd hj ln pr",
    "AD EG MN QR ef gi km tv",
    "FH ST UX VW Yb Za oq su",
)


@dataclass(frozen=True, slots=True)
class Spec:
    """The requirements of a deal. Places count in play order, from 0.

    - ``takes``: pairs of cards to be captured by a place, ``AB EF``;
    - ``held``: cards of the dealt hand of a place;
    - ``field``: cards on the field, ``bare`` cards not on the field;
    - ``forced``: the card to be played or turned at a given time.
    """

    takes: Mapping[int, str] = dataclasses.field(default_factory=dict)
    held: Mapping[int, str] = dataclasses.field(default_factory=dict)
    field: str = ""
    bare: str = ""
    forced: Mapping[When, str] = dataclasses.field(default_factory=dict)


Make = Callable[[Random], Spec]


class Wish(NamedTuple):
    """The events of one simulated deal.

    - ``make`` returns the requirements of the deal. ``goal`` is a yaku: every decision before it is
      to play on. Without a goal the ``words`` are declared one by one, then the word to stop.
    - ``shows``: the places to declare dealt hands; ``false_show``: a place makes a false
      declaration, to be struck out.
    - ``says``: words in addition to the decisions, by time; ``silent``: decisions are not written
      if silence means the same; ``cancels``: 下げ is cancelled; ``blind``, ``swaps``: the action
      occurs.
    - ``redeal``: the deal is thrown in as misdealt; ``void``: the reason to abandon the deal in
      play; ``quiet``: no hand has a dealt-hand yaku.
    """

    name: str
    make: Make
    goal: str = ""
    words: tuple[str, ...] = ()
    shows: tuple[int, ...] = ()
    false_show: bool = False
    says: Mapping[When, str] = {}
    silent: bool = False
    cancels: bool = False
    blind: bool = False
    swaps: bool = False
    redeal: bool = False
    void: str = ""
    quiet: bool = False


class Programme(NamedTuple):
    """The events of a whole simulated game: the wish of each month, by its number and dealer."""

    name: str
    wish: Callable[[int, int], Wish]


class Wishes(NamedTuple):
    """The wishes of one ruleset: wishes of single ``deals`` and of whole ``games``.

    ``captures`` is the place to make captured yaku, None for any place. ``shows`` are the places to
    have dealt-hand yaku, None for every place.
    """

    deals: tuple[Wish, ...] = ()
    games: tuple[Programme, ...] = ()
    captures: int | None = None
    shows: tuple[int, ...] | None = None


def by_chance(random: Random) -> Spec:
    """Require nothing: a random deal."""
    return Spec()


def even(random: Random) -> Spec:
    """Require 88 card points for each of three places, and no yaku."""
    return Spec(dict(enumerate(random.sample(_EVEN, 3))))


def two_yaku(places: int, random: Random) -> Spec:
    """Require 赤短 of one place, and 青短 of the same or the next place."""
    akatan, aotan = _with_chaff(RED_POEMS), _with_chaff(BLUE_RIBBONS)
    place = random.randrange(places)
    aotan_place = random.choice((place, (place + 1) % places))
    if place == aotan_place:
        return Spec({place: f"{akatan} {aotan}"})
    return Spec({place: akatan, aotan_place: aotan})


def tobikomi(random: Random) -> Spec:
    """Require 飛込み: a place declares a three and captures the fourth card."""
    place = random.randrange(3)
    first, second, third, fourth = map(letters, bits(WISTERIA))
    return Spec({place: f"{first}{fourth} {second}{third}"}, {place: first + second + third})


def _with_chaff(group: int) -> str:
    """Return each card of ``group`` (mask) in a pair with chaff of its month."""
    return " ".join(letters(card | min(bits(MATCH[card] & CHAFF))) for card in bits(group))
