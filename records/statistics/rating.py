"""The state of a player's rating after the last rated game."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class RatingState:
    """A rating with its deviation, on the usual scale, and volatility.

    ``day`` is the day of the last rated game (`date.toordinal`), ``games`` the number of rated
    games. ``streak`` is the number of latest consecutive games won alone, ``longest`` the longest
    streak so far, and ``longest_game`` its last game, 0 without a streak.
    """

    rating: float
    deviation: float
    volatility: float
    day: int
    games: int
    streak: int = 0
    longest: int = 0
    longest_game: int = 0

    def after(self, game: int, *, won: bool) -> RatingState:
        """Return the state with the streaks after another game; ``won`` means won alone."""
        streak = self.streak + 1 if won else 0
        if streak <= self.longest:
            return replace(self, streak=streak)
        return replace(self, streak=streak, longest=streak, longest_game=game)
