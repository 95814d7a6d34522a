"""Results of a season, and how they are scored.

Scores are integers in units that divide a point (`UNITS`), so that shared places stay exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, NamedTuple, get_args

ScoringKind = Literal["sum", "mean", "points", "wins", "rating"]
EntryKind = Literal["penalty", "correction", "total"]
Tie = Literal["games", "wins", "total", "best_game", "best_month", "months_won"]

#: Units of a score per point. Means and ratings are rounded to hundredths, halves away from zero.
#: Up to six seats can share the points of their places exactly. A shared win is a half.
UNITS: Final[Mapping[ScoringKind, int]] = {
    "sum": 1,
    "mean": 100,
    "points": 60,
    "wins": 2,
    "rating": 100,
}
#: Usual points by place, for each number of seats.
USUAL_POINTS: Final[Mapping[int, tuple[int, ...]]] = {
    2: (20, -20),
    3: (30, 0, -30),
    4: (30, 10, -10, -30),
    5: (30, 15, 0, -15, -30),
    6: (30, 20, 10, -10, -20, -30),
}
#: The maximum number of dropped games of a player.
MAX_DROP: Final = 100


class SeatResult(NamedTuple):
    """The result of a seat in a finished game.

    ``player`` is the key of a member or guest. ``final`` is in the small unit. ``rank`` is 1 for
    the best; equal seats share a rank. ``best_month`` is the highest sum of a month, ``won`` the
    number of months won, of ``months``.
    """

    player: str
    final: int
    rank: int
    best_month: int | None
    won: int
    months: int


class GameResult(NamedTuple):
    """The results of all seats of a game of an evening."""

    key: str
    day: date
    seats: tuple[SeatResult, ...]


class Entry(NamedTuple):
    """An entry of an officer without a game, in points of the season's scoring.

    A penalty (negative) or correction is added to the score. A total is the sum of an evening whose
    games are unknown; it counts as ``games`` games, 0 for an unknown number. Ratings ignore totals,
    means ignore totals of an unknown number of games.
    """

    player: str
    day: date
    kind: EntryKind
    amount: int
    games: int = 0


class ScoringError(ValueError):
    """An impossible scoring; ``field`` is the field of `Scoring` to change."""

    def __init__(self, field: str, expected: str) -> None:
        super().__init__(f"{field}: expected {expected}")
        self.field = field
        self.expected = expected


@dataclass(frozen=True, slots=True)
class Scoring:
    """The scoring of a season.

    - ``sum``: the sum of the final scores. ``mean``: the mean of the final scores.
    - ``points``: points of the place, from ``points`` by number of seats; 0 at other tables. Equal
      seats share the points of their places.
    - ``wins``: the number of first places; a shared one is a half.
    - ``rating``: an Elo rating from the games of the season (`clubs.standings`).

    Players with fewer than ``least`` games are unranked. The ``drop`` worst games of each player do
    not count, but one game always counts; a rating drops none. Equal scores are ordered by
    ``ties``, higher figures first, then share a rank.

    Raises ScoringError.
    """

    kind: ScoringKind = "sum"
    least: int = 0
    points: Mapping[int, tuple[int, ...]] | None = None
    drop: int = 0
    ties: tuple[Tie, ...] = ("games", "wins", "best_game")

    def __post_init__(self) -> None:
        """Check the fields."""
        if self.kind not in UNITS:
            raise ScoringError("kind", ", ".join(UNITS))
        if self.least < 0:
            raise ScoringError("least", "0 or more")
        if not 0 <= self.drop <= MAX_DROP:
            raise ScoringError("drop", f"0 to {MAX_DROP}")
        for seats, points in (self.points or {}).items():
            if len(points) != seats or seats not in USUAL_POINTS:
                raise ScoringError("points", "one number per place, for 2 to 6 seats")
        if len(set(self.ties)) < len(self.ties) or not set(self.ties) <= set(get_args(Tie)):
            raise ScoringError("ties", f"each once, of: {', '.join(get_args(Tie))}")

    @property
    def unit(self) -> int:
        """Return the units of a score per point."""
        return UNITS[self.kind]


def share_points(ranks: tuple[int, ...], points: tuple[int, ...]) -> tuple[int, ...]:
    """Return the points of seats in sixtieths; equal ranks share the points of their places.

    >>> share_points((2, 1, 2), (30, 10, -40))
    (-900, 1800, -900)
    """
    unit = UNITS["points"]
    places = sorted(ranks)
    shares = {}
    for rank in places:
        first, count = places.index(rank), places.count(rank)
        shares[rank] = unit * sum(points[first : first + count]) // count
    return tuple(shares[rank] for rank in ranks)


def divide(total: int, count: int) -> int:
    """Return a quotient rounded to an integer, halves away from zero.

    >>> divide(5, 2), divide(-5, 2), divide(7, 3)
    (3, -3, 2)
    """
    quotient = (2 * abs(total) + count) // (2 * count)
    return quotient if total >= 0 else -quotient
