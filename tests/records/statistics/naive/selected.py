"""The selection of a query: games, and the selected seats of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.records.statistics.naive.games import Deal, PlainGame


@dataclass
class Selected:
    """Games with their selected seats, and the figure's own parameters."""

    rules: str
    games: Sequence[tuple[PlainGame, Sequence[int]]]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    #: The selection of all players, for comparison.
    everybody: Selected | None = None

    @property
    def tables(self) -> Iterator[tuple[PlainGame, Deal]]:
        """All deals."""
        return ((plain_game, deal) for plain_game, _ in self.games for deal in plain_game.deals)

    @property
    def seats(self) -> Iterator[tuple[int, Deal]]:
        """The selected seats of all deals that count."""
        for plain_game, seats in self.games:
            for deal in plain_game.deals:
                if deal.counts:
                    yield from ((seat, deal) for seat in seats)

    @property
    def playing(self) -> list[tuple[int, Deal]]:
        """The selected seats in play."""
        return [(seat, deal) for seat, deal in self.seats if seat in deal.order]


def won(places: Iterable[tuple[int, Deal]]) -> int:
    """Return the number of deals that the seat won."""
    return sum(deal.winner == seat for seat, deal in places)


def scores_of(places: Iterable[tuple[int, Deal]]) -> list[int]:
    """Return the scores of the seats."""
    return [deal.score[seat - 1] for seat, deal in places]
