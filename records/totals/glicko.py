"""Ratings by Glicko-2, a month of games at a time; pure, with the library Elote.

Not to be imported where nothing is rated: the library imports NumPy and SciPy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from itertools import combinations
from typing import Final

from elote.competitors.glicko2 import Glicko2Competitor

from records.totals.rating import RatingState

#: Days without a game after which a rating is as much less certain as after a rating period.
PERIOD_DAYS: Final = 30.0


class _Rated(Glicko2Competitor):
    """A player in the library's terms, with our rating periods."""


_Rated.configure_class(rating_period_days=PERIOD_DAYS)


class RatedMonth:
    """The ratings of those who play in a month: ``join`` them, then ``play`` game after game.

    Everybody begins the month with the values of their `RatingState` only: computing it again from
    the same states and games gives the same ratings to the last bit.
    """

    def __init__(self) -> None:
        self._players: dict[int, _Rated] = {}
        self._before: dict[int, int] = {}
        self._days: dict[int, int] = {}
        self._games: Counter[int] = Counter()

    def strangers(self, players: Collection[int]) -> list[int]:
        """Those who have not joined."""
        return sorted({player for player in players if player not in self._players})

    def join(self, player: int, state: RatingState | None) -> None:
        """Add a player with their state before the month; None for one without a rated game."""
        self._before[player] = state.games if state else 0
        self._players[player] = (
            _Rated(
                state.rating,
                state.deviation,
                state.volatility,
                datetime.fromordinal(state.day),
            )
            if state
            else _Rated()
        )

    def play(self, day: int, places: Mapping[int, int]) -> None:
        """Play a game of a day, not before the last one: each player's place, in the order of
        seats.

        Every two of the players meet, in that order: the better place wins, equal places draw.
        """
        time = datetime.fromordinal(day)
        for one, other in combinations(places, 2):
            first, second = self._players[one], self._players[other]
            if places[one] == places[other]:
                first.tied(second, time)
            elif places[one] < places[other]:
                first.beat(second, time)
            else:
                second.beat(first, time)
        for player in places:
            self._days[player] = day
            self._games[player] += 1

    def states(self) -> Iterator[tuple[int, RatingState, int]]:
        """For each who played: the state after the month, and their games in it."""
        for player, games in sorted(self._games.items()):
            rated = self._players[player]
            before = self._before[player]
            yield (
                player,
                RatingState(
                    rated.rating, rated.rd, rated.volatility, self._days[player], before + games
                ),
                games,
            )
