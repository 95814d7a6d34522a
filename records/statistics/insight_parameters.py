"""The parameters of insights, and which of their values go together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.rules.rulesets import RULESETS
from records.search.filters import BadParameter, shown, yaku_of
from records.statistics.dimensions import (
    DIMENSIONS,
    RULESET,
    Dimension,
    possible_dimensions,
)
from records.statistics.estimates import LEAST
from records.statistics.metrics import METRICS, Metric
from records.statistics.questions import Parameter, Question, count_to, cursor_parameter, one_of

#: Rows of a page, and the maximum.
PAGE: Final = 100
MOST: Final = 1000
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


def find_faults(question: Question) -> Iterator[BadParameter]:
    """Yield the parameters that do not go together."""
    metric = metric_of(question)
    by = [dimension.id for dimension in dimensions_of(question)]
    known = possible_dimensions(metric)
    for name in BY:
        value = question.own[name]
        if value and value not in known:
            words = {"value": value, "metric": metric.id, "known": ", ".join(known)}
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


def _read_yaku(value: str, question: Question) -> str:
    known = yaku_of(question.ruleset)
    if value not in known:
        words = {"value": shown(value), "known": ", ".join(known) or "–"}
        raise ValueError(_("unknown value “%(value)s”; expected %(known)s.") % words)
    return value


def _dimension(name: str, meaning: Promise) -> Parameter:
    known = tuple(DIMENSIONS)
    return Parameter(name, meaning, {"type": "string", "enum": known}, one_of(*known), "")


PARAMETERS: Final = (
    Parameter(
        "metric",
        gettext_lazy("What is measured."),
        {"type": "string", "enum": list(METRICS), "default": "win_rate"},
        one_of(*METRICS),
        "win_rate",
    ),
    _dimension("by", gettext_lazy("What tells rows apart; none for one row.")),
    _dimension("by2", gettext_lazy("What tells them apart further.")),
    Parameter(
        "yaku",
        gettext_lazy("With `metric=yaku_rate` only this yaku."),
        {"type": "string"},
        _read_yaku,
    ),
    LEAST,
    Parameter(
        "sort",
        gettext_lazy(
            "The order of rows: `usual`, by what tells them apart, or those with the most cases "
            "first; by their values, the lowest or the highest first."
        ),
        {"type": "string", "enum": list(SORTS), "default": SORTS[0]},
        one_of(*SORTS),
        SORTS[0],
    ),
    cursor_parameter(1),
    Parameter(
        "page_size",
        gettext_lazy("Rows in one answer."),
        {"type": "integer", "minimum": 1, "maximum": MOST, "default": PAGE},
        count_to(MOST, 1),
        PAGE,
    ),
)
