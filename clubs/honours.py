"""Who played whom in a season, its records, and its titles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from datetime import date
from itertools import combinations
from operator import attrgetter
from typing import Final, Literal, NamedTuple, get_args

from clubs.scoring import GameResult
from clubs.standings import Standing

#: The titles of a season; each is the highest value of the field of `Standing`: 吟味王, 最多勝,
#: 最多対局, 最高月, 最高得点, 最高平均 and 最多出席.
Title = Literal["months_won", "wins", "games", "best_month", "best_game", "mean", "evenings"]
TITLES: Final[tuple[Title, ...]] = get_args(Title)

#: The records of a season: the highest final score, the highest sum of a month, the most games in a
#: row won alone, the greatest lead of a winner, the highest sum and the most games of an evening.
RecordId = Literal[
    "best_game", "best_month", "winning_run", "widest_win", "best_evening", "longest_evening"
]
#: The maximum number of listed holders of a record.
MAX_HOLDERS: Final = 20


class Meeting(NamedTuple):
    """The games of a player against another one.

    ``balance`` is the sum of the differences of their final scores, ``ahead`` the number of games
    with a better rank, ``behind`` with a worse one.
    """

    games: int
    balance: int
    ahead: int
    behind: int


class Holder(NamedTuple):
    """A player who set a record, with the day, and the game unless the record is an evening's."""

    player: str
    day: date
    game: str | None


class SeasonRecord(NamedTuple):
    """A record: its value, its first holders by time, and the number of times it was set."""

    id: RecordId
    value: int
    holders: tuple[Holder, ...]
    times: int


class Award(NamedTuple):
    """A title with its value and all players who have this value."""

    title: Title
    value: int
    players: tuple[str, ...]


def build_cross_table(
    games: Iterable[GameResult], players: Container[str]
) -> dict[str, dict[str, Meeting]]:
    """Return the meetings of players with each other, by player and opponent."""
    sums: dict[tuple[str, str], list[int]] = {}
    for game in games:
        seats = [seat for seat in game.seats if seat.player in players]
        for first, second in combinations(seats, 2):
            if first.player > second.player:
                first, second = second, first
            elif first.player == second.player:
                continue
            pair = (first.player, second.player)
            meeting = sums.get(pair) or sums.setdefault(pair, [0, 0, 0, 0])
            meeting[0] += 1
            meeting[1] += first.final - second.final
            meeting[2] += first.rank < second.rank
            meeting[3] += first.rank > second.rank
    table: dict[str, dict[str, Meeting]] = defaultdict(dict)
    for (player, opponent), (count, balance, ahead, behind) in sums.items():
        table[player][opponent] = Meeting(count, balance, ahead, behind)
        table[opponent][player] = Meeting(count, -balance, behind, ahead)
    return dict(table)


def award_titles(
    standings: Sequence[Standing], titles: Sequence[Title] = TITLES
) -> tuple[Award, ...]:
    """Return the titles with a value above zero. Only ranked players can have the best mean."""
    awards = []
    for title in titles:
        values = [
            (getattr(standing, title) or 0, standing.player)
            for standing in standings
            if title != "mean" or standing.rank is not None
        ]
        best = max((value for value, _player in values), default=0)
        if best > 0:
            players = tuple(player for value, player in values if value == best)
            awards.append(Award(title, best, players))
    return tuple(awards)


def find_records(games: Iterable[GameResult]) -> tuple[SeasonRecord, ...]:
    """Return the records above zero. Games of a day are in order of time."""
    best: dict[RecordId, _Best] = defaultdict(_Best)
    runs: dict[str, int] = defaultdict(int)
    evenings: dict[tuple[date, str], list[int]] = {}
    for game in sorted(games, key=attrgetter("day")):
        finals = sorted((seat.final for seat in game.seats), reverse=True)
        is_won_alone = [seat.rank for seat in game.seats].count(1) == 1
        for seat in game.seats:
            holder = Holder(seat.player, game.day, game.key)
            best["best_game"].offer(seat.final, holder)
            best["best_month"].offer(seat.best_month or 0, holder)
            if is_won_alone and seat.rank == 1:
                runs[seat.player] += 1
                best["winning_run"].offer(runs[seat.player], holder)
                best["widest_win"].offer(finals[0] - finals[1], holder)
            else:
                runs[seat.player] = 0
            key = (game.day, seat.player)
            evening = evenings.get(key) or evenings.setdefault(key, [0, 0])
            evening[0] += seat.final
            evening[1] += 1
    for (day, player), (total, count) in evenings.items():
        best["best_evening"].offer(total, Holder(player, day, None))
        best["longest_evening"].offer(count, Holder(player, day, None))
    order: tuple[RecordId, ...] = get_args(RecordId)
    return tuple(
        SeasonRecord(id_, best[id_].value, tuple(best[id_].holders), best[id_].count)
        for id_ in order
        if id_ in best and best[id_].count
    )


class _Best:
    """The highest value so far, above zero, with its holders."""

    __slots__ = ("count", "holders", "value")

    def __init__(self) -> None:
        self.value = self.count = 0
        self.holders: list[Holder] = []

    def offer(self, value: int, holder: Holder) -> None:
        """Take the value if it is the highest, or the holder if it is equal."""
        if value > self.value:
            self.value, self.count = value, 0
            self.holders.clear()
        if value == self.value > 0:
            self.count += 1
            if self.count <= MAX_HOLDERS:
                self.holders.append(holder)
