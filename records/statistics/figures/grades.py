"""Field grades (場) by the grade carried in (二代しばり), with the chain's exact probabilities."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.notation.vocabulary import GRADES
from kafu.odds.exact import BOUNDS, odds
from records.base import labels
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, corrected, counted, estimated, flagged, put
from records.statistics.gather import Gathered
from records.statistics.intervals import chance, differ, exact
from records.statistics.questions import Question

_SEPARATOR: Final = " → "


def _columns(question: Question) -> list[Column]:
    return [
        Column(
            "bound", _("Carry-over id"), "id", "", _("What was carried over; `none` for nothing.")
        ),
        Column("grade", _("Grade id"), "id"),
        Column("name", _("From and to"), "text"),
        Column("count", _("Deals"), "count", "", _("Deals whose field had this grade.")),
        counted(
            _("Deals with the same carry-over"),
            _("Deals into which the same grade was carried over."),
        ),
        *estimated("rate", _("Rate"), "rate", "", _("Clopper and Pearson's exact interval.")),
        Column("exact", _("Exact odds"), "rate", "", _("The chain's probability.")),
        flagged(corrected(_("the deals differ from the Markov chain"))),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    known = odds(question.ruleset)
    assert known.year is not None, "rulesets of this figure have grades"
    rows: list[Values] = []
    chances: list[float | None] = []
    total = 0
    for bound in BOUNDS:
        counts = {
            grade: gathered.sums["grades"][f"{bound or '-'} {grade}"]["deals"] for grade in GRADES
        }
        n = sum(counts.values())
        total += n
        for grade, count in counts.items():
            odd = known.year.grades[bound][grade] / known.fields
            chances.append(chance(count, n, odd) if n else None)
            words = (labels.bound(bound or "none"), labels.grade_brief(grade))
            rows.append(
                {
                    "bound": bound or "none",
                    "grade": grade,
                    "name": _SEPARATOR.join(words),
                    "count": count,
                    "n": n,
                    **put("rate", exact(count, n)),
                    "exact": odd,
                }
            )
    for row, differs in zip(rows, differ(chances), strict=True):
        row["differs"] = differs
    columns = _columns(question)
    chart = estimates(columns, label="name", value="rate", baseline="exact", flag="differs")
    return Result(columns, rows, total, chart)


FIGURE: Final = Figure(
    id="grades",
    title=gettext_lazy("Field grades compared with the Markov chain"),
    definition=gettext_lazy(
        "How often each field grade followed what was carried over into a month, compared with "
        "the probabilities of the Markov chain that the rules define."
    ),
    formula=gettext_lazy("rate = deals of this grade / deals with the same carry-over"),
    compute=_compute,
    columns=_columns,
    has=lambda rules: rules.grades is not None,
)
