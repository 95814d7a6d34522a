"""Bands of ratings: how players stood before the month of a game, in hundreds."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from django.db.models import Count, Max

from records.insights.blocks import Array, Block, counts_of
from records.insights.dimensions import BAND, UNRATED
from records.insights.facts import date_code
from records.models import Rating

#: Above every `date_code`.
_MONTHS: Final = 1 << 18
#: Above every band that is distinguished.
_MOST: Final = 100


def stamp() -> str:
    """What changes with any rating; empty without any."""
    rows = Rating.objects.order_by()
    found: dict[str, Any] = rows.aggregate(n=Count("pk"), last=Max("pk"), at=Max("changed"))
    if not found["n"]:
        return ""
    return f"{found['n']} {found['last']} {found['at'] and found['at'].isoformat()}"


class Bands:
    """The bands of a ruleset's players, month by month."""

    def __init__(self, ruleset: str) -> None:
        rows = Rating.objects.order_by("player", "month").filter(ruleset=ruleset)
        found = list(rows.values_list("player", "month", "rating"))
        keys = [player * _MONTHS + date_code(month) for player, month, _rating in found]
        bands = [min(max(round(rating) // BAND, 0), _MOST) for _player, _month, rating in found]
        self._keys = np.array(keys, np.int64)
        self._bands = np.array(bands, np.int64)

    def of(self, players: Array, dates: Array) -> Array:
        """The numbers of bands: of players before months (`date_code`), one each; 0 for a game that
        is not dated to the month, `UNRATED` for a player without a rating before.
        """
        dates = dates.astype(np.int64)
        known = dates % 13 > 0
        found = np.where(known, UNRATED, 0)
        if len(self._keys):
            keys = players.astype(np.int64) * _MONTHS
            place = np.searchsorted(self._keys, keys + dates) - 1
            before = place.clip(0)
            rated = known & (place >= 0) & (self._keys[before] >= keys)
            found = np.where(rated, self._bands[before] + UNRATED + 1, found)
        return found

    def of_block(self, of: Block) -> Block:
        """The columns of bands that a block should have: of its players, and of their opponents."""
        dates = np.repeat(of["date"], of[counts_of("opponents")])
        return {
            "rating": self.of(of["player"], of["date"]),
            "versus": self.of(of["opponent"], dates),
        }
