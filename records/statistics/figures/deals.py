"""Endings of deals, values of places, field grades, and scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.notation.vocabulary import GRADES as GRADE_NAMES
from kafu.odds.exact import BOUNDS, odds
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.base.figures import mean as mean_text
from records.statistics import charts
from records.statistics.answer import Case, Column
from records.statistics.columns import average, counted, flag, flagged, ratio, share, unit
from records.statistics.definition import Figure, Result
from records.statistics.gather import Gathered
from records.statistics.intervals import (
    DealSums,
    Estimate,
    chance,
    chance_of_mean,
    exact,
    mean,
    wilson_of_deals,
)
from records.statistics.questions import Question, choice
from records.statistics.sums import ALL, MOST_BINS, Sums

# How deals end ------------------------------------------------------------------------------------


def _ends_columns(question: Question) -> list[Column]:
    turns = _("Mean number of turns in such a month; score sheets have none and do not count.")
    return [
        Column("end", _("End id"), "id"),
        Column("name", _("End"), "text", value=lambda case: labels.end(case["end"])),
        Column("count", _("Months"), "count", "", _("Months that ended this way.")),
        counted(_("All months")),
        share("rate", _("Share"), _("Share of all months; Wilson interval."), of="count"),
        Column("turns", _("Turns per month"), "number", "", turns, ratio("turns", "played")),
    ]


def _compute_ends(question: Question, gathered: Gathered) -> Result:
    ends = gathered.sums["ends"]
    n = ends.total()["count"]
    return Result([{"end": end, "n": n, **sums} for end, sums in ends.most_frequent()], n)


ENDS: Final = Figure(
    id="ends",
    title=gettext_lazy("How months end"),
    definition=gettext_lazy("The share of months that ended in each way, and how long they took."),
    formula=gettext_lazy("share = months that ended this way / n"),
    columns=_ends_columns,
    compute=_compute_ends,
    chart=charts.Estimates(label="name", value="rate", measure=gettext_lazy("Share of all months")),
)

# The value of a place in the order of play: dealer (親), 胴二, ビキ ------------------------------


def place(number: str, ruleset: str) -> str:
    """Return the name of a place in the order of play."""
    if number == "1":
        return labels.dealer_mark(ruleset)
    if number == "2" and RULESETS[ruleset].round == 3:
        return _("second (dōni)")
    if int(number) == RULESETS[ruleset].round:
        return _("last (biki)")
    return _("place %(number)s") % {"number": number}


def _seats_columns(question: Question) -> list[Column]:
    small = unit(question.ruleset)

    def chance_of_rate(case: Case) -> float | None:
        return None if case["even"] is None else chance(case["won"], case["n"], case["even"])

    def chance_of_score(case: Case) -> float | None:
        if case["even_score"] is None:
            return None
        return chance_of_mean(case["n"], case["score"], case["score_sq"], case["even_score"])

    return [
        Column("place", _("Place id"), "id", "", _("Counted from the dealer, who is 1.")),
        Column(
            "name", _("Place"), "text", value=lambda case: place(case["place"], question.ruleset)
        ),
        counted(_("Months"), _("Months of a seat in this place.")),
        Column("won", _("Won"), "count", "", _("Months that it won.")),
        share("rate", _("Months won"), _("Won divided by months; Wilson interval."), of="won"),
        Column("even", _("Even"), "rate", "", _("Months won from any place.")),
        flag(
            "rate_differs",
            _("Rate differs from even"),
            _("the rate of months won differs from even"),
            chance_of_rate,
        ),
        average("score", _("Mean score"), small, _("Of a month.")),
        Column("even_score", _("Even score"), "number", small, _("From any place.")),
        flag(
            "score_differs",
            _("Score differs from even"),
            _("the mean score differs from even"),
            chance_of_score,
        ),
    ]


def _compute_seats(question: Question, gathered: Gathered) -> Result:
    deals = gathered.sums["deals"]
    places = [str(number + 1) for number in range(RULESETS[question.ruleset].round)]
    places += sorted(deals.keys() - {*places})
    whole = deals.total()
    even = {"even": ratio("won", "n")(whole), "even_score": ratio("score", "n")(whole)}
    cases = [{"place": name, **deals[name], **even} for name in places]
    return Result(cases, whole["n"])


SEATS: Final = Figure(
    id="seats",
    title=gettext_lazy("Is it an advantage to be dealer?"),
    definition=gettext_lazy(
        "How often a seat won a month, and its mean score, by its place in play order. “Even” is "
        "the value of the same seats in all places together."
    ),
    formula=gettext_lazy("rate = won / n; score = sum of the scores of months / n"),
    columns=_seats_columns,
    compute=_compute_seats,
    chart=charts.Estimates(
        label="name",
        value="rate",
        baseline="even",
        flag="rate_differs",
        zero=False,
    ),
)

# Field grades (場) by the grade carried in (二代しばり) -------------------------------------------


def _grades_columns(question: Question) -> list[Column]:
    carried = _("What was carried over; `none` for nothing.")
    deals = _("Months into which the same grade was carried over.")
    return [
        Column("bound", _("Carry-over id"), "id", "", carried),
        Column("grade", _("Grade id"), "id"),
        Column("name", _("From and to"), "text"),
        Column("count", _("Months"), "count", "", _("Months whose field had this grade.")),
        counted(_("Months with the same carry-over"), deals),
        share(
            *("rate", _("Rate"), _("Clopper and Pearson's exact interval.")),
            of="count",
            method=exact,
        ),
        Column("exact", _("Exact odds"), "rate", "", _("The chain's probability.")),
        flagged(
            _("the months differ from the Markov chain"),
            lambda case: chance(case["count"], case["n"], case["exact"]) if case["n"] else None,
        ),
    ]


def _compute_grades(question: Question, gathered: Gathered) -> Result:
    chain = odds(question.ruleset)
    assert chain.year is not None, "rulesets of this figure have grades"
    cases: list[Case] = []
    for bound in BOUNDS:
        counts = {
            grade: gathered.sums["grades"][f"{bound or '-'} {grade}"]["count"]
            for grade in GRADE_NAMES
        }
        carried = bound or "none"
        cases += [
            {
                "bound": carried,
                "grade": grade,
                "name": f"{labels.bound(carried)} → {labels.grade_brief(grade)}",
                "count": count,
                "n": sum(counts.values()),
                "exact": chain.year.grades[bound][grade] / chain.fields,
            }
            for grade, count in counts.items()
        ]
    return Result(cases, sum(case["count"] for case in cases))


GRADES: Final = Figure(
    id="grades",
    title=gettext_lazy("Field grades compared with the Markov chain"),
    definition=gettext_lazy(
        "How often each field grade followed what was carried over into a month, compared with "
        "the probabilities of the Markov chain that the rules define."
    ),
    formula=gettext_lazy("rate = months of this grade / months with the same carry-over"),
    columns=_grades_columns,
    compute=_compute_grades,
    chart=charts.Estimates(
        label="name",
        value="rate",
        measure=gettext_lazy("Share of dealt fields"),
        baseline="exact",
        flag="differs",
    ),
    has=lambda description: description.grades is not None,
)

# The distributions of the scores of deals and of the final sums of games --------------------------

#: Maximum number of bars in a chart, the numbers of bins a bar may join, and the share of outlying
#: scores on either side that a chart may leave out.
_BARS: Final = 48
_ROUND: Final = (1, 2, 5, 10, 20, 50)
_FAR: Final = 0.005
#: A deal's score, or a game's final sum: the name of its sums, and the width of bins.
_OF: Final = {"deal": ("score", 0), "game": ("final", 1)}


def _scores_columns(question: Question) -> list[Column]:
    small = unit(question.ruleset)

    def estimate(case: Case) -> Estimate:
        return wilson_of_deals(case["count"], case["n"], case["tables"])

    return [
        Column("low", _("From"), "count", small, _("The lowest score in the bin.")),
        Column("high", _("Below"), "count", small, _("The lowest score above the bin.")),
        Column("count", _("Seats"), "count", "", _("Months or games of a seat in the bin.")),
        counted(_("All"), _("Months or games of a seat.")),
        Column(
            *("rate", _("Share"), "rate", "", _("Count divided by n; Wilson interval.")),
            estimate=estimate,
        ),
    ]


def _compute_scores(question: Question, gathered: Gathered) -> Result:
    of, small = question.own["of"], unit(question.ruleset)
    name, size = _OF[of]
    width = RULESETS[question.ruleset].bins[size]
    sums = gathered.sums[name]
    bins = {int(key): row["seats"] for key, row in sums.items() if key != ALL}
    whole = sums[ALL]
    n = whole["seats"]
    cases = [
        {
            "low": low,
            "high": low + width,
            "count": bins[low],
            "n": n,
            "tables": DealSums(
                whole["tables"],
                sums[str(low)]["seats_sq"],
                sums[str(low)]["seats_n"],
                whole["seats_sq"],
            ),
        }
        for low in sorted(bins)
    ]
    notes = _mean_note(question, sums)
    if bins and max(map(abs, bins)) == MOST_BINS * width:
        most = {"most": f"{MOST_BINS * width // small.size:,}", "unit": small.large}
        notes.append(_("Scores beyond %(most)s %(unit)s are counted in the outermost bins.") % most)
    step, bars = _join_bins(bins, width)
    if left_out := n - sum(bars.values()):
        words = {"count": f"{left_out:,}", "n": f"{n:,}"}
        notes.append(_("The chart leaves out %(count)s of %(n)s, far from the rest.") % words)
    drawn = [
        {"low": low, "high": low + step, "count": count, "n": n, "rate": count / n}
        for low, count in bars.items()
    ]
    title = _("Score of a month") if of == "deal" else _("Final sum")
    title = f"{title} ({small.large})"
    chart = charts.Distribution(low="low", high="high", value="rate", title=title)
    return Result(cases, n, notes, chart, drawn)


def _join_bins(bins: Mapping[int, int], width: int) -> tuple[int, dict[int, int]]:
    """Return the width of the bars in a chart of nearly all scores, and counts by lower bound.

    The width is a round number of bins. The outermost scores are left out, a share of `_FAR` on
    either side, if they would need more than `_BARS` bars.
    """
    lows = sorted(bins)
    if lows and lows[-1] - lows[0] >= _BARS * width:
        most = _FAR * sum(bins.values())
        lows = _leave_out(_leave_out(lows, bins, most)[::-1], bins, most)[::-1]
    needed = (lows[-1] - lows[0]) // width + 1 if lows else 1
    step = width * next(count for count in _ROUND if needed <= count * _BARS)
    bars: dict[int, int] = {}
    for low in lows:
        bar = low // step * step
        bars[bar] = bars.get(bar, 0) + bins[low]
    return step, bars


def _leave_out(lows: list[int], bins: Mapping[int, int], most: float) -> list[int]:
    """Leave out the first bins, which hold no more than ``most`` scores together."""
    left_out = 0
    for number, low in enumerate(lows):
        left_out += bins[low]
        if left_out > most:
            return lows[number:]
    return lows


def _mean_note(question: Question, sums: Sums) -> list[str]:
    """Return a sentence with the exact mean of seats, which the bins only approximate.

    The interval treats tables as independent, but not the seats of a table: if all of them count,
    their scores add up to zero, or only one of them scored.
    """
    tables, seats, _seats_sq, _seats_n, total, squares = sums[ALL].values()
    if not tables:
        return []
    small = unit(question.ruleset)
    estimate = mean(tables, total, squares).divided(seats / tables).divided(small.size)
    words = {
        name: mean_text(value * small.size, small.size)
        for name, value in zip(("mean", "low", "high"), estimate, strict=True)
        if value is not None
    }
    words["unit"] = small.large
    if estimate.low is None:
        return [_("Mean %(mean)s %(unit)s.") % words]
    return [_("Mean %(mean)s %(unit)s, 95%% from %(low)s to %(high)s.") % words]


SCORES: Final = Figure(
    id="scores",
    title=gettext_lazy("Distribution of scores"),
    definition=gettext_lazy(
        "The distribution of the scores of seats in a month, or of their final sums, over bins of "
        "equal width; empty bins are left out."
    ),
    formula=gettext_lazy("share = months (or games) of a seat in the bin / n"),
    columns=_scores_columns,
    compute=_compute_scores,
    own=(
        choice(
            "of", gettext_lazy("The scores of months, or the final sums of games."), [*_OF], "deal"
        ),
    ),
)
