"""Dealt hands as counted, with the exact odds."""

from __future__ import annotations

from collections import Counter
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.odds.exact import NONE, house_hands
from records.base import labels
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, corrected, counted, estimated, flagged, put
from records.statistics.gather import Gathered
from records.statistics.intervals import chance, differ, exact
from records.statistics.questions import Question, house_options


def _columns(question: Question) -> list[Column]:
    return [
        Column("family", _("Family id"), "id", "", _("`row`: by count; `col`: of dregs.")),
        Column("yaku", _("Yaku id"), "id"),
        Column("name", _("Yaku"), "text"),
        Column("count", _("Hands"), "count", "", _("Hands that had it, declared or not.")),
        counted(_("All hands"), _("Dealt hands of which every card is known.")),
        *estimated("rate", _("Rate"), "rate", "", _("Clopper and Pearson's exact interval.")),
        Column("exact", _("Exact odds"), "rate", "", _("The probability by the rules.")),
        Column("one_in", _("One in"), "one-in", "", _("The n of 1/n of the exact odds.")),
        Column("expected", _("Expected"), "number", "", _("Hands by the exact odds.")),
        Column("chance", _("p-value"), "number", "", _("Of the exact binomial test.")),
        flagged(corrected(_("the hands differ from the exact odds"))),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    of_place, *others = house_hands(question.ruleset, house_options(question))
    hands = of_place.hands
    seen = gathered.sums["hands"]
    n = seen["hands"]["deals"]
    cells = [
        (family, yaku, ways)
        for family, counts in (("row", hands.rows), ("col", hands.columns))
        if len(counts) > 1
        for yaku, ways in counts.items()
    ]
    times = Counter[tuple[str, str]]()
    for key, sums in seen.items():
        family, _space, yaku = key.partition(" ")
        times[family, of_place.names.get(yaku, yaku)] += sums["deals"]
    rows: list[Values] = []
    chances: list[float | None] = []
    for family, yaku, ways in cells:
        count = times[family, yaku]
        odd = ways / hands.total
        chances.append(chance(count, n, odd) if n else None)
        rows.append(
            {
                "family": family,
                "yaku": yaku,
                "name": _none(family) if yaku == NONE else labels.yaku(yaku),
                "count": count,
                "n": n,
                **put("rate", exact(count, n)),
                "exact": odd,
                "one_in": 1 / odd if odd else None,
                "expected": odd * n,
                "chance": chances[-1],
            }
        )
    for row, differs in zip(rows, differ(chances), strict=True):
        row["differs"] = differs
    columns = _columns(question)
    chart = estimates(columns, label="name", value="rate", baseline="exact", flag="differs")
    drawn = [row for row in rows if row["yaku"] != NONE]
    notes = [
        _(
            "Hands of one deal come from one pack and are not quite independent; the interval "
            "treats them as independent."
        ),
        _(
            "Yaku are those of the house of the question, by default the document's; hands of "
            "other houses are counted by them too."
        ),
        _(
            "Some houses deal again for hands that others play, such as a four of a month. Those "
            "hands are missing from their records, which changes the rates."
        ),
    ]
    if others:
        notes.append(
            _(
                "A yaku that only dōni (胴二) may show counts in the hand of every seat: cards are "
                "dealt without regard to the place."
            )
        )
    return Result(columns, rows, n, chart, notes, drawn)


def _none(family: str) -> str:
    return _("no yaku by count") if family == "row" else _("no yaku of dregs")


FIGURE: Final = Figure(
    id="hands",
    title=gettext_lazy("Dealt hands compared with exact odds"),
    definition=gettext_lazy(
        "How often a dealt hand had each dealt-hand yaku of the house, declared or not, compared "
        "with the probability that the rules give it. A hand counts for its most valuable "
        "declaration."
    ),
    formula=gettext_lazy("rate = hands with the yaku / n; exact = such hands / all possible hands"),
    compute=_compute,
    columns=_columns,
    has=lambda rules: rules.dealt is not None,
)
