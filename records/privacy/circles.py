"""Circles: groups of accounts that share games, such as clubs.

Applications above the archive register the circles. A private game that its owner shared is visible
to the accounts of the circle, in the owner's text (`records.privacy.access`). An upload for a
circle names it (`Upload.circle`); `games_stored` tells when the games are stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Protocol

from django.db.models import QuerySet
from django.dispatch import Signal
from django.utils.translation import gettext as _

#: Sent in the transaction that stores games of an ``upload``, with their primary keys ``records``.
games_stored: Final = Signal()
#: Sent in the transaction in which the game ``fresh`` of an ``upload`` takes the place of
#: ``former``, both primary keys.
game_replaced: Final = Signal()
#: Sent in the transaction that closes an account, with its primary key ``account``.
account_closed: Final = Signal()


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle of an account. Users write ``key``, `Upload.circle` is ``id``.

    ``visibility`` is that of uploads for the circle for which the sender chooses none.
    """

    id: str
    key: str
    name: str
    visibility: int


class Circles(Protocol):
    """The circles of an application."""

    def shares_for(self, user: int, /) -> QuerySet[Any]:
        """Return the shares visible to an account.

        The rows have ``record`` and ``sender``, the primary keys of a game and of the account that
        shared it.
        """
        ...

    def circles_for(self, user: int, /) -> list[Circle]:
        """Return the circles to which an account may send games."""
        ...


class UnknownCircle(Exception):
    """The error for a circle that does not exist or to which the sender may not send games.

    ``words`` explain it to the user, in the same way in both cases.
    """

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.words = _("You are a member of no club %(key)s: nothing was stored.") % {
            "key": key[:40]
        }


_registered: list[Circles] = []


def register(circles: Circles) -> None:
    """Add the circles of an application. Call when Django starts."""
    if circles not in _registered:
        _registered.append(circles)


def find_shares(user: int) -> list[QuerySet[Any]]:
    """Return the shares that an account sees, a query for each application."""
    return [circles.shares_for(user) for circles in _registered]


def list_circles(user: int | None) -> list[Circle]:
    """Return the circles to which an account may send games."""
    if user is None:
        return []
    return [circle for circles in _registered for circle in circles.circles_for(user)]


def find_circle(user: int | None, key: str) -> Circle | None:
    """Return the circle with a key to which an account may send games; None if the key is "".

    Raise :class:`UnknownCircle`.
    """
    for circle in list_circles(user) if key else ():
        if circle.key == key:
            return circle
    if key:
        raise UnknownCircle(key)
    return None
