"""The distributions of the scores of deals and of the final sums of games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.rules.rulesets import RULESETS
from records.statistics.answer import Column
from records.statistics.charts import distribution
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, counted, estimated, parts_of, put, unit
from records.statistics.gather import Gathered
from records.statistics.intervals import Estimate, mean, wilson_of_seats
from records.statistics.questions import Parameter, Question, one_of
from records.statistics.sums import ALL, MOST_BINS, Sums

#: Bars of a chart at most, the bins that each of them may join, and the share of scores that may
#: be too far out on a side to be drawn.
_BARS: Final = 48
_ROUND: Final = (1, 2, 5, 10, 20, 50)
_FAR: Final = 0.005
#: A deal's score, or a game's final sum: the name of its sums, and the width of bins.
_OF: Final = {"deal": ("score", 0), "game": ("final", 1)}


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
    name, size = _OF[question.own["of"]]
    width = RULESETS[question.ruleset].bins[size]
    sums = gathered.sums[name]
    seen = {int(key): row["seats"] for key, row in sums.items() if key != ALL}
    n, all_pairs = sums[ALL]["seats"], sums[ALL]["pairs"]
    rows = [
        {
            **_row(low, low + width, seen[low], n),
            **put("rate", wilson_of_seats(seen[low], n, sums[str(low)]["pairs"], all_pairs)),
        }
        for low in sorted(seen)
    ]
    columns = _columns(question)
    # Pairs of seats are counted by bins: bars that join some have no intervals.
    shown = [column for column in columns if not column.id.startswith("rate_")]
    title = _("Score of a deal") if question.own["of"] == "deal" else _("Final sum")
    small = unit(question.ruleset)
    title = f"{title} ({small.large})"
    chart = distribution(shown, low="low", high="high", value="rate", title=title)
    notes = _notes(question, sums)
    if seen and max(map(abs, seen)) == MOST_BINS * width:
        most = {"most": f"{MOST_BINS * width // small.size:,}", "unit": small.large}
        notes.append(_("Scores beyond %(most)s %(unit)s are counted in the outermost bins.") % most)
    step, bars = _bars(seen, width)
    if left_out := n - sum(bars.values()):
        words = {"count": f"{left_out:,}", "n": f"{n:,}"}
        notes.append(_("The chart leaves out %(count)s of %(n)s, far from the rest.") % words)
    drawn = [_row(low, low + step, count, n) for low, count in bars.items()]
    return Result(columns, rows, n, chart, notes, drawn)


def _row(low: int, high: int, count: int, n: int) -> Values:
    return {"low": low, "high": high, "count": count, "n": n, "rate": count / n}


def _bars(seen: Mapping[int, int], width: int) -> tuple[int, dict[int, int]]:
    """The bars of a chart that shows where nearly all scores are: their width, a round number of
    bins, and their counts by lower bound.

    The outermost scores are left out, `_FAR` of all on either side, if they need more bars.
    """
    lows = sorted(seen)
    if lows and lows[-1] - lows[0] >= _BARS * width:
        most = _FAR * sum(seen.values())
        lows = _near(_near(lows, seen, most)[::-1], seen, most)[::-1]
    needed = (lows[-1] - lows[0]) // width + 1 if lows else 1
    step = width * next(one for one in _ROUND if needed <= one * _BARS)
    bars: dict[int, int] = {}
    for low in lows:
        bar = low // step * step
        bars[bar] = bars.get(bar, 0) + seen[low]
    return step, bars


def _near(lows: list[int], seen: Mapping[int, int], most: float) -> list[int]:
    """Without the first of some bins, which hold no more than ``most`` scores together."""
    left_out = 0
    for number, low in enumerate(lows):
        left_out += seen[low]
        if left_out > most:
            return lows[number:]
    return lows


def _mean_of_seats(sums: Sums) -> Estimate:
    """Return the mean of seats, whose interval takes only tables as independent.

    The seats of one table depend on each other: where all of them are counted, their scores add up
    to zero, or only one of them scored.
    """
    tables, seats, _pairs, total, squares = sums[ALL].values()
    estimate = mean(tables, total, squares)
    return parts_of(estimate, seats / tables) if tables else estimate


def _notes(question: Question, sums: Sums) -> list[str]:
    """Return a sentence with the mean, which bins do not give exactly."""
    found = _mean_of_seats(sums)
    if found.value is None:
        return []
    small = unit(question.ruleset)
    words = {
        name: f"{value / small.size:,.2f}".replace("-", "−")
        for name, value in (("mean", found.value), ("low", found.low), ("high", found.high))
        if value is not None
    }
    words["unit"] = small.large
    if found.low is None or found.high is None:
        return [_("Mean %(mean)s %(unit)s.") % words]
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
