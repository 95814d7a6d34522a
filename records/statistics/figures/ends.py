"""How deals end."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.base import labels
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, add_rows, counted, estimated, put
from records.statistics.gather import Gathered
from records.statistics.intervals import wilson
from records.statistics.questions import Question


def _columns(question: Question) -> list[Column]:
    return [
        Column("end", _("End id"), "id"),
        Column("name", _("End"), "text"),
        Column("count", _("Deals"), "count", "", _("Deals that ended this way.")),
        counted(_("All deals")),
        *estimated("rate", _("Share"), "rate", "", _("Share of all deals; Wilson interval.")),
        Column(
            "turns", _("Turns per deal"), "number", "", _("Mean number of turns in such a deal.")
        ),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    seen = gathered.sums["ends"]
    n = add_rows(seen)["deals"]
    rows: list[Values] = [
        {
            "end": end,
            "name": labels.end(end),
            "count": row["deals"],
            "n": n,
            **put("rate", wilson(row["deals"], n)),
            "turns": row["turns"] / row["deals"],
        }
        for end, row in sorted(seen.items(), key=lambda item: (-item[1]["deals"], item[0]))
        if row["deals"]
    ]
    columns = _columns(question)
    return Result(columns, rows, n, estimates(columns, label="name", value="rate"))


FIGURE: Final = Figure(
    id="ends",
    title=gettext_lazy("How deals end"),
    definition=gettext_lazy("The share of deals that ended in each way, and how long they took."),
    formula=gettext_lazy("share = deals that ended this way / n"),
    compute=_compute,
    columns=_columns,
)
