"""The distributions of the scores of deals and of the final sums of games."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.statistics.answer import Column
from records.statistics.charts import distribution
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, added, counted, estimated, put, rows_of, unit
from records.statistics.gather import Gathered
from records.statistics.questions import Parameter, Question, one_of
from records.totals.intervals import mean, wilson
from records.totals.layout import MOST_BINS, bins, number_of

#: A deal's score, or a game's final sum: its figure in the layout, and what it counts.
_OF: Final = {"deal": ("score", "deals"), "game": ("final", "games")}


def _columns(question: Question) -> list[Column]:
    ruleset = question.ruleset
    small = unit(ruleset)
    return [
        Column("low", _("From"), "count", small, _("The lowest score in the bin.")),
        Column("high", _("Below"), "count", small, _("The lowest score above the bin.")),
        Column("count", _("Seats"), "count", "", _("Deals or games of a seat in the bin.")),
        counted(_("All"), _("Deals or games of a seat.")),
        *estimated("rate", _("Share"), "rate", "", _("Count divided by n; Wilson interval.")),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    figure, name = _OF[question.own["of"]]
    width = getattr(bins(question.ruleset), figure)
    seen = {int(key): row[name] for key, row in rows_of(gathered.sums, figure).items()}
    n = sum(seen.values())
    rows: list[Values] = [
        {
            "low": low,
            "high": low + width,
            "count": seen[low],
            "n": n,
            **put("rate", wilson(seen[low], n)),
        }
        for low in sorted(seen)
    ]
    columns = _columns(question)
    title = _("Score of a deal") if question.own["of"] == "deal" else _("Final sum")
    title = f"{title} ({unit(question.ruleset)})"
    chart = distribution(columns, low="low", high="high", value="rate", title=title)
    notes = _notes(question, gathered)
    if seen and max(map(abs, seen)) == MOST_BINS * width:
        most = {"most": f"{MOST_BINS * width:,}", "unit": unit(question.ruleset)}
        notes.append(_("Scores beyond %(most)s %(unit)s are counted in the outermost bins.") % most)
    return Result(columns, rows, n, chart, notes)


def _notes(question: Question, gathered: Gathered) -> list[str]:
    """The mean, which bins do not give exactly."""
    sums = gathered.sums
    if question.own["of"] == "deal":
        deals = rows_of(sums, "deals")
        found = mean(*(added(deals, one) for one in ("deals", "score", "score_sq")))
    else:
        numbers = (number_of(sums, "seat", "all", one) for one in ("ended", "final", "final_sq"))
        found = mean(*numbers)
    if found.value is None:
        return []
    words = {"mean": f"{found.value:,.2f}", "unit": unit(question.ruleset)}
    if found.low is None or found.high is None:
        return [_("Mean %(mean)s %(unit)s.") % words]
    words |= {"low": f"{found.low:,.2f}", "high": f"{found.high:,.2f}"}
    return [_("Mean %(mean)s %(unit)s, 95 %% from %(low)s to %(high)s.") % words]


FIGURE: Final = Figure(
    id="scores",
    title=gettext_lazy("Distribution of scores"),
    definition=gettext_lazy(
        "The distribution of the scores of seats in a deal, or of their final sums, over bins of "
        "equal width; empty bins are left out."
    ),
    formula=gettext_lazy("share = deals (or games) of a seat in the bin / n"),
    compute=_compute,
    columns=_columns,
    own=(
        Parameter(
            "of",
            gettext_lazy("The scores of deals, or the final sums of games."),
            {"type": "string", "enum": list(_OF), "default": "deal"},
            one_of(*_OF),
            "deal",
        ),
    ),
)
