"""Circles: groups of accounts that share games, such as clubs.

Applications above the archive register the circles. A private game that its owner shared is visible
to the accounts of the circle, in the owner's text (`records.privacy.access`). An upload for a
circle names it (`Upload.circle`); `games_stored` tells when the games are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet
from django.dispatch import Signal

#: Return the shares visible to an account: rows with ``record`` and ``sender``, the primary keys of
#: a game and of the account that shared it.
Shares = Callable[[int], QuerySet[Any]]

#: Sent in the transaction that stores games of an ``upload``, with their primary keys ``records``.
games_stored: Final = Signal()
#: Sent in the transaction in which the game ``fresh`` of an ``upload`` takes the place of
#: ``former``, both primary keys.
game_replaced: Final = Signal()


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle as the forms of games show it to a member.

    ``key`` is its address, ``id`` the value of `Upload.circle`. New games have ``visibility``.
    ``houses`` are the options of the house rules by ruleset, ``names`` names of members to choose
    from, the member's own one first.
    """

    key: str
    id: str
    name: str
    visibility: int
    houses: Mapping[str, Mapping[str, str]]
    names: Sequence[str]


#: Return the circle with an address to which an account belongs, or None.
Find = Callable[[str, int], Circle | None]

_registered: list[tuple[Shares, Find]] = []


def register(shares: Shares, find: Find) -> None:
    """Add the circles of an application. Call when Django starts."""
    if (shares, find) not in _registered:
        _registered.append((shares, find))


def find_shares(user: int) -> list[QuerySet[Any]]:
    """Return the shares that an account sees, a query for each application."""
    return [shares(user) for shares, _find in _registered]


def find_circle(key: str, user: int | None) -> Circle | None:
    """Return the circle with an address to which an account belongs, or None."""
    if not key or user is None:
        return None
    circles = (find(key, user) for _shares, find in _registered)
    return next((circle for circle in circles if circle is not None), None)
