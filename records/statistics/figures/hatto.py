"""法度: how often hatto cards are thrown, and what that costs."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.base import labels
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import Figure, Result
from records.statistics.estimates import (
    Values,
    add_rows,
    counted,
    estimated,
    in_play,
    put,
    unit,
)
from records.statistics.gather import Gathered
from records.statistics.intervals import wilson
from records.statistics.questions import Question
from records.statistics.sums import ALL


def _columns(question: Question) -> list[Column]:
    ruleset = question.ruleset
    small = unit(ruleset)
    return [
        Column("card", _("Card letter"), "id", "", _("`all` for all cards together.")),
        Column("name", _("Card"), "text"),
        Column("thrown", _("Thrown"), "count", "", _("Times that a seat threw it as hatto.")),
        counted(_("Deals of a seat"), _("Deals that a seat was in play.")),
        *estimated("rate", _("Thrown per deal"), "rate", "", _("Wilson interval.")),
        Column("paid", _("Paid"), "count", "", _("Times that the thrower had to pay for others.")),
        *estimated("paid_rate", _("Paid per throw"), "rate", "", _("Wilson interval.")),
        Column("cost", _("Cost"), "count", small, _("Paid for others, in total.")),
        Column(
            "cost_thrown", _("Cost per throw"), "number", small, _("Cost divided by times thrown.")
        ),
        Column("cost_paid", _("Cost when paid"), "number", small, _("Cost divided by times paid.")),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    seen = gathered.sums["hatto"]
    n = in_play(gathered.sums)["deals"]
    cards = sorted(seen.items(), key=lambda item: (-item[1]["n"], item[0]))
    rows: list[Values] = []
    for card, row in ((ALL, add_rows(seen)), *cards):
        thrown, cost, paid = row["n"], row["cost"], row["paid"]
        rows.append(
            {
                "card": card,
                "name": _("all cards") if card == ALL else labels.apart(card, labels.card(card)),
                "thrown": thrown,
                "n": n,
                **put("rate", wilson(thrown, n)),
                "paid": paid,
                **put("paid_rate", wilson(paid, thrown)),
                "cost": cost,
                "cost_thrown": cost / thrown if thrown else None,
                "cost_paid": cost / paid if paid else None,
            }
        )
    columns = _columns(question)
    return Result(columns, rows, n, estimates(columns, label="name", value="paid_rate"))


FIGURE: Final = Figure(
    id="hatto",
    title=gettext_lazy("Hatto and its cost"),
    definition=gettext_lazy(
        "How often a seat threw a hatto card, how often it then had to pay for the others, and "
        "how much."
    ),
    formula=gettext_lazy("rate = thrown / n; paid rate = paid / thrown; costs by throws"),
    compute=_compute,
    columns=_columns,
    has=lambda rules: rules.hatto,
)
