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
    """A competitor of the library that processes its results at the end of the rating period."""

    def update_ratings(self) -> None:
        """Do nothing: the library calls this after every result."""

    def close(self) -> None:
        """Process the results of the period, sorted by their values.

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
    """The ratings of the players of a month (one rating period).

    ``join`` the players, then ``play`` the games in any order. The result is reproducible to the
    last bit.
    """

    def __init__(self) -> None:
        self._players: dict[int, _Rated] = {}
        self._before: dict[int, int] = {}
        self._days: dict[int, int] = {}
        self._games: Counter[int] = Counter()

    def join(self, player: int, state: RatingState | None) -> None:
        """Add a player with the state before the month; None for a player without a rated game."""
        self._before[player] = state.games if state else 0
        self._players[player] = (
            _Rated(
                state.rating,
                state.deviation,
                state.volatility,
                # The update adds this period itself; the library adds the periods without a game.
                datetime.fromordinal(_period(state.day) + 1),
            )
            if state
            else _Rated()
        )

    def play(self, day: int, places: Mapping[int, int]) -> None:
        """Play a game of a day of the month, with the place of each player.

        Each pair of players meets once: the better place wins, equal places draw.
        """
        period = datetime.fromordinal(_period(day))
        for better, worse in combinations(sorted(places, key=places.__getitem__), 2):
            first, second = self._players[better], self._players[worse]
            if places[better] == places[worse]:
                first.tied(second, period)
            else:
                first.beat(second, period)
        for player in places:
            self._days[player] = max(day, self._days.get(player, 0))
            self._games[player] += 1

    def states(self) -> Iterator[tuple[int, RatingState, int]]:
        """Close the month and yield player, new state, and number of games in the month."""
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
