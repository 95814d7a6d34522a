"""Circles: groups of accounts that share games, such as clubs.

Applications above the archive register the circles. A private game that its owner shared is visible
to the accounts of the circle, in the owner's text (`records.privacy.access`). An upload for a
circle names it (`Upload.circle`); `games_stored` tells when the games are stored.
"""

from __future__ import annotations

from collections.abc import Callable
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

_registered: list[Shares] = []


def register(shares: Shares) -> None:
    """Add the shares of an application. Call when Django starts."""
    if shares not in _registered:
        _registered.append(shares)


def find_shares(user: int) -> list[QuerySet[Any]]:
    """Return the shares that an account sees, a query for each application."""
    return [shares(user) for shares in _registered]
