"""On which days a player played: a calendar of a year."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db.models import Count, F, Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.base.keys import player_key
from records.facts.rows import COUNTED
from records.models import Listing, Seat, Visibility
from records.statistics.answer import Column
from records.statistics.charts import days
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values
from records.statistics.gather import Gathered, gather, stamp_of
from records.statistics.player_lists import extended
from records.statistics.questions import Question

#: Days before the last one with a game that are shown: 53 weeks.
DAYS: Final = 371


@dataclass(frozen=True, slots=True)
class Days(Gathered):
    """Days (`date.toordinal`) with the games of each."""

    days: Sequence[tuple[int, int]] = ()


def _gather(question: Question) -> Gathered:
    """Nothing if no player is given."""
    if not question.player:
        return Days(stamp="-", notes=[_("No player is given.")])
    sat = Seat.objects.order_by().filter(player__key=player_key(question.player))
    # Not by columns with an index (`single_games.select`): by the seats.
    games = Listing.objects.order_by().alias(shown=F("visibility") + 0, played=F("day_from") + 0)
    games = games.filter(shown=Visibility.PUBLIC, status__in=COUNTED, deals__gt=0)
    games = games.filter(record__in=sat.values("record"), played__gt=0, day_to=F("day_from"))
    games = games.filter(ruleset=question.ruleset)
    last = games.aggregate(of=Max("day_from"))["of"] or 0
    year = games.filter(played__gt=last - DAYS).values("day_from").annotate(games=Count("pk"))
    found = sorted(year.values_list("day_from", "games"))
    more: Days = extended(
        Days,
        gather(Question(ruleset=question.ruleset, player=question.player)),
        stamp=stamp_of([repr(found)]),
        days=found,
    )
    return more


def _columns(question: Question) -> list[Column]:
    return [
        Column("day", _("Day"), "text"),
        Column("weekday", _("Day of the week"), "count", "", _("1 is Sunday, 7 Saturday.")),
        Column("games", _("Games"), "count", "", _("Games of the day.")),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    found = gathered.days if isinstance(gathered, Days) else ()
    rows: list[Values] = [
        {
            "day": date.fromordinal(day).isoformat(),
            "weekday": date.fromordinal(day).isoweekday() % 7 + 1,
            "games": games,
        }
        for day, games in found
    ]
    columns = _columns(question)
    names = [_("Sun"), _("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat")]
    chart = days(columns, day="day", weekday="weekday", names=names, value="games")
    return Result(columns, rows, sum(games for _day, games in found), chart)


FIGURE: Final = Figure(
    id="calendar",
    title=gettext_lazy("Calendar"),
    definition=gettext_lazy(
        "How many games a player played on each day, in the 53 weeks before their last game. Games "
        "that are not dated to the day are left out."
    ),
    formula=gettext_lazy("games = games of the day"),
    compute=_compute,
    columns=_columns,
    filters=("ruleset", "player"),
    gather=_gather,
)
