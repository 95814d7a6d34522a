"""A player's rating as it stands after their last rated game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RatingState:
    """A rating with its deviation, on the usual scale, and volatility.

    ``day`` is that of the last rated game (`date.toordinal`), ``games`` how many there were.
    """

    rating: float
    deviation: float
    volatility: float
    day: int
    games: int
