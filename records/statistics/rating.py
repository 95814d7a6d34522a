"""A player's rating as it stands after their last rated game."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class RatingState:
    """A rating with its deviation, on the usual scale, and volatility.

    ``day`` is that of the last rated game (`date.toordinal`), ``games`` how many there were.
    ``streak`` of them were won alone in a row, up to the last; ``longest`` is the most there ever
    were, the last of which is ``longest_game``, 0 for none.
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
        """The streaks after another game, a primary key, was won alone or not."""
        streak = self.streak + 1 if won else 0
        if streak <= self.longest:
            return replace(self, streak=streak)
        return replace(self, streak=streak, longest=streak, longest_game=game)
