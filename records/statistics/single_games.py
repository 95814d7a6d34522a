"""The single games of a query, for lists of players, of two players and for insights."""

from __future__ import annotations

import calendar
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import date
from typing import Final

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from kafu.rules.rulesets import ruleset
from records.base.keys import player_key
from records.facts.rows import COUNTED
from records.facts.snapshot import current_snapshot
from records.models import Listing, Player, Seat, Visibility
from records.search.filters import profiles
from records.statistics.gather import Gathered, stamp_of
from records.statistics.questions import Question

#: Single games that are added up for one query, the newest.
MOST: Final = 10_000
BATCH: Final = 200


def is_single(question: Question, players: Sequence[int]) -> bool:
    """Return whether a query is about single games."""
    several = len(players) > 1 or question.event or question.seat
    return bool(question.last or (players and several))


def players_of(question: Question) -> list[int] | None:
    """Return the player and the opponent of a query; None where one of them is unknown."""
    keys = [player_key(name) for name in (question.player, question.opponent) if name]
    pks = dict(Player.objects.filter(key__in=keys).values_list("key", "pk"))
    return [pks[key] for key in keys] if len(pks) == len(keys) else None


def _has_options(question: Question, column: str) -> Q:
    """Return the condition on options, written or left to the default of the house."""
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


def _months(question: Question) -> Q:
    """Return the condition that a game may have been played in the months of the query."""
    found = Q(day_from__gt=0)
    if question.month_from:
        year, month = divmod(question.month_from, 100)
        found &= Q(day_to__gte=date(year, month, 1).toordinal())
    if question.month_to:
        year, month = divmod(question.month_to, 100)
        last = calendar.monthrange(year, month)[1]
        found &= Q(day_from__lte=date(year, month, last).toordinal())
    return found


def selected(
    question: Question, players: Sequence[int] = (), only: Q | None = None
) -> tuple[list[int], Gathered]:
    """Return the games that a query counts, or those of them that are ``only``, at most `MOST`."""
    games = select(question, players, few=only is not None and not question.last)
    if only is not None:
        if question.last:
            last = games.values_list("pk", flat=True)[: question.last]
            games = games.filter(pk__in=list(last))
        games = games.filter(only)
    rows = list(games.values_list("pk", "deals")[: question.last or MOST])
    pks = [pk for pk, _deals in rows]
    gathered = Gathered(
        as_of=current_snapshot().as_of if rows else None,
        stamp=stamp_of(map(str, pks)),
        notes=left_out(question, games, len(rows)),
        games=len(rows),
        deals=sum(deals for _pk, deals in rows),
    )
    return pks, gathered


def left_out(question: Question, games: QuerySet[Listing], counted: int) -> list[str]:
    """Return a note if there are more games than are counted."""
    if question.last or counted < MOST:
        return []
    words = {"games": number_format(games.count(), force_grouping=True)}
    words["most"] = number_format(counted, force_grouping=True)
    return [_("Of %(games)s games the newest %(most)s are counted.") % words]


def select(question: Question, players: Sequence[int], few: bool = False) -> QuerySet[Listing]:
    """Return the games that a query counts, the last played first.

    ``players`` played in all of them. ``few`` if what the caller filters by leaves few.
    """
    games = Listing.objects.filter(status__in=COUNTED, deals__gt=0)
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
        games = games.filter(_months(question))
    for player in players:
        sat = Seat.objects.order_by().filter(player=player)
        if question.seat and player == players[0]:
            sat = sat.filter(number=question.seat)
        games = games.filter(record__in=sat.values("record"))
    return games


def seats_of(games: Collection[int], player: int, seat: int) -> dict[int, list[int]]:
    """Return the seats that a player had in each of some games."""
    found: dict[int, list[int]] = defaultdict(list)
    sat = Seat.objects.order_by().filter(record__in=games, player=player)
    for pk, number in sat.values_list("record", "number"):
        if number == seat or not seat:
            found[pk].append(number)
    return found
