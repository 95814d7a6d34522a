"""A player's form: how their deals went, month by month."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.statistics.answer import Column
from records.statistics.charts import course
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, counted, estimated, put, unit
from records.statistics.figures.ratings import month_text
from records.statistics.gather import Gathered, gather
from records.statistics.player_lists import extended
from records.statistics.questions import Question
from records.statistics.selection import Selection
from records.totals.intervals import mean, wilson

#: The newest months that are shown.
MOST: Final = 120
_NAMES: Final = ("games", "first", "deals", "won", "score", "score_sq")


@dataclass(frozen=True, slots=True)
class Months(Gathered):
    """The numbers of a player's seats by month, each by its name."""

    months: Mapping[int, Mapping[str, int]] = field(default_factory=dict)


def _gather(question: Question) -> Gathered:
    """Return no months if no player is given."""
    if not question.player:
        return Months(stamp="-", notes=[_("No player is given.")])
    selection = Selection(question)
    rows = selection.fetch(
        "WITH ends AS (SELECT played, count(*) AS games,"
        " count_if(rank = 1 AND NOT shared) AS first"
        f" FROM {selection.rows('results')} WHERE played % 100 > 0 GROUP BY played),"
        " scores AS (SELECT played, count(*) AS deals, count_if(won) AS won,"
        " sum(score) AS score, sum(score * score) AS score_sq"
        f" FROM {selection.rows('seats')} WHERE scored AND place > 0 GROUP BY played)"
        " SELECT played, games, first, coalesce(deals, 0), coalesce(won, 0), coalesce(score, 0),"
        f" coalesce(score_sq, 0) FROM ends LEFT JOIN scores USING (played)"
        f" ORDER BY played DESC LIMIT {MOST}"
    )
    months: Months = extended(
        Months,
        gather(replace(question, own={})),
        stamp="form",
        months={row[0]: dict(zip(_NAMES, map(int, row[1:]), strict=True)) for row in rows[::-1]},
    )
    return months


def _columns(question: Question) -> list[Column]:
    return [
        Column("month", _("Month"), "text", "", _("Months with games of the player.")),
        Column("games", _("Games"), "count"),
        Column("first", _("Games won alone"), "count"),
        counted(_("Deals"), _("Deals that the player was in play.")),
        Column("won", _("Won"), "count", "", _("Deals won.")),
        *estimated("rate", _("Deals won"), "rate", "", _("Won divided by deals; Wilson interval.")),
        *estimated("score", _("Mean score"), "number", unit(question.ruleset), _("Of a deal.")),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    rows: list[Values] = []
    for month, sums in gathered.months.items() if isinstance(gathered, Months) else ():
        deals, won = sums["deals"], sums["won"]
        rows.append(
            {
                "month": month_text(month),
                "games": sums["games"],
                "first": sums["first"],
                "n": deals,
                "won": won,
                **put("rate", wilson(won, deals)),
                **put("score", mean(deals, sums["score"], sums["score_sq"])),
            }
        )
    columns = _columns(question)
    chart = course(columns, month="month", value="rate")
    drawn = [row for row in rows if row["n"]]
    return Result(columns, rows, sum(int(row["n"] or 0) for row in rows), chart, (), drawn)


FIGURE: Final = Figure(
    id="form",
    title=gettext_lazy("Form by month"),
    definition=gettext_lazy(
        "How a player's deals went, month by month: how many they won, and what they scored. Games "
        "that are not dated to the month are left out."
    ),
    formula=gettext_lazy("rate = won / n; mean score = sum of scores / n"),
    compute=_compute,
    columns=_columns,
    filters=("ruleset", "profile", "player", "from", "to"),
    gather=_gather,
)
