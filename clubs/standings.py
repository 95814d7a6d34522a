"""Standings of a season, their progress, and standings of its months.

Each function reads the results once, evening by evening. The games of an evening count together:
their order does not matter.
"""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date
from itertools import combinations
from operator import attrgetter
from typing import Final, NamedTuple

from clubs.scoring import UNITS, USUAL_POINTS, Entry, GameResult, Scoring, Tie, divide, share_points

#: The rating of a new player, and the most a game can change a rating, in points.
FIRST_RATING: Final = 1500
_STEP: Final = 32
#: The difference of ratings at which the stronger player wins ten times as often.
_TENFOLD: Final = 400
#: Sorts below any figure.
_NO_FIGURE: Final = -(10**18)


class Standing(NamedTuple):
    """The row of a player in the table of a season.

    ``rank`` is None for an unranked player, ``score`` None without a game that counts. ``score`` is
    in units of the scoring, ``wins`` in halves, ``mean`` in hundredths of the small unit, the other
    figures in the small unit. ``total``, ``mean`` and ``best_game`` include dropped games.
    ``games`` and ``total`` include totals (``total`` unless these are points or wins), ``mean`` and
    ``best_game`` do not.
    ``change`` is the number of ranks gained by the last evening; None without an evening, or if the
    player was or is unranked. ``penalties`` and ``corrections`` are sums of entries in points.
    """

    player: str
    rank: int | None
    score: int | None
    games: int
    dropped: int
    evenings: int
    wins: int
    total: int
    mean: int | None
    best_game: int | None
    best_month: int | None
    months_won: int
    months: int
    change: int | None
    penalties: int
    corrections: int


class Point(NamedTuple):
    """The score of a player after the games and entries of a day."""

    day: date
    score: int


def compute_standings(
    games: Iterable[GameResult],
    entries: Iterable[Entry],
    scoring: Scoring,
    guests: Set[str] = frozenset(),
) -> list[Standing]:
    """Return the standings, best first; unranked players, among them the ``guests``, are last.

    A player with two seats of a game has two results. The last evening is the last day with games
    or totals.
    """
    days = _group_by_day(games, entries)
    last = max((day.day for day in days if day.is_evening), default=None)
    table = _Table(scoring, guests)
    before: dict[str, int] = {}
    for day in days:
        if day.day == last:
            before = {row.player: row.rank for row in table.rank() if row.rank is not None}
        table.add(day)
    return [table.show(row, before) for row in table.rank()]


def compute_progress(
    games: Iterable[GameResult],
    entries: Iterable[Entry],
    scoring: Scoring,
    players: Container[str],
) -> dict[str, list[Point]]:
    """Return the scores of players, by day: a point for each day with a result or entry."""
    table = _Table(scoring)
    progress: dict[str, list[Point]] = defaultdict(list)
    for day in _group_by_day(games, entries):
        table.add(day)
        for player in filter(players.__contains__, day.list_players()):
            score = table.tallies[player].score(scoring)
            if score is not None:
                progress[player].append(Point(day.day, score))
    return dict(progress)


def compute_months(
    games: Iterable[GameResult],
    entries: Iterable[Entry],
    scoring: Scoring,
    players: Container[str],
) -> dict[date, list[Standing]]:
    """Return the rows of players in the standings of each calendar month, by its first day.

    All players are ranked and no game is dropped. In a season of ratings, months count the sum of
    final scores.
    """
    kind = "sum" if scoring.kind == "rating" else scoring.kind
    monthly = replace(scoring, kind=kind, least=0, drop=0)
    tables: dict[date, _Table] = {}
    for day in _group_by_day(games, entries):
        tables.setdefault(day.day.replace(day=1), _Table(monthly)).add(day)
    return {
        month: [table.show(row, {}) for row in table.rank() if row.player in players]
        for month, table in tables.items()
    }


class _Day:
    """The games and entries of a day."""

    __slots__ = ("day", "entries", "games")

    def __init__(self, day: date) -> None:
        self.day = day
        self.games: list[GameResult] = []
        self.entries: list[Entry] = []

    @property
    def is_evening(self) -> bool:
        return bool(self.games) or any(entry.kind == "total" for entry in self.entries)

    def list_players(self) -> Iterable[str]:
        """Return the players of games and entries, each once."""
        players = {seat.player: None for game in self.games for seat in game.seats}
        return players | dict.fromkeys(entry.player for entry in self.entries)


def _group_by_day(games: Iterable[GameResult], entries: Iterable[Entry]) -> list[_Day]:
    days: dict[date, _Day] = {}
    for game in games:
        day = days.get(game.day) or days.setdefault(game.day, _Day(game.day))
        day.games.append(game)
    for entry in entries:
        days.setdefault(entry.day, _Day(entry.day)).entries.append(entry)
    return [days[day] for day in sorted(days)]


class _Tally:
    """The sums of a player, updated result by result."""

    __slots__ = (
        *("best_game", "best_month", "corrections", "evenings", "games", "last_day", "months"),
        *("months_won", "penalties", "rating", "total", "totals", "totals_counted"),
        *("totals_games", "value", "wins", "worst"),
    )

    def __init__(self) -> None:
        self.games = self.wins = self.total = self.months = self.months_won = self.evenings = 0
        self.best_game = self.best_month = _NO_FIGURE
        #: The sum of the values of all games: of finals, or of shares in units of the scoring.
        self.value = 0
        #: The values of the worst games, ascending: the dropped ones and the next.
        self.worst: list[int] = []
        self.rating = FIRST_RATING * UNITS["rating"]
        self.penalties = self.corrections = 0
        #: The sums of all totals, and of totals of a known number of games with this number.
        self.totals = self.totals_counted = self.totals_games = 0
        self.last_day: date | None = None

    @property
    def dropped(self) -> int:
        return max(0, len(self.worst) - 1)

    @property
    def all_games(self) -> int:
        return self.games + self.totals_games

    def score(self, scoring: Scoring) -> int | None:
        """Return the score in units of the scoring; None for a mean without a game."""
        entries = scoring.unit * (self.penalties + self.corrections)
        if scoring.kind == "rating":
            return self.rating + entries
        value = self.value - sum(self.worst[:-1])
        if scoring.kind != "mean":
            return value + scoring.unit * self.totals + entries
        games = self.all_games - self.dropped
        return (
            divide(scoring.unit * (value + self.totals_counted), games) + entries if games else None
        )

    def attend(self, day: date) -> None:
        """Count an evening, once."""
        if self.last_day != day:
            self.last_day = day
            self.evenings += 1


#: The figure of a tally that decides equal scores; `_Table` has the total.
_FIGURES: Final[Mapping[Tie, Callable[[_Tally], int]]] = {
    "games": attrgetter("all_games"),
    "wins": attrgetter("wins"),
    "best_game": attrgetter("best_game"),
    "best_month": attrgetter("best_month"),
    "months_won": attrgetter("months_won"),
}


class _Ranked(NamedTuple):
    player: str
    rank: int | None


class _Table:
    """The table of a season, to which days are added in order."""

    def __init__(self, scoring: Scoring, guests: Set[str] = frozenset()) -> None:
        self._guests = guests
        self.tallies: dict[str, _Tally] = defaultdict(_Tally)
        self._scoring = scoring
        self._drop = 0 if scoring.kind == "rating" else scoring.drop
        self._points = USUAL_POINTS if scoring.points is None else scoring.points
        #: The points of a game by the ranks of its seats.
        self._shares: dict[tuple[int, ...], tuple[int, ...]] = {}

    def add(self, day: _Day) -> None:
        """Add the games and entries of a day."""
        if self._scoring.kind == "rating":
            self._rate(day.games)
        for game in day.games:
            self._play(game)
        for entry in day.entries:
            self._enter(entry)

    def _play(self, game: GameResult) -> None:
        kind, drop = self._scoring.kind, self._drop
        ranks = tuple([seat.rank for seat in game.seats])
        win = 1 if ranks.count(1) > 1 else 2
        shares = self._share(ranks) if kind == "points" else ranks
        for seat, share in zip(game.seats, shares, strict=True):
            tally = self.tallies[seat.player]
            final = value = seat.final
            tally.games += 1
            tally.total += final
            tally.months += seat.months
            tally.months_won += seat.won
            tally.attend(game.day)
            if final > tally.best_game:
                tally.best_game = final
            if seat.best_month is not None and seat.best_month > tally.best_month:
                tally.best_month = seat.best_month
            if seat.rank == 1:
                tally.wins += win
            if kind == "points":
                value = share
            elif kind == "wins":
                value = win if seat.rank == 1 else 0
            tally.value += value
            if drop:
                insort(tally.worst, value)
                del tally.worst[drop + 1 :]

    def _share(self, ranks: tuple[int, ...]) -> tuple[int, ...]:
        if ranks not in self._shares:
            points = self._points.get(len(ranks), (0,) * len(ranks))
            self._shares[ranks] = share_points(ranks, points)
        return self._shares[ranks]

    def _rate(self, games: Sequence[GameResult]) -> None:
        """Change ratings by the games of an evening, from the ratings at its beginning.

        Each pair of a game meets once: the better rank wins, equal ranks draw. A rating changes by
        `_STEP` times the mean difference between the result and its expectation.
        """
        changes: dict[str, int] = defaultdict(int)
        step, tenfold = _STEP * UNITS["rating"], _TENFOLD * UNITS["rating"]
        for game in games:
            for first, second in combinations(game.seats, 2):
                if first.player == second.player:
                    continue
                gap = self.tallies[second.player].rating - self.tallies[first.player].rating
                result = 1 if first.rank < second.rank else 0 if first.rank > second.rank else 0.5
                expected = 1 / (1 + 10 ** (gap / tenfold))
                change = round(step * (result - expected) / (len(game.seats) - 1))
                changes[first.player] += change
                changes[second.player] -= change
        for player, change in changes.items():
            self.tallies[player].rating += change

    def _enter(self, entry: Entry) -> None:
        tally = self.tallies[entry.player]
        if entry.kind == "penalty":
            tally.penalties += entry.amount
        elif entry.kind == "correction":
            tally.corrections += entry.amount
        else:
            tally.attend(entry.day)
            tally.totals += entry.amount
            if entry.games:
                tally.totals_counted += entry.amount
                tally.totals_games += entry.games

    def rank(self) -> Iterator[_Ranked]:
        """Yield the players with their ranks, best first; unranked players are last."""
        rank, key_before = 0, None
        for number, (key, player) in enumerate(sorted(self._list_keys()), start=1):
            if key != key_before:
                rank, key_before = number, key
            yield _Ranked(player, None if key[0] else rank)

    def _list_keys(self) -> Iterator[tuple[tuple[int, ...], str]]:
        """Yield a key for each player that sorts them; equal ones share a rank, if ranked."""
        scoring, guests = self._scoring, self._guests
        figures = [self._total if tie == "total" else _FIGURES[tie] for tie in scoring.ties]
        for player, tally in self.tallies.items():
            score = tally.score(scoring)
            is_short = score is None or tally.all_games < scoring.least
            ties = [-figure(tally) for figure in figures]
            yield (is_short or player in guests, -(score or 0), *ties), player

    def _total(self, tally: _Tally) -> int:
        """Return the sum of final scores, with totals if these are final scores."""
        return tally.total + (0 if self._scoring.kind in ("points", "wins") else tally.totals)

    def show(self, row: _Ranked, before: Mapping[str, int]) -> Standing:
        """Return the standing of a ranked player; ``before`` has ranks before the last evening."""
        player, rank = row
        tally = self.tallies[player]
        return Standing(
            player=player,
            rank=rank,
            score=tally.score(self._scoring),
            games=tally.all_games,
            dropped=tally.dropped,
            evenings=tally.evenings,
            wins=tally.wins,
            total=self._total(tally),
            mean=divide(UNITS["mean"] * tally.total, tally.games) if tally.games else None,
            best_game=_known(tally.best_game),
            best_month=_known(tally.best_month),
            months_won=tally.months_won,
            months=tally.months,
            change=before[player] - rank if rank is not None and player in before else None,
            penalties=tally.penalties,
            corrections=tally.corrections,
        )


def _known(figure: int) -> int | None:
    return None if figure == _NO_FIGURE else figure
