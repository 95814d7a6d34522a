"""A player's form: how their deals went, month by month."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.statistics.answer import Column
from records.statistics.charts import course
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, counted, estimated, put, unit
from records.statistics.figures.ratings import month_text
from records.statistics.gather import Gathered, gather
from records.statistics.intervals import mean, wilson
from records.statistics.player_lists import extended
from records.statistics.questions import Question
from records.statistics.selection import Selection

#: The newest months that are shown.
MOST: Final = 120


class MonthOfPlayer(NamedTuple):
    """A player's games of a month, those won alone, and their deals."""

    month: int
    games: int
    first: int
    deals: int
    won: int
    score: int
    score_sq: int


@dataclass(frozen=True, slots=True)
class Months(Gathered):
    """A player's newest months, in their order."""

    months: Sequence[MonthOfPlayer] = ()


def _gather(question: Question) -> Gathered:
    """Return nothing if no player is given."""
    if not question.player:
        return Months(stamp="-", notes=[_("No player is given.")])
    selection = Selection(replace(question, own={}))
    rows = selection.fetch(
        f"""
        WITH games AS (
            SELECT played, count(*) AS games, count(*) FILTER (rank = 1 AND NOT shared) AS first
            FROM {selection.rows("results")} WHERE played % 100 > 0 GROUP BY played
        ),
        deals AS (
            SELECT played, count(*) AS deals, count(*) FILTER (won) AS won, sum(score) AS score,
                sum(score * score) AS score_sq
            FROM {selection.rows("seats")} WHERE scored AND place > 0 GROUP BY played
        )
        SELECT played, games, first, coalesce(deals, 0), coalesce(won, 0), coalesce(score, 0),
            coalesce(score_sq, 0)
        FROM games LEFT JOIN deals USING (played) ORDER BY played DESC LIMIT {MOST}
        """
    )
    months = [MonthOfPlayer(*map(int, row)) for row in reversed(rows)]
    found: Months = extended(Months, gather(selection.question), stamp="form", months=months)
    return found


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
    months = gathered.months if isinstance(gathered, Months) else ()
    rows: list[Values] = [
        {
            "month": month_text(month.month),
            "games": month.games,
            "first": month.first,
            "n": month.deals,
            "won": month.won,
            **put("rate", wilson(month.won, month.deals)),
            **put("score", mean(month.deals, month.score, month.score_sq)),
        }
        for month in months
    ]
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
