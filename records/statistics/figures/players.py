"""Who played how much of a ruleset, and how it ended for him."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.models import Standing
from records.statistics.answer import Column
from records.statistics.asking import Parameter, Question, one_of
from records.statistics.charts import estimates
from records.statistics.figure import Figure, Result
from records.statistics.figures.lists import PAGE, PAGED, WHOLE, Listed, listed
from records.statistics.figures.parts import Values, counted, estimated, put, unit
from records.statistics.gather import Gathered
from records.statistics.intervals import mean, wilson
from records.statistics.standings import NAMES

#: Games that a player of the list has at least, where the question does not say.
LEAST: Final = 10
_ORDERS: Final = {"games": ("-games", "-id"), "won": ("-win", "-id")}


def _gather(question: Question) -> Gathered:
    rows = Standing.objects.select_related("player").filter(
        ruleset=question.ruleset, player__statistics=True, player__games__gt=0
    )
    sort, least = question.own.get("sort", "games"), question.games_min or LEAST
    if sort == "games":
        rows = rows.filter(games__gte=least)
    else:  # not by the column alone: along its index SQLite would sort all players by their rates
        rows = rows.alias(played=F("games") + 0).filter(played__gte=least)
    found: Listed = listed(question, rows.order_by(*_ORDERS[sort]))
    return found


def _columns(ruleset: str) -> list[Column]:
    return [
        Column("place", _("No."), "count", "", _("In this list.")),
        Column("player", _("Player"), "text"),
        Column("games", _("Games"), "count"),
        counted(_("Games ended"), _("Games that came to their end.")),
        Column("first", _("Won"), "count", "", _("Games that he ended first, alone.")),
        Column("shared", _("First with others"), "count", "", _("Equal at the top.")),
        *estimated("rate", _("Games won"), "rate", "", _("Won by ended; Wilson.")),
        Column("mean_place", _("Mean place"), "number", "", _("Equals share the better place.")),
        *estimated("final", _("Mean final sum"), "number", unit(ruleset)),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    page = gathered if isinstance(gathered, Listed) else Listed()
    rows = [_row(number, one) for number, one in enumerate(page.listed, start=page.number)]
    columns = _columns(question.ruleset)
    chart = estimates(columns, label="player", value="rate")
    notes = [] if rows or not gathered.games else [_("No player has so many games.")]
    return Result(columns, rows, gathered.games, chart, notes, rows[:PAGE], page.next)


def _row(number: int, standing: Any) -> Values:
    sums = dict(zip(NAMES, standing.sums, strict=True))
    ended = sums["ended"]
    return {
        "place": number,
        "player": standing.player.name,
        "games": sums["games"],
        "n": ended,
        "first": sums["first"],
        "shared": sums["shared_first"],
        **put("rate", wilson(sums["first"], ended)),
        "mean_place": sums["places"] / ended if ended else None,
        **put("final", mean(ended, sums["final"], sums["final_sq"])),
    }


FIGURE: Final = Figure(
    id="players",
    title=gettext_lazy("Players"),
    definition=gettext_lazy(
        "Players of a ruleset with at least 10 games, unless other is asked; those with the most "
        "games first, or those whose rate of games won has the highest lower bound. n of the "
        "answer counts all games of the ruleset."
    ),
    formula=gettext_lazy("rate = won / ended; mean place = sum of places / ended"),
    compute=_compute,
    filters=("ruleset", "games_min"),
    own=(
        Parameter(
            "sort",
            "`games`: most games first; `won`: by the lower bound of the rate of games won.",
            {"type": "string", "enum": list(_ORDERS), "default": "games"},
            one_of(*_ORDERS),
            "games",
        ),
        *PAGED,
    ),
    basis=WHOLE,
    gather=_gather,
)
