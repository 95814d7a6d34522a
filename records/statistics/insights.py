"""Insights: a figure that shows any metric by up to two dimensions, with its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.db.models import Count, Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from kafu.odds.exact import seat_odds
from kafu.rules.rulesets import RULESETS
from records.facts.refresh import find_due
from records.models import Rating
from records.search.filters import BadParameter, yaku_of
from records.search.selection import cursor
from records.statistics import charts
from records.statistics.answer import Case, Column, Extremes, Row
from records.statistics.cells import (
    BY,
    SORTS,
    USUAL,
    Cell,
    Tabulated,
    dimensions_of,
    is_of_deals,
    metric_of,
    tabulate,
)
from records.statistics.columns import counted, make_rows, unit
from records.statistics.definition import Figure, Result
from records.statistics.dimensions import (
    DIMENSIONS,
    OPTION,
    RULESET,
    Dimension,
    name_rule,
    possible_dimensions,
)
from records.statistics.gather import Gathered, gather
from records.statistics.intervals import Estimate, mean_of_deals, wilson_of_deals
from records.statistics.metrics import METRICS, ZERO_SUM, Metric
from records.statistics.questions import (
    LEAST,
    Parameter,
    Question,
    choice,
    house_options,
    is_zero_sum,
    one_of,
    paging,
    read_place,
)

_LABEL: Final = "label"
_NAMES: Final = ("name", "name2")


def offered_yaku(question: Question) -> Sequence[str]:
    """Return the yaku of the house in the query, or of all houses of the ruleset."""
    all_yaku = yaku_of(question.ruleset)
    options = house_options(question)
    if not options or not all_yaku:
        return all_yaku
    description = RULESETS[question.ruleset]
    captured = description.captured_yaku({**description.defaults(question.profile), **options})
    of_house = {
        *seat_odds(question.ruleset, options),
        *(yaku.id for yaku in captured),
        *(*description.monthly, *description.special),
    }
    return [id for id in all_yaku if id in of_house]


def offered_rules(question: Question) -> Sequence[str]:
    """Return the options of the ruleset of a query, whose values can be rows."""
    if not question.ruleset:
        return ()
    return [name for name in RULESETS[question.ruleset].options if name != "profile"]


def possible_rulesets(metric: Metric) -> list[str]:
    """Return the ids of the rulesets of a metric."""
    return [
        id
        for id, description in RULESETS.items()
        if metric.table != "choices" or description.choice
    ]


def is_fixed(question: Question) -> bool:
    """Return whether the rules alone decide the value of every row of a query.

    In a zero-sum ruleset each deal has one winner and scores that add up to zero. In koi-koi the
    scores of a house may add up to zero too, but a deal may have no winner. Luck and
    balances of all seats add up to zero in every ruleset.
    """
    metric = metric_of(question)
    if not (metric.shared and question.ruleset and is_of_deals(question)):
        return False
    if metric.table in ZERO_SUM:
        return True
    return is_zero_sum(question if metric.is_sum else Question(question.ruleset))


def seat_dimensions(question: Question) -> list[str]:
    """Return the ids of the metric's dimensions that distinguish the seats of a deal."""
    possible = possible_dimensions(metric_of(question))
    return [id for id in possible if not DIMENSIONS[id].of_deal]


def find_faults(question: Question) -> Iterator[BadParameter]:
    """Yield a fault for each parameter that contradicts another, and for a query `is_fixed`."""
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
    if by and is_fixed(question):
        words = {"metric": metric.id, "known": ", ".join(seat_dimensions(question))}
        message = _(
            "By the rules %(metric)s is the same in every row: it adds up to the same in each "
            "month. Expected a dimension of the seat too (%(known)s), player or seat, or another "
            "metric."
        )
        yield BadParameter("by", message % words)
    if question.own["yaku"] and metric.id != "yaku_rate":
        yield BadParameter("yaku", _("expected with metric=yaku_rate only."))
    if bool(question.own["rule"]) != (OPTION in by):
        yield BadParameter("rule", _("expected with by=option, and only with it."))
    rulesets = possible_rulesets(metric)
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
    Parameter(
        "rule",
        gettext_lazy("With `by=option` the option whose values are the rows, such as `months`."),
        {"type": "string", "pattern": "^[a-z-]+$"},
        one_of(offered_rules),
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


# The response -------------------------------------------------------------------------------------


def _read(question: Question) -> Gathered:
    """Read the games of a query, and which ratings there are; no facts are counted yet."""
    newest = Rating.objects.order_by().aggregate(n=Count("pk"), last=Max("pk"), at=Max("changed"))
    return gather(question, newest)


def title_dimension(question: Question, dimension: Dimension) -> str:
    """Return the title of a dimension: of a house option, the option's."""
    if dimension.id == OPTION:
        return name_rule(question.ruleset, question.own["rule"])
    return str(dimension.title)


def _columns(question: Question) -> list[Column]:
    metric, dimensions = metric_of(question), dimensions_of(question)
    small = unit(question.ruleset) if metric.is_sum and question.ruleset else str(metric.unit)
    columns = [
        Column(name, title_dimension(question, dimension), kind, "", str(dimension.gloss))
        for names, kind in ((BY, "id"), (_NAMES, "text"))
        for name, dimension in zip(names, dimensions, strict=False)
    ]
    if not dimensions:
        columns.append(Column("name", _("Situation"), "text"))
    columns.append(counted(_("Cases"), str(metric.cases)))
    title, gloss = str(metric.title), str(metric.gloss)
    if metric.kind != "rate":

        def estimate_mean(case: Case) -> Estimate:
            return mean_of_deals(case["n"], case["count"], case["deals"]).divided(metric.parts)

        return [*columns, Column("value", title, "number", small, gloss, estimate=estimate_mean)]

    def estimate_rate(case: Case) -> Estimate:
        return wilson_of_deals(case["count"], case["n"], case["deals"])

    words = {"definition": gloss, "formula": _("Wilson interval.")}
    with_formula = _("%(definition)s %(formula)s") % words
    return [
        *columns,
        Column("count", _("Times"), "count", "", gloss),
        Column("value", title, "rate", "", with_formula, estimate=estimate_rate),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    if gathered.selection is None:
        return Result([], 0, chart=_draw(question))
    table = tabulate(gathered.selection)
    cases = _to_cases(question, table.page)
    (start,) = read_place(question, 1)
    following = start + len(cases)
    extremes = None
    if table.extremes is not None:
        *cells, is_apart = table.extremes
        high, low = make_rows(_columns(question), _to_cases(question, cells))
        extremes = Extremes(high, low, is_apart)
    drawn = make_rows(_columns(question), _to_cases(question, table.drawn))
    return Result(
        cases,
        table.cases,
        [*_notes(question, table, make_rows(_columns(question), cases))],
        _draw(question),
        [{**row, _LABEL: _label(row)} for row in drawn],
        next=cursor([following]) if following < table.cells else "",
        total=table.cells,
        extremes=extremes,
    )


def _to_cases(question: Question, cells: Sequence[Cell]) -> list[Case]:
    dimensions = dimensions_of(question)
    texts = [
        dimension.texts([cell.codes[number] for cell in cells], question)
        for number, dimension in enumerate(dimensions)
    ]
    cases: list[Case] = []
    for number, cell in enumerate(cells):
        case: dict[str, Any] = {} if dimensions else {"name": _("all")}
        for id, name, texts_of_cells in zip(BY, _NAMES, texts, strict=False):
            case[id], case[name] = texts_of_cells[number]
        cases.append({**case, "n": cell.n, "count": cell.total, "deals": cell.deals})
    return cases


def _label(row: Mapping[str, Any]) -> str:
    return " · ".join(str(row[name]) for name in _NAMES if name in row)


def _notes(question: Question, table: Tabulated, rows: Sequence[Row]) -> Iterator[str]:
    due = find_due()
    if (due.filter(ruleset=question.ruleset) if question.ruleset else due).exists():
        yield _("Games that came or changed just now are not counted yet.")
    dimensions, metric = dimensions_of(question), metric_of(question)
    if is_fixed(question):
        yield _("The rules alone decide this value: it adds up to the same in each month.")
    has_spread = any(dimension.spread for dimension in dimensions)
    if not has_spread and table.known < table.cases:
        unknown = table.cases - table.known
        text = ngettext(
            "%(n)s case has no known value and is in no row.",
            "%(n)s cases have no known value and are in no row.",
            unknown,
        )
        yield text % {"n": f"{unknown:,}"}
    if any(dimension.id == "hand" for dimension in dimensions) and _has_houses(question.ruleset):
        yield _(
            "Yaku are those of the house of the question, by default the document's; hands of "
            "other houses are counted by them too."
        )
    if metric.id.startswith("gain"):
        yield _(
            "Players who play on usually have better cards than those who stop: a gain describes "
            "only the months in which somebody did play on."
        )
    if table.cells > len(table.drawn):
        words = {"drawn": f"{len(table.drawn):,}", "rows": f"{table.cells:,}"}
        yield _("The chart shows the %(drawn)s rows with the most cases, of %(rows)s.") % words
    if any(row["value_low"] is None for row in rows):
        yield _("A mean of fewer than 20 months, or of equal values, has no interval.")


def _has_houses(ruleset: str) -> bool:
    """Return whether the houses of a ruleset have different dealt-hand yaku."""
    dealt = RULESETS[ruleset].dealt if ruleset else None
    return dealt is not None and dealt.in_house is not None


def _draw(question: Question) -> charts.Estimates:
    return charts.Estimates(label=_LABEL, value="value", zero=metric_of(question).is_sum)


INSIGHTS: Final = Figure(
    id="insights",
    title=gettext_lazy("Insights"),
    definition=gettext_lazy(
        "One metric of the selected games, by one or two dimensions: how it differs from seat to "
        "seat, from month to month, against stronger opponents."
    ),
    formula=gettext_lazy("value = count / n, or sum of the values / n"),
    columns=_columns,
    compute=_compute,
    read=_read,
    own=PARAMETERS,
    faults=find_faults,
    any_ruleset=True,
    page="insights",
    forms=(
        {"metric": "score", "by": "seat", "by2": "month"},
        {"metric": "win_rate", "by": "seat", "by2": "month"},
        {"metric": "win_rate", "by": "", "by2": ""},
    ),
    basis=gettext_lazy(
        "Months that were dealt again or given up do not count, nor seats that sat out, except "
        "for luck, own choices, balances and games won. A case with several opponents or yaku "
        "counts in the row of each. Players who are left out of statistics by name are in no row."
    ),
)
