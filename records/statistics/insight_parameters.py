"""The parameters of insights, and the rules for combining their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.odds.exact import seat_odds
from kafu.rules.rulesets import RULESETS
from records.search.filters import BadParameter, yaku_of
from records.statistics.dimensions import DIMENSIONS, RULESET, Dimension, possible_dimensions
from records.statistics.metrics import METRICS, Metric
from records.statistics.questions import (
    LEAST,
    Parameter,
    Question,
    choice,
    house_options,
    one_of,
    paging,
)

#: Orders of rows.
USUAL, LOW, HIGH = SORTS = ("usual", "low", "high")
#: The parameters that name dimensions.
BY: Final = ("by", "by2")


def metric_of(question: Question) -> Metric:
    """Return the metric of a query."""
    return METRICS[question.own["metric"]]


def dimensions_of(question: Question) -> tuple[Dimension, ...]:
    """Return the dimensions of a query."""
    return tuple(DIMENSIONS[question.own[name]] for name in BY if question.own[name])


def offered_yaku(question: Question) -> Sequence[str]:
    """Return the yaku of the house in the query, or of all houses of the ruleset."""
    all_yaku = yaku_of(question.ruleset)
    house = house_options(question)
    if not house or not all_yaku:
        return all_yaku
    rules = RULESETS[question.ruleset]
    captured = rules.captured_yaku({**rules.defaults(question.profile), **house})
    of_house = {
        *seat_odds(question.ruleset, house),
        *(yaku.id for yaku in captured),
        *(*rules.monthly, *rules.special),
    }
    return [id for id in all_yaku if id in of_house]


def find_faults(question: Question) -> Iterator[BadParameter]:
    """Yield a fault for each parameter that contradicts another."""
    metric = metric_of(question)
    by = [dimension.id for dimension in dimensions_of(question)]
    possible = possible_dimensions(metric)
    for name in BY:
        value = question.own[name]
        if value and value not in possible:
            words = {"value": value, "metric": metric.id, "known": ", ".join(possible)}
            message = _("“%(value)s” is not known of %(metric)s; expected %(known)s.") % words
            yield BadParameter(name, message)
    if question.own["by2"] and not question.own["by"]:
        yield BadParameter("by2", _("expected by too: rows are by this and then by by2."))
    elif len(set(by)) < len(by):
        yield BadParameter("by2", _("expected another dimension than by."))
    if question.own["yaku"] and metric.id != "yaku_rate":
        yield BadParameter("yaku", _("expected with metric=yaku_rate only."))
    rulesets = [id for id, rules in RULESETS.items() if metric.table != "choices" or rules.choice]
    is_mixed = metric.is_sum and not question.ruleset and RULESET not in by
    if is_mixed or question.ruleset not in (*rulesets, ""):
        words = {"known": ", ".join(rulesets)}
        yield BadParameter("ruleset", _("expected one of %(known)s; or by=ruleset.") % words)


PARAMETERS: Final = (
    choice("metric", gettext_lazy("What is measured."), METRICS, "win_rate"),
    choice("by", gettext_lazy("What tells rows apart; none for one row."), DIMENSIONS, ""),
    choice("by2", gettext_lazy("What tells them apart further."), DIMENSIONS, ""),
    Parameter(
        "yaku",
        gettext_lazy("With `metric=yaku_rate` only this yaku."),
        {"type": "string"},
        one_of(offered_yaku),
    ),
    LEAST,
    choice(
        "sort",
        gettext_lazy(
            "The order of rows: `usual`, by what tells them apart, or those with the most cases "
            "first; by their values, the lowest or the highest first."
        ),
        SORTS,
        USUAL,
    ),
    *paging(1, gettext_lazy("Rows in one answer."), 100),
)
