"""Results of a user in the user's own games: wins, comebacks, opponents, luck and choices.

`list_questions` leads to the statistics of the user's public games.

The user names the players that are the user (`OwnName`). Only the newest own games count, so that a
page of them is quick.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from people.models import OwnName
from records.base import figures
from records.base.keys import player_key
from records.base.transient import lock_names
from records.facts.analysed import THOUSANDTHS, SeatSums
from records.facts.tables import ENGINE
from records.models import Analysis, Player, Record, Seat
from records.privacy.access import Viewer
from records.search.games import records_of, show_own_texts
from records.search.players import Against
from records.search.selection import GameSelection, listings
from records.statistics.columns import unit
from records.statistics.dimensions import DIMENSIONS
from records.statistics.intervals import wilson
from records.statistics.metrics import METRICS

#: Number of newest games that count, of last results, of opponents, and of suggested names.
GAMES: Final = 200
LAST: Final = 10
OPPONENTS: Final = 8
SUGGESTED: Final = 6
#: Maximum number of names of a user.
MAX_NAMES: Final = 10

#: Questions to insights about a player: a metric, and the dimensions of its rows.
_QUESTIONS: Final = (
    ("game_rate", ("standing", "month")),
    ("yaku_turn", ("completed",)),
    ("balance", ("opponent",)),
    ("loss", ("direction",)),
    ("luck", ("date",)),
)

WON: Final = "won"
LOST: Final = "lost"
LEVEL: Final = "level"


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """The user's result in a finished game: one of `WON`, `LOST`, `LEVEL` (a shared first rank)."""

    record: Record
    outcome: str

    @property
    def players(self) -> str:
        """The names of all players, in the order of seats."""
        return " – ".join(seat.name for seat in self.record.seats.all())


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent by the name in the newest game, with the key of the player."""

    name: str
    key: str
    against: Against


@dataclass(slots=True)
class Standing:
    """The results of a user: ``last`` the newest first, ``opponents`` by number of games.

    ``games`` is the number of games with the user, ``ended`` that of finished games.
    """

    games: int = 0
    ended: int = 0
    wins: int = 0
    last: list[PlayerResult] = field(default_factory=list)
    opponents: list[Opponent] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Luck:
    """The user's luck and choices in the analysed ``games`` of a ruleset.

    ``error`` and ``own_error`` are standard errors, with the unit of the amounts before them.
    ``bold`` and ``careful`` count words and bids with a loss.
    """

    ruleset: str
    games: int
    luck: str
    error: str
    own_choices: str
    own_error: str
    bold: int
    careful: int


@dataclass(frozen=True, slots=True)
class Halfway:
    """The finished games in which the user was ahead, or behind, after half of the deals.

    ``share`` is the part of the ``games`` that the user won, ``low`` and ``high`` its interval.
    """

    is_ahead: bool
    games: int
    wins: int
    share: str
    low: str
    high: str


class StatisticsQuestion(NamedTuple):
    """A question to insights in words, and the address of its page."""

    words: str
    address: str


def newest_games(user: int) -> list[Record]:
    """Return the newest games of a user as the user may see them, at most `GAMES`."""
    records = records_of(list(listings(GameSelection(owner=user))[:GAMES]))
    show_own_texts(records, Viewer(user))
    return records


def standing(records: Iterable[Record], keys: Iterable[str]) -> Standing:
    """Return the results of the player with one of ``keys`` in games, the newest first.

    Opponents who opted out of statistics are left out.
    """
    own_keys = frozenset(keys)
    result = Standing()
    names: dict[str, str] = {}
    against: dict[str, Against] = {}
    for record in records:
        seats = _seats_by_key(record)
        own_seat = _find_seat(seats, own_keys)
        if own_seat is None:
            continue
        result.games += 1
        if outcome := _outcome(own_seat, list(seats.values())):
            result.ended += 1
            result.wins += outcome == WON
            if len(result.last) < LAST:
                result.last.append(PlayerResult(record, outcome))
        for key, seat in seats.items():
            if key not in own_keys and seat.player.statistics:
                names.setdefault(key, seat.name)
                _count(against.setdefault(key, Against()), own_seat, seat)
    most = sorted(against.items(), key=lambda item: (-item[1].games, names[item[0]]))[:OPPONENTS]
    result.opponents = [Opponent(names[key], key, totals) for key, totals in most]
    return result


def _seats_by_key(record: Record) -> dict[str, Seat]:
    return {player_key(seat.name): seat for seat in list(record.seats.all())[::-1]}


def _find_seat(seats: Mapping[str, Seat], keys: frozenset[str]) -> Seat | None:
    return next((seat for key, seat in seats.items() if key in keys), None)


def find_halfway(records: Iterable[Record], keys: Iterable[str]) -> list[Halfway]:
    """Return the games in which the player with one of ``keys`` was ahead halfway, and behind."""
    own_keys = frozenset(keys)
    outcomes: defaultdict[bool, list[str]] = defaultdict(list)
    seats_by_game = {record.pk: _seats_by_key(record) for record in records}
    verdicts = Record.objects.order_by().filter(pk__in=seats_by_game)
    for pk, verdict in verdicts.values_list("pk", "verdict"):
        seats = seats_by_game[pk]
        own_seat = _find_seat(seats, own_keys)
        outcome = _outcome(own_seat, list(seats.values())) if own_seat is not None else ""
        scores = [deal["score"] for deal in verdict["deals"]]
        if own_seat is None or not outcome or not scores[1:]:
            continue
        own_sum, *sums = _add_up_scores(own_seat.number, scores[: len(scores) // 2])
        if own_sum != max(sums):
            outcomes[own_sum > max(sums)].append(outcome)
    return [_count_halfway(is_ahead, outcomes[is_ahead]) for is_ahead in sorted(outcomes)]


def _add_up_scores(seat: int, scores: Sequence[Sequence[int]]) -> list[int]:
    """Return the sums of scores by seat, that of ``seat`` first."""
    sums = [sum(column) for column in zip(*scores, strict=True)]
    return [sums.pop(seat - 1), *sums]


def _count_halfway(is_ahead: bool, outcomes: Sequence[str]) -> Halfway:
    games, wins = len(outcomes), outcomes.count(WON)
    bounds = (figures.percent(bound or 0, 0) for bound in wilson(wins, games))
    return Halfway(is_ahead, games, wins, *bounds)


def find_luck(records: Iterable[Record], keys: Iterable[str]) -> list[Luck]:
    """Return the luck and choices of the player with one of ``keys``, most games first."""
    own_keys = frozenset(keys)
    seats = {record.pk: _find_seat(_seats_by_key(record), own_keys) for record in records}
    analyses = Analysis.objects.filter(record__in=seats, engine=ENGINE, made__isnull=False)
    sums: defaultdict[str, list[SeatSums]] = defaultdict(list)
    for pk, ruleset, rows in analyses.values_list("record", "record__ruleset", "seats"):
        seat = seats[pk]
        if seat is not None and rows[seat.number - 1][0]:
            sums[ruleset].append(SeatSums(*rows[seat.number - 1]))
    most = sorted(sums.items(), key=lambda item: (-len(item[1]), item[0]))
    return [_add_up_luck(ruleset, games) for ruleset, games in most]


def _add_up_luck(ruleset: str, games: Sequence[SeatSums]) -> Luck:
    total = SeatSums(*map(sum, zip(*games, strict=True)))
    luck, error = _format_sum(total.luck, total.variance, ruleset)
    own_choices, own_error = _format_sum(total.own_choices, total.own_variance, ruleset)
    return Luck(ruleset, len(games), luck, error, own_choices, own_error, total.bold, total.careful)


def _format_sum(thousandths: int, variance: int, ruleset: str) -> tuple[str, str]:
    """Return a sum of luck or choices, and its standard error with the unit."""
    small = unit(ruleset)
    amounts = (thousandths, sqrt(variance))
    text, error = (figures.number(amount / THOUSANDTHS / small.size, 1) for amount in amounts)
    return text, figures.with_unit(error, small.large)


def list_questions(records: Iterable[Record], keys: Iterable[str]) -> list[StatisticsQuestion]:
    """Return questions about the public games of a user, in the ruleset of most of the games.

    Return an empty list if none of the ``keys`` is a player in statistics.
    """
    players = Player.objects.filter(key__in=keys, games__gt=0, statistics=True)
    player = players.order_by("-games").first()
    if player is None:
        return []
    seats = ((record.ruleset, _seats_by_key(record)) for record in records)
    rulesets = Counter(ruleset for ruleset, seats_by_key in seats if player.key in seats_by_key)
    return [
        _make_question(player.name, ruleset, metric, dimensions)
        for ruleset, _games in rulesets.most_common(1)
        for metric, dimensions in _QUESTIONS
    ]


def _make_question(
    player: str, ruleset: str, metric: str, dimensions: Sequence[str]
) -> StatisticsQuestion:
    titles = (str(DIMENSIONS[dimension].title) for dimension in dimensions)
    by = _(" and ").join(title[:1].lower() + title[1:] for title in titles)
    query = {"ruleset": ruleset, "player": player, "metric": metric}
    query |= zip(("by", "by2"), dimensions, strict=False)
    return StatisticsQuestion(
        _("%(metric)s by %(by)s") % {"metric": METRICS[metric].title, "by": by},
        f"{reverse('insights')}?{urlencode(query)}",
    )


def _outcome(own: Seat, seats: Sequence[Seat]) -> str:
    """Return the outcome of a game for a seat, or "" for an unfinished game."""
    if own.rank is None:
        return ""
    if own.rank > 1:
        return LOST
    return WON if sum(seat.rank == 1 for seat in seats) == 1 else LEVEL


def _count(totals: Against, own: Seat, other: Seat) -> None:
    totals.games += 1
    if own.rank is not None and other.rank is not None:
        totals.ahead += own.rank < other.rank
        totals.behind += own.rank > other.rank
        totals.level += own.rank == other.rank


def suggest_names(records: Iterable[Record], user_name: str) -> list[str]:
    """Return the most frequent names of players in games, the user name first."""
    counts: Counter[str] = Counter()
    names: dict[str, str] = {}
    for record in records:
        for name in record.players:
            key = player_key(name)
            names.setdefault(key, name)
            counts[key] += 1
    user_key = player_key(user_name)
    keys = sorted(counts, key=lambda key: (key != user_key, -counts[key], names[key]))
    return [names[key] for key in keys[:SUGGESTED]]


def add_name(user: int, name: str) -> bool:
    """Store a name of the user; a spelling of a stored name changes nothing.

    Return False if the user has the maximum number of names.
    """
    with transaction.atomic():
        lock_names(f"own names of {user}")
        names = OwnName.objects.filter(owner=user)
        key = player_key(name)
        if names.count() >= MAX_NAMES and not names.filter(key=key).exists():
            return False
        names.get_or_create(owner_id=user, key=key, defaults={"name": name})
    return True
