"""Ratings by Glicko-2, a month of games at a time, with the library Elote.

Import this module only to rate games: the library imports NumPy and SciPy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from itertools import combinations
from typing import Final

from elote.competitors.glicko2 import Glicko2Competitor

from records.statistics.rating import RatingState

_MONTHS: Final = 12


class _Rated(Glicko2Competitor):
    """A competitor of the library that counts its results at the end of the rating period."""

    def update_ratings(self) -> None:
        """Do nothing: the library calls this after every result."""

    def close(self) -> None:
        """Count the results of the period, sorted by their values.

        The last bits of sums of floating-point numbers depend on the order.
        """
        self._match_results.sort(
            key=lambda result: (result.opponent_mu, result.opponent_phi, result.score)
        )
        super().update_ratings()


# A day of the library's clock is a rating period.
_Rated.configure_class(rating_period_days=1.0)


def _period(day: int) -> int:
    """Return the number of the month of a day."""
    month = date.fromordinal(day)
    return month.year * _MONTHS + month.month


class RatedMonth:
    """The ratings of the players of a month, which is a rating period.

    ``join`` the players, then ``play`` the games in any order. The same states and games give the
    same ratings to the last bit.
    """

    def __init__(self) -> None:
        self._players: dict[int, _Rated] = {}
        self._before: dict[int, int] = {}
        self._days: dict[int, int] = {}
        self._games: Counter[int] = Counter()

    def join(self, player: int, state: RatingState | None) -> None:
        """Add a player with their state before the month; None for one without a rated game."""
        self._before[player] = state.games if state else 0
        self._players[player] = (
            _Rated(
                state.rating,
                state.deviation,
                state.volatility,
                # The update adds the period itself; what the library adds are those without a game.
                datetime.fromordinal(_period(state.day) + 1),
            )
            if state
            else _Rated()
        )

    def play(self, day: int, places: Mapping[int, int]) -> None:
        """Play a game of a day of the month, with the place of each player.

        Every two players meet: the better place wins, equal places draw.
        """
        period = datetime.fromordinal(_period(day))
        for better, other in combinations(sorted(places, key=places.__getitem__), 2):
            first, second = self._players[better], self._players[other]
            if places[better] == places[other]:
                first.tied(second, period)
            else:
                first.beat(second, period)
        for player in places:
            self._days[player] = max(day, self._days.get(player, 0))
            self._games[player] += 1

    def states(self) -> Iterator[tuple[int, RatingState, int]]:
        """Close the month and yield player, state after it, and number of games in it."""
        for player, games in sorted(self._games.items()):
            rated = self._players[player]
            rated.close()
            yield (
                player,
                RatingState(
                    *(rated.rating, rated.rd, rated.volatility),
                    *(self._days[player], self._before[player] + games),
                ),
                games,
            )
