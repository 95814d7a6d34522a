"""What a place in the order of play is worth: dealer (親), 胴二, ビキ."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.rules.rulesets import RULESETS
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import Figure, Result
from records.statistics.estimates import (
    Values,
    corrected,
    counted,
    estimated,
    in_play,
    put,
    unit,
)
from records.statistics.gather import Gathered
from records.statistics.intervals import chance, chance_of_mean, differ, mean, wilson
from records.statistics.questions import Question


def place(number: str, ruleset: str) -> str:
    """The name of a place in the order of play."""
    if number == "1":
        return _("dealer (oya)")
    if number == "2" and RULESETS[ruleset].round == 3:
        return _("second (dōni)")
    if int(number) == RULESETS[ruleset].round:
        return _("last (biki)")
    return _("place %(number)s") % {"number": number}


def _columns(question: Question) -> list[Column]:
    ruleset = question.ruleset
    won = corrected(_("the rate of deals won differs from even"))
    score = corrected(_("the mean score differs from even"))
    return [
        Column("place", _("Place id"), "id", "", _("Counted from the dealer, who is 1.")),
        Column("name", _("Place"), "text"),
        counted(_("Deals"), _("Deals of a seat in this place.")),
        Column("won", _("Won"), "count", "", _("Deals that it won.")),
        *estimated("rate", _("Deals won"), "rate", "", _("Won divided by deals; Wilson interval.")),
        Column("even", _("Even"), "rate", "", _("Deals won from any place.")),
        Column("rate_differs", _("Rate differs from even"), "flag", "", won),
        *estimated("score", _("Mean score"), "number", unit(ruleset), _("Of a deal.")),
        Column("even_score", _("Even score"), "number", unit(ruleset), _("From any place.")),
        Column("score_differs", _("Score differs from even"), "flag", "", score),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    seen = gathered.sums["deals"]
    places = [str(number + 1) for number in range(RULESETS[question.ruleset].round)]
    places += sorted(set(seen) - {*places, "out"})
    whole = in_play(gathered.sums)
    n = whole["deals"]
    even = whole["won"] / n if n else None
    even_score = whole["score"] / n if n else None
    rows: list[Values] = []
    rates: list[float | None] = []
    scores: list[float | None] = []
    for number in places:
        deals, won, score, squares = seen[number].values()
        rates.append(None if even is None else chance(won, deals, even))
        scores.append(
            None if even_score is None else chance_of_mean(deals, score, squares, even_score)
        )
        rows.append(
            {
                "place": number,
                "name": place(number, question.ruleset),
                "n": deals,
                "won": won,
                **put("rate", wilson(won, deals)),
                "even": even,
                **put("score", mean(deals, score, squares)),
                "even_score": even_score,
            }
        )
    for name, chances in (("rate", rates), ("score", scores)):
        for row, differs in zip(rows, differ(chances), strict=True):
            row[f"{name}_differs"] = differs
    columns = _columns(question)
    chart = estimates(
        columns, label="name", value="rate", baseline="even", flag="rate_differs", zero=False
    )
    return Result(columns, rows, n, chart)


FIGURE: Final = Figure(
    id="seats",
    title=gettext_lazy("The dealer's advantage"),
    definition=gettext_lazy(
        "How often a seat won a deal, and its mean score, by its place in play order. “Even” is "
        "the value of the same seats in all places together."
    ),
    formula=gettext_lazy("rate = won / n; score = sum of the scores of deals / n"),
    compute=_compute,
    columns=_columns,
)
