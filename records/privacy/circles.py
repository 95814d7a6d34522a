"""Circles: groups of accounts that share games, such as clubs.

Applications above the archive register the circles. A private game that its owner shared is visible
to the accounts of the circle, in the owner's text (`records.privacy.access`). An upload for a
circle names it (`Upload.circle`); `games_stored` tells when the games are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet
from django.dispatch import Signal

#: Sent in the transaction that stores games of an ``upload``, with their primary keys ``records``.
games_stored: Final = Signal()
#: Sent in the transaction in which the game ``fresh`` of an ``upload`` takes the place of
#: ``former``, both primary keys.
game_replaced: Final = Signal()
#: Sent in the transaction that closes an account, with its primary key ``account``.
account_closed: Final = Signal()


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle as the forms of games show it to a member.

    ``key`` is its address, ``id`` the value of `Upload.circle`. New games have ``visibility``
    unless the sender chooses another. ``houses`` are the options of the house rules by ruleset.
    ``list_names`` returns names of members to choose from, the member's own one first.
    """

    key: str
    id: str
    name: str
    visibility: int
    houses: Mapping[str, Mapping[str, str]]
    list_names: Callable[[], Sequence[str]]


class CircleLink(NamedTuple):
    """The path of a circle's page, and the name of the circle."""

    path: str
    name: str


class Circles(NamedTuple):
    """The circles of an application.

    ``shares`` returns the shares visible to an account: rows with ``record`` and ``sender``, the
    primary keys of a game and of the account that shared it. ``find`` returns the circle with an
    address to which an account belongs, or None, and ``addresses`` the addresses and names of all
    circles to which it belongs. ``link`` returns the link to the circle of the game with a key for
    an account or a visitor, None if the game is in no circle or they must not learn of it.
    """

    shares: Callable[[int], QuerySet[Any]]
    find: Callable[[str, int], Circle | None]
    addresses: Callable[[int], list[tuple[str, str]]]
    link: Callable[[str, int | None], CircleLink | None]


_registered: list[Circles] = []


def register(circles: Circles) -> None:
    """Add the circles of an application. Call when Django starts."""
    if circles not in _registered:
        _registered.append(circles)


def find_shares(user: int) -> list[QuerySet[Any]]:
    """Return the shares that an account sees, a query for each application."""
    return [circles.shares(user) for circles in _registered]


def list_addresses(user: int | None) -> list[tuple[str, str]]:
    """Return the addresses and names of the circles to which an account belongs."""
    if user is None:
        return []
    return [address for circles in _registered for address in circles.addresses(user)]


def find_circle(key: str, user: int | None) -> Circle | None:
    """Return the circle with an address to which an account belongs, or None."""
    if not key or user is None:
        return None
    matches = (circles.find(key, user) for circles in _registered)
    return next((circle for circle in matches if circle is not None), None)


def link_of_game(key: str, user: int | None) -> CircleLink | None:
    """Return the link to the circle of the game with a key for an account or a visitor, or None."""
    links = (circles.link(key, user) for circles in _registered)
    return next((link for link in links if link is not None), None)
