"""Rare events to simulate in a deal, as data: the places of cards, and the actions. Each ruleset's
own are in its package.

Places count in the order of play, from 0. `kafu.simulation.arrangement` lays the cards out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

#: A turn from 1 on, and its part: the card from the hand or that from the stock.
When = tuple[int, str]
HAND: Final = "hand"
STOCK: Final = "stock"
#: The pack in three parts of 88 card points each, without a yaku of any ruleset.
_EVEN: Final = (
    "BC KL IJ OP cd hj ln pr",
    "AD EG MN QR ef gi km tv",
    "FH ST UX VW Yb Za oq su",
)


@dataclass(frozen=True, slots=True)
class Spec:
    """The requirements of a deal. Places count in the order of play, from 0.

    - ``takes``: pairs that a place is to capture, ``AB EF``;
    - ``held``: cards of its dealt hand;
    - ``field``: cards that lie on the field, ``bare`` cards that do not;
    - ``forced``: the card that is played or turned at some time.
    """

    takes: Mapping[int, str] = dataclasses.field(default_factory=dict)
    held: Mapping[int, str] = dataclasses.field(default_factory=dict)
    field: str = ""
    bare: str = ""
    forced: Mapping[When, str] = dataclasses.field(default_factory=dict)


Make = Callable[[Random], Spec]


class Wish(NamedTuple):
    """The events wanted in one deal.

    - ``make`` says how its cards lie, ``goal`` is the wanted yaku: until it is made every decision
      is to play on; without one ``words`` are declared one by one, then the word that stops.
    - ``shows``: the places that declare their dealt hands; ``false_show``: one that makes a false
      declaration, to be struck out.
    - ``says``: words in addition to the decisions, by time; ``silent``: decisions are not written
      where silence means the same; ``cancels``: 下げ is called off; ``blind``, ``swaps``: these
      actions occur.
    - ``redeal``: the deal is thrown in as misdealt; ``void``: it is given up in play for a reason;
      ``quiet``: no hand makes a dealt-hand yaku.
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
    """The events wanted in a whole game: the wish of each month, by its number and the dealer."""

    name: str
    wish: Callable[[int, int], Wish]


class Wishes(NamedTuple):
    """The wishes of one ruleset: wishes of single ``deals`` and of whole ``games``.

    ``captures`` is the place for which captured yaku are wanted, None for any, ``shows`` the places
    for which dealt-hand yaku are, None for each.
    """

    deals: tuple[Wish, ...] = ()
    games: tuple[Programme, ...] = ()
    captures: int | None = None
    shows: tuple[int, ...] | None = None


def by_chance(random: Random) -> Spec:
    """A random deal."""
    return Spec()


def even(random: Random) -> Spec:
    """All three capture 88 card points, and nobody makes a yaku."""
    return Spec(dict(enumerate(random.sample(_EVEN, 3))))


def two_yaku(places: int, random: Random) -> Spec:
    """A place makes 赤短, and it or the next 青短."""
    one = random.randrange(places)
    other = random.choice((one, (one + 1) % places))
    if one == other:
        return Spec({one: "BC FG JK VW hi lm"})
    return Spec({one: "BC FG JK", other: "VW hi lm"})


def tobikomi(random: Random) -> Spec:
    """A seat that declares a three captures the fourth."""
    place = random.randrange(3)
    return Spec({place: "MP NO"}, {place: "MNO"})
