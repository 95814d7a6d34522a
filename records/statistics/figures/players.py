"""How much each player played of a ruleset, and how their games ended."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.models import Player
from records.search.selection import cursor
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, counted, estimated, put, unit
from records.statistics.gather import Gathered, gather, stamp_of
from records.statistics.intervals import mean, wilson
from records.statistics.player_lists import PAGE, PAGED, GatheredPage, extended, read_place
from records.statistics.player_totals import PlayerTotals, read_totals
from records.statistics.questions import Parameter, Question, one_of
from records.statistics.selection import Selection

#: Minimum games of a player in the whole list, by default.
LEAST: Final = 10
#: The columns by which a list is sorted, the largest first.
_ORDERS: Final = {"games": "games", "won": "win"}


def _gather(question: Question) -> Gathered:
    order = _ORDERS[question.own.get("sort", "games")]
    is_whole = replace(question, games_min=0, own={}) == Question(question.ruleset)
    size = question.own.get("page_size", PAGE)
    after, number = read_place(question)
    selection = Selection(question)
    totals, count = read_totals(
        selection,
        least=question.games_min or (LEAST if is_whole else 0),
        order=order,
        after=after,
        size=size + 1,
    )
    shown = totals[:size]
    names = dict(
        Player.objects.order_by()
        .filter(pk__in=[row.player for row in shown])
        .values_list("pk", "name")
    )
    following = ""
    if len(totals) > size:
        following = cursor([getattr(shown[-1], order), shown[-1].player, number + size])
    page: GatheredPage = extended(
        GatheredPage,
        gather(question),
        stamp=stamp_of(map(repr, names.items())),
        listed=[(names[row.player], row) for row in shown],
        number=number + 1,
        next=following,
        total=count,
    )
    return page


def _columns(question: Question) -> list[Column]:
    ruleset = question.ruleset
    return [
        Column("place", _("No."), "count", "", _("In this list.")),
        Column("player", _("Player"), "text"),
        Column("games", _("Games"), "count"),
        counted(_("Games ended"), _("Games that came to their end.")),
        Column("first", _("Won"), "count", "", _("Games in which the player came first alone.")),
        Column("shared", _("First with others"), "count", "", _("Tied for first.")),
        *estimated("rate", _("Games won"), "rate", "", _("Won divided by ended; Wilson interval.")),
        Column(
            "mean_place",
            _("Mean place"),
            "number",
            "",
            _("Players with equal sums share the better place."),
        ),
        *estimated("final", _("Mean final sum"), "number", unit(ruleset)),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    page = gathered if isinstance(gathered, GatheredPage) else GatheredPage()
    rows = [
        _row(number, name, totals)
        for number, (name, totals) in enumerate(page.listed, start=page.number)
    ]
    columns = _columns(question)
    chart = estimates(columns, label="player", value="rate")
    notes = [] if rows or not gathered.games else [_("No player has that many games.")]
    return Result(
        columns, rows, gathered.games, chart, notes, rows[:PAGE], page.next, total=page.total
    )


def _row(number: int, name: str, totals: PlayerTotals) -> Values:
    ended = totals.ended
    return {
        "place": number,
        "player": name,
        "games": totals.games,
        "n": ended,
        "first": totals.first,
        "shared": totals.shared,
        **put("rate", wilson(totals.first, ended)),
        "mean_place": totals.ranks / ended if ended else None,
        **put("final", mean(ended, totals.final, totals.final_sq)),
    }


FIGURE: Final = Figure(
    id="players",
    title=gettext_lazy("Players"),
    definition=gettext_lazy(
        "Players of the selected games; for a whole ruleset, those with at least 10 games unless "
        "another minimum is given. Players with the most games come first, or those whose rate of "
        "games won has the highest lower bound. n of the answer counts the games."
    ),
    formula=gettext_lazy("rate = won / ended; mean place = sum of places / ended"),
    compute=_compute,
    columns=_columns,
    filters=("ruleset", "profile", "option", "event", "seat", "from", "to", "last", "games_min"),
    own=(
        Parameter(
            "sort",
            gettext_lazy(
                "`games`: most games first; `won`: by the lower bound of the rate of games won."
            ),
            {"type": "string", "enum": list(_ORDERS), "default": "games"},
            one_of(*_ORDERS),
            "games",
        ),
        *PAGED,
    ),
    basis=gettext_lazy("Players who are left out of statistics by name are not listed."),
    gather=_gather,
)
