"""The figures of a player's page: form by month, calendar, percentiles among all players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.base.keys import player_key
from records.models import Rating
from records.models.facts import FOREVER
from records.statistics import charts
from records.statistics.answer import Column
from records.statistics.columns import average, counted, share, unit
from records.statistics.definition import Figure, Result
from records.statistics.figures.players import PlayerTotals, read_totals
from records.statistics.gather import Gathered, gather
from records.statistics.intervals import LEAST_OF_SHARE
from records.statistics.questions import Question, month_text
from records.statistics.selection import Selection

# Form: how a player's deals went, month by month --------------------------------------------------

#: Maximum number of months shown, the newest.
_MOST_MONTHS: Final = 120


def _form_columns(question: Question) -> list[Column]:
    return [
        Column("month", _("Month"), "text", "", _("Months with games of the player.")),
        Column("games", _("Games"), "count"),
        Column("first", _("Games won alone"), "count"),
        counted(_("Months played"), _("Months that the player was in play.")),
        Column("won", _("Won"), "count", "", _("Months won.")),
        share("rate", _("Months won"), _("Won divided by months; Wilson interval."), of="won"),
        average("score", _("Mean score"), unit(question.ruleset), _("Of a month.")),
    ]


def _compute_form(question: Question, gathered: Gathered) -> Result:
    games, deals = gathered.sums["games by date"], gathered.sums["deals by date"]
    months = sorted(games, key=int)[-_MOST_MONTHS:]
    cases = [{"month": month_text(int(month)), **games[month], **deals[month]} for month in months]
    return Result(cases, sum(deals[month]["n"] for month in months))


FORM: Final = Figure(
    id="form",
    title=gettext_lazy("Form by month"),
    definition=gettext_lazy(
        "How a player did from one calendar month to the next: the months of play won, and the "
        "scores. Games that are not dated to the month are left out."
    ),
    formula=gettext_lazy("rate = won / n; mean score = sum of scores / n"),
    columns=_form_columns,
    compute=_compute_form,
    chart=charts.Course(month="month", value="rate"),
    is_drawn=lambda row: row["n"],
    filters=("ruleset", "profile", "player", "from", "to"),
    about=("player",),
)

# On which days a player played: a calendar of a year ----------------------------------------------

#: How far before the day of the last game days are shown.
_SHOWN: Final = timedelta(weeks=53)


def _calendar_columns(question: Question) -> list[Column]:
    return [
        Column("day", _("Day"), "text"),
        Column("weekday", _("Day of the week"), "count", "", _("1 is Sunday, 7 Saturday.")),
        Column("games", _("Games"), "count", "", _("Games of the day.")),
    ]


def _compute_calendar(question: Question, gathered: Gathered) -> Result:
    sums = {date.fromordinal(int(day)): row for day, row in gathered.sums["games by day"].items()}
    newest = max(sums, default=date.min)
    days = [day for day in sorted(sums) if newest - day < _SHOWN]
    cases = [
        {"day": day.isoformat(), "weekday": day.isoweekday() % 7 + 1, **sums[day]} for day in days
    ]
    return Result(cases, sum(sums[day]["games"] for day in days))


_WEEKDAYS: Final = (
    *(gettext_lazy("Sun"), gettext_lazy("Mon"), gettext_lazy("Tue"), gettext_lazy("Wed")),
    *(gettext_lazy("Thu"), gettext_lazy("Fri"), gettext_lazy("Sat")),
)


CALENDAR: Final = Figure(
    id="calendar",
    title=gettext_lazy("Calendar"),
    definition=gettext_lazy(
        "How many games a player played on each day, in the 53 weeks before their last game. Games "
        "that are not dated to the day are left out."
    ),
    formula=gettext_lazy("games = games of the day"),
    columns=_calendar_columns,
    compute=_compute_calendar,
    chart=charts.Days(day="day", weekday="weekday", names=_WEEKDAYS, value="games"),
    filters=("ruleset", "player"),
    about=("player",),
)

# Strengths: percentiles among all players of the ruleset ------------------------------------------

#: Minimum number of games of a compared player; maximum number of players, by most games.
LEAST: Final = 10
_MOST: Final = 5000
#: The measures of `_measure`, with 1 if larger is better, else −1.
_MEASURES: Final = (("first", 1), ("place", -1), ("final", 1), ("games", 1))

#: A measure: id, the player's value, the number of compared players, and the percentile.
_Strength = tuple[str, float, int, float | None]


def _read_strengths(question: Question) -> Gathered:
    strengths = [*_find_strengths(question)]
    notes = [] if strengths else [_("The player has too few games that came to their end.")]
    return gather(question, strengths, notes=notes)


def _compare(measure: str, value: float, values: Sequence[float], sign: int = 1) -> _Strength:
    """Return the percentile of a value: the share of players behind, plus half of equal players."""
    ahead = sum(
        (sign * (value - other_value) > 0) + (other_value == value) / 2 for other_value in values
    )
    return measure, value, len(values), ahead / len(values) if values else None


def _find_strengths(question: Question) -> Iterator[_Strength]:
    """Yield the measures of a player; none with too few games."""
    own_totals, _count = read_totals(Selection(question), size=1)
    if not own_totals or own_totals[0].ended < LEAST:
        return
    (totals_of_player,) = own_totals
    everybody = Selection(Question(ruleset=question.ruleset))
    totals, _count = read_totals(everybody, least=LEAST, size=_MOST + 1)
    listed = [row for row in totals if row.player != totals_of_player.player][:_MOST]
    measures = [_measure(row) for row in listed if row.ended >= LEAST]
    for number, (measure, sign) in enumerate(_MEASURES):
        yield _compare(
            measure,
            _measure(totals_of_player)[number],
            [numbers[number] for numbers in measures],
            sign,
        )
    newest = Rating.objects.filter(ruleset=question.ruleset, until=FOREVER)
    key = player_key(question.player)
    rated = newest.filter(player__key=key).values_list("rating", flat=True).first()
    if rated is not None:
        rows = newest.filter(rated__gte=LEAST, player__statistics=True).exclude(player__key=key)
        best = rows.order_by("-standing", "-id").values_list("rating", flat=True)[:_MOST]
        yield _compare("rating", rated, list(best))


def _measure(totals: PlayerTotals) -> tuple[float, ...]:
    """Return rate of games won alone, mean place, mean final sum, games."""
    ended = totals.ended
    return totals.first / ended, totals.ranks / ended, totals.final / ended, totals.games


def _strengths_columns(question: Question) -> list[Column]:
    behind = _("The share of the other players who are behind; those level count half.")
    return [
        Column("what", _("Id"), "id"),
        Column("name", _("What"), "text"),
        Column("value", _("Player"), "number", "", _("Rates as shares of 1, sums in small units.")),
        counted(_("Other players"), _("Players with at least 10 games, without this one.")),
        Column("percentile", _("Ahead of"), "rate", "", behind),
    ]


def _compute_strengths(question: Question, gathered: Gathered) -> Result:
    names = {
        "first": _("Games won alone"),
        "place": _("Average place"),
        "final": f"{_('Average final score')} ({unit(question.ruleset)})",
        "games": _("Games played"),
        "rating": _("Rating"),
    }
    cases = [
        {"what": measure, "name": names[measure], "value": value, "n": n, "percentile": percentile}
        for measure, value, n, percentile in gathered.data or ()
    ]
    return Result(cases, gathered.games if cases else 0)


STRENGTHS: Final = Figure(
    id="strengths",
    title=gettext_lazy("Percentiles among all players"),
    definition=gettext_lazy(
        "How many of the other players of the ruleset a player is ahead of, in what their games "
        "brought. Players with at least 10 games that came to their end are compared, at most the "
        "5,000 with most games."
    ),
    formula=gettext_lazy("ahead of = (players behind + players level / 2) / other players"),
    columns=_strengths_columns,
    compute=_compute_strengths,
    chart=charts.Percentiles(label="name", value="percentile"),
    read=_read_strengths,
    is_drawn=lambda row: row["percentile"] is not None and int(row["n"] or 0) >= LEAST_OF_SHARE,
    filters=("ruleset", "player"),
    about=("player",),
    basis=gettext_lazy("Players who are left out of statistics by name are not compared."),
)
