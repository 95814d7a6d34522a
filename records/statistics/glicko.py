"""Ratings by Glicko-2, a month of games at a time; pure, with the library Elote.

Not to be imported where nothing is rated: the library imports NumPy and SciPy.
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
    """A player in the library's terms, whose results wait for the end of the rating period."""

    def update_ratings(self) -> None:
        """The library would count every result at once."""

    def close(self) -> None:
        """Count the results of the period, in an order that is theirs alone: sums of floating-point
        numbers depend on it in the last bits.
        """
        self._match_results.sort(key=lambda one: (one.opponent_mu, one.opponent_phi, one.score))
        super().update_ratings()


# A day of the library's clock is a rating period.
_Rated.configure_class(rating_period_days=1.0)


def _period(day: int) -> int:
    """The number of the month of a day."""
    found = date.fromordinal(day)
    return found.year * _MONTHS + found.month


class RatedMonth:
    """The ratings of those who play in a month, which is a rating period: ``join`` them, then
    ``play`` the games, in any order.

    Everybody plays with the values of their `RatingState` only: the same states and games give the
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
        """Play a game of a day of the month: each player's place.

        Every two of the players meet: the better place wins, equal places draw.
        """
        period = datetime.fromordinal(_period(day))
        for one, other in combinations(places, 2):
            first, second = self._players[one], self._players[other]
            if places[one] == places[other]:
                first.tied(second, period)
            elif places[one] < places[other]:
                first.beat(second, period)
            else:
                second.beat(first, period)
        for player in places:
            self._days[player] = max(day, self._days.get(player, 0))
            self._games[player] += 1

    def states(self) -> Iterator[tuple[int, RatingState, int]]:
        """Close the month; for each who played: the state after it, and their games in it."""
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
