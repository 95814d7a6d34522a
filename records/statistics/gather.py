"""Reads the sums that a question is about from the database.

Sums of the archive, of a player and of an event are stored (`records.totals.sums_of_games`).
Questions about single games, those of two players, of a player at one event or at one seat, or the
last ones, are answered by adding up what each of them contributes, for at most `MOST` games.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from hashlib import blake2b
from typing import Any, Final

from django.db.models import ExpressionWrapper, F, Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from kafu.rules.rulesets import ruleset
from records.base.keys import player_key
from records.base.sums import TABLE, Counted, Later, LazySums, Tally, add_tally, merge_seats, only
from records.models import GameTally, Listing, Player, Rollup, Seat, Visibility
from records.models.packed_fields import PackedTextField
from records.models.statistics import TOTAL
from records.search.filters import profiles
from records.statistics.questions import Question
from records.totals import compaction

#: Single games that are added up for one question, the newest.
MOST: Final = 10_000
BATCH: Final = 200
#: Bounds of all months.
_FIRST_MONTH: Final = 101
_LAST_MONTH: Final = 999_912
#: Columns that show whether a row has changed.
_STAMPED: Final = ("key", "version", "changed")
_COUNTS: Final = ("games", "deals")


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was counted: ``games`` and their ``deals``; ``sums`` of all seats in question, and of
    the ``table``, most of which are read when they are first used.

    ``stamp`` changes with any of it, and is never newer than what was counted; ``as_of`` is the
    time of the last change, None if nothing was counted. ``notes`` are sentences in the language of
    the request.
    """

    sums: Counted = field(default_factory=dict)
    table: Counted = field(default_factory=dict)
    as_of: datetime | None = None
    stamp: str = ""
    notes: Sequence[str] = ()
    games: int = 0
    deals: int = 0


def gather(question: Question) -> Gathered:
    """The sums that a question is about; empty for a player without games.

    Whether the player's figures may be shown is for `records.statistics.questions.check` to say.
    """
    pks = players_of(question)
    if pks is None:
        return Gathered(stamp=stamp_of([question.player, question.opponent]))
    return _of_games(question, pks) if is_single(question, pks) else _of_rollups(question, pks)


def is_single(question: Question, players: Sequence[int]) -> bool:
    """Whether a question is about single games: no stored sums answer it."""
    several = len(players) > 1 or question.event or question.seat
    return bool(question.last or (players and several))


def players_of(question: Question) -> list[int] | None:
    """The player and the opponent of a question, as far as it names them; None where one of them is
    unknown.
    """
    names = [name for name in (question.player, question.opponent) if name]
    found = [pk for pk in map(_player, names) if pk is not None]
    return found if len(found) == len(names) else None


def _player(name: str) -> int | None:
    return Player.objects.filter(key=player_key(name)).values_list("pk", flat=True).first()


# Stored sums --------------------------------------------------------------------------------------


def _of_rollups(question: Question, players: Sequence[int]) -> Gathered:
    rows = _house(question, player=players[0] if players else None, event=question.event)
    everybody = not players and not question.event
    if everybody or question.month_from or question.month_to:
        rows = rows.filter(_window(question, years=everybody))
    else:
        rows = rows.filter(pk__in=compaction.fewest(rows))
    kept = list(rows.values_list("pk", *_COUNTS, *_STAMPED))

    @cache
    def texts() -> list[str]:
        wide = Rollup.objects.order_by().filter(pk__in=[pk for pk, *_ in kept])
        return list(wide.values_list(ExpressionWrapper(F("sums"), PackedTextField()), flat=True))

    seat = str(question.seat) if question.seat else ""
    sums = LazySums(texts, lambda place: place == seat if seat else place != TABLE)
    table = LazySums(texts, lambda place: place == TABLE)
    counts = sum(row[1] for row in kept), sum(row[2] for row in kept)
    return replace(_gathered(counts, [row[3:] for row in kept]), sums=sums, table=table)


def _house(question: Question, *, player: int | None = None, event: str = "") -> QuerySet[Rollup]:
    """The rows of a player, of the events that begin with ``event`` or of the archive, of the
    rulesets, houses and options in question.
    """
    rows = Rollup.objects.order_by("key").filter(player=player)
    # Not empty, so that the index of events is used.
    rows = rows.filter(~Q(event=""), event__startswith=event) if event else rows.filter(event="")
    if question.ruleset:
        rows = rows.filter(ruleset=question.ruleset)
    if question.profile:
        rows = rows.filter(profile=question.profile)
    return rows.filter(_has_options(question, "options"))


def _has_options(question: Question, column: str) -> Q:
    """Options that games were played by: written, as words between spaces, or left out if the house
    has this value by default (`kafu.rules.defaults`).
    """
    found, rules = Q(), question.ruleset
    for name, value in question.options.items():
        word = f"{name}={value}"
        same = [house for house in profiles(rules) if ruleset(rules).defaults(house)[name] == value]
        left_out = ~Q(**{f"{column}__startswith": f"{name}="})
        left_out &= ~Q(**{f"{column}__contains": f" {name}="})
        found &= (
            Q(**{column: word})
            | Q(**{f"{column}__startswith": f"{word} "})
            | Q(**{f"{column}__endswith": f" {word}"})
            | Q(**{f"{column}__contains": f" {word} "})
            | (left_out & Q(profile__in=same))
        )
    return found


def _months(question: Question, column: str = "month", *, years: bool = False) -> Q:
    """The months in question, and the games of which only the year is known, if one of its months
    is among them: what may have been played then counts, as in lists (`records.search.selection`).

    ``years``: rows of whole years where they exist.
    """
    first, last = question.month_from or _FIRST_MONTH, question.month_to or _LAST_MONTH
    # Whole years lie between the end of the one before the first and the start of the one after.
    start, end = (first + 98) // 100 * 100, (last + 88) // 100 * 100
    if not years or start >= end:
        year = first // 100 * 100  # those of later years are between the months
        return Q(**{f"{column}__range": (first, last)}) | Q(**{column: year})
    months = Q(month__range=(first, start - 1)) | Q(month__range=(end, last))
    if first < start:
        months |= Q(month=first // 100 * 100)
    return months | Q(month__range=(100 - end, -start))


def _window(question: Question, *, years: bool) -> Q:
    """The rows of the months in question; ``years``: with rows of whole years where they exist."""
    if not question.month_from and not question.month_to:
        return Q(month=TOTAL)
    return _months(question, years=years)


# Single games -------------------------------------------------------------------------------------


def _of_games(question: Question, players: Sequence[int]) -> Gathered:
    pks, found = selected(question, players)

    @cache
    def tally() -> Tally:
        whole: Tally = {}
        for start in range(0, len(pks), BATCH):
            part = pks[start : start + BATCH]
            seats = seats_of(part, players[0], question.seat) if players else None
            rows = GameTally.objects.filter(pk__in=part, counted=True)
            for pk, sums in rows.values_list("pk", "sums"):
                add_tally(whole, sums if seats is None else only(sums, seats[pk]))
        return whole

    wanted = (question.seat,) if question.seat else None
    sums = Later(lambda: merge_seats(tally(), wanted))
    return replace(found, sums=sums, table=Later(lambda: tally().get(TABLE, {})))


def selected(
    question: Question, players: Sequence[int] = (), only: Q | None = None
) -> tuple[list[int], Gathered]:
    """The games that a question counts, or those of them that are ``only``, which are few, at most
    `MOST`, by primary key, with their data except the sums.
    """
    games = select(question, players, few=only is not None and not question.last)
    if only is not None:
        if question.last:
            last = games.values_list("pk", flat=True)[: question.last]
            games = games.filter(pk__in=list(last))
        games = games.filter(only)
    rows = list(games.values_list("pk", "deals")[: question.last or MOST])
    pks = [pk for pk, _deals in rows]
    counts = len(rows), sum(deals for _pk, deals in rows)
    kept = _house(question).filter(month=TOTAL).values_list(*_STAMPED) if rows else ()
    return pks, _gathered(counts, kept, pks, left_out(question, games, len(rows)))


def left_out(question: Question, games: QuerySet[Listing], counted: int) -> list[str]:
    """A note if there are more games than are counted."""
    if question.last or counted < MOST:
        return []
    words = {"games": number_format(games.count(), force_grouping=True)}
    words["most"] = number_format(counted, force_grouping=True)
    return [_("Of %(games)s games the newest %(most)s are counted.") % words]


def select(question: Question, players: Sequence[int], few: bool = False) -> QuerySet[Listing]:
    """The games that a question counts, the last played first; ``players`` played in all of
    them. ``few`` if what the caller filters by leaves few.
    """
    games = Listing.objects.filter(record__tallied__counted=True)
    if players or few:
        # Not by columns that have an index: SQLite, which does not know how few games one player
        # has, would scan the games of all players along it.
        games = games.alias(shown=F("visibility") + 0, played=F("day_from") + 0)
        games = games.filter(shown=Visibility.PUBLIC).order_by("-played", "-pk")
    else:
        games = games.filter(visibility=Visibility.PUBLIC).order_by("-day_from", "-pk")
    if question.ruleset and few:
        games = games.alias(rules=Concat("ruleset", Value(""))).filter(rules=question.ruleset)
    elif question.ruleset:
        games = games.filter(ruleset=question.ruleset)
    if question.profile:
        games = games.filter(profile=question.profile)
    if question.options:
        games = games.filter(_has_options(question, "record__options"))
    if question.event:
        games = games.filter(event__startswith=question.event)
    if question.month_from or question.month_to:
        games = games.filter(_months(question, "record__tallied__month"))
    for player in players:
        sat = Seat.objects.order_by().filter(player=player)
        if question.seat and player == players[0]:
            sat = sat.filter(number=question.seat)
        games = games.filter(record__in=sat.values("record"))
    return games


def seats_of(games: Collection[int], player: int, seat: int) -> dict[int, list[int]]:
    """The seats that a player had in each of some games."""
    found: dict[int, list[int]] = defaultdict(list)
    sat = Seat.objects.order_by().filter(record__in=games, player=player)
    for pk, number in sat.values_list("record", "number"):
        if number == seat or not seat:
            found[pk].append(number)
    return found


# The result ---------------------------------------------------------------------------------------


def _gathered(
    counts: tuple[int, int],
    kept: Iterable[Sequence[Any]],
    games: Sequence[int] = (),
    notes: Sequence[str] = (),
) -> Gathered:
    """No sums yet; ``kept`` are the columns `_STAMPED` of rows."""
    read = sorted(map(tuple, kept))
    return Gathered(
        as_of=max((changed for _key, _version, changed in read), default=None),
        stamp=stamp_of([*map(str, read), *map(str, games)]),
        notes=notes,
        games=counts[0],
        deals=counts[1],
    )


def stamp_of(parts: Iterable[str]) -> str:
    """A hash that changes with any of these."""
    return blake2b("\n".join(parts).encode(), digest_size=12).hexdigest()
