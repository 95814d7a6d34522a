"""How often each yaku is made, and what it brings."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.odds.exact import NONE, odds
from records.base import labels
from records.models.families import family_of
from records.search.filters import yaku_of
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import Figure, Result
from records.statistics.estimates import (
    Values,
    corrected,
    counted,
    estimated,
    flagged,
    in_play,
    put,
    rows_of,
    unit,
)
from records.statistics.gather import Gathered
from records.statistics.questions import Question
from records.totals.intervals import chance, differ, mean, wilson
from records.totals.layout import LAYOUT

#: Families in the order of the table.
_FAMILIES: Final = ("dealt", "captured", "special", "other")


def _columns(question: Question) -> list[Column]:
    ruleset = question.ruleset
    return [
        Column("yaku", _("Yaku id"), "id"),
        Column("name", _("Yaku"), "text"),
        Column("family", _("Family"), "text", "", _("Dealt-hand, captured, special, or other.")),
        Column(
            "times",
            _("Times"),
            "count",
            "",
            _("How often it was paid, not counting struck-out payments."),
        ),
        counted(_("Deals of a seat"), _("Deals that a seat was in play.")),
        *estimated(
            "rate", _("Rate"), "rate", "", _("Times divided by deals of a seat; Wilson interval.")
        ),
        Column("exact", _("Exact odds"), "rate", "", _("Of dealt-hand yaku, by the rules.")),
        Column("one_in", _("One in"), "one-in", "", _("The n of 1/n of the exact odds.")),
        flagged(corrected(_("the rate differs from the exact odds"))),
        Column("alone", _("Alone"), "count", "", _("Times that it was paid alone.")),
        *estimated("value", _("Mean value"), "number", unit(ruleset), _("When paid alone.")),
        Column("void", _("Struck out"), "count", "", _("Times that it was struck out.")),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    made = rows_of(gathered.sums, "yaku")
    n = in_play(gathered.sums)["deals"]
    exact = _exact(question.ruleset)
    known = (*yaku_of(question.ruleset), *exact)
    ids = sorted(dict.fromkeys((*known, *made)), key=lambda id: _FAMILIES.index(family_of(id)))
    nothing = dict.fromkeys(LAYOUT["yaku"].names, 0)
    rows: list[Values] = []
    chances: list[float | None] = []
    for id in ids:
        times, alone, amount, void, squares = made.get(id, nothing).values()
        odd = exact.get(id)
        chances.append(chance(times, n, odd) if odd and n else None)
        rows.append(
            {
                "yaku": id,
                "name": labels.yaku(id),
                "family": str(family_of(id).label),
                "times": times,
                "n": n,
                **put("rate", wilson(times, n)),
                "exact": odd,
                "one_in": 1 / odd if odd else None,
                "alone": alone,
                **put("value", mean(alone, amount, squares)),
                "void": void,
            }
        )
    for row, differs in zip(rows, differ(chances), strict=True):
        row["differs"] = differs
    columns = _columns(question)
    chart = estimates(columns, label="name", value="rate", baseline="exact", flag="differs")
    drawn = [row for row in rows if row["times"] and family_of(str(row["yaku"])) != "other"]
    note = _(
        "A dealt-hand yaku counts when it is declared and paid; houses that do not play one lower "
        "its rate. For the dealt hands themselves see “Dealt hands compared with exact odds”."
    )
    return Result(columns, rows, n, chart, [note], drawn)


def _exact(ruleset: str) -> dict[str, float]:
    """The probability of each dealt-hand yaku of a hand."""
    hands = odds(ruleset).hands
    found = {**hands.rows, **hands.columns}
    return {id: count / hands.total for id, count in found.items() if id != NONE and count}


FIGURE: Final = Figure(
    id="yaku",
    title=gettext_lazy("How often yaku are made, and their value"),
    definition=gettext_lazy(
        "For each yaku, how often it was paid in the deals that a seat was in play, and what it "
        "brought on average when it was paid alone. Dealt-hand yaku are compared with their exact "
        "odds."
    ),
    formula=gettext_lazy("rate = times / n; value = sum of the payments / times alone"),
    compute=_compute,
    columns=_columns,
)
