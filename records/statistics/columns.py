"""Columns of figures: functions from the sums of a case to the values of a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from django.utils.translation import gettext as _

from kafu.notation.vocabulary import KAN
from kafu.rules.rulesets import RULESETS
from records.statistics.answer import Case, Column, Row, Unit, Value
from records.statistics.intervals import (
    DealSums,
    Estimate,
    differ,
    mean,
    mean_of_deals,
    wilson,
    wilson_of_deals,
)


def unit(ruleset: str) -> Unit:
    """Return the unit of the sums of a ruleset, which people may read as a part of kan."""
    description = RULESETS[ruleset]
    small = _("mon") if description.mon else _("points")
    return Unit(small, _("kan"), KAN) if description.kan else Unit(small)


def counted(title: str, definition: str = "") -> Column:
    """Return the column ``n``."""
    return Column("n", title, "count", "", definition)


def share(
    id: str,
    title: str,
    definition: str,
    *,
    of: str,
    n: str = "n",
    method: Callable[[int, int], Estimate] = wilson,
) -> Column:
    """Return the column of a rate: the number ``of`` divided by ``n``, with its interval."""
    return Column(
        id, title, "rate", "", definition, estimate=lambda case: method(case[of], case[n])
    )


def average(
    id: str,
    title: str,
    small: str,
    definition: str = "",
    *,
    n: str = "n",
    total: str = "",
) -> Column:
    """Return the column of a mean: ``n`` values with the sum ``total``, by default ``id``.

    The sum of squares has the name of the sum with ``_sq``.
    """
    total = total or id

    def estimate(case: Case) -> Estimate:
        return mean(case[n], case[total], case[f"{total}_sq"])

    return Column(id, title, "number", small, definition, estimate=estimate)


def deal_sums(case: Case, total: str, n: str) -> DealSums:
    """Return the sums over deals of ``n`` cases with the sum ``total``, by the names of a case.

    The names are those of `records.statistics.sums.add_up_deals`.
    """
    return DealSums(case[f"{n}_deals"], case[f"{total}_sq"], case[f"{total}_{n}"], case[f"{n}_sq"])


def share_of_deals(id: str, title: str, definition: str, *, of: str, n: str = "n") -> Column:
    """Return the column of a rate like `share`, of cases that depend on each other in a deal."""

    def estimate(case: Case) -> Estimate:
        return wilson_of_deals(case[of], case[n], deal_sums(case, of, n))

    return Column(id, title, "rate", "", definition, estimate=estimate)


def average_of_deals(
    id: str, title: str, small: str, definition: str = "", *, n: str = "n", parts: int = 1
) -> Column:
    """Return the column of a mean like `average`, of cases that depend on each other in a deal."""

    def estimate(case: Case) -> Estimate:
        return mean_of_deals(case[n], case[id], deal_sums(case, id, n)).divided(parts)

    return Column(id, title, "number", small, definition, estimate=estimate)


def ratio(part: str, whole: str) -> Callable[[Case], float | None]:
    """Return the value of a column without an interval: one number divided by another."""
    return lambda case: case[part] / case[whole] if case[whole] else None


def flag(id: str, title: str, tests: str, chance: Callable[[Case], float | None]) -> Column:
    """Return the column of a flag for significant differences; ``tests`` states the difference."""
    definition = _(
        "Whether %(tests)s, at the level of 5%% for all rows of the table together (Holm's "
        "correction); null where nothing could be tested."
    ) % {"tests": tests}
    return Column(id, title, "flag", "", definition, chance=chance)


def flagged(tests: str, chance: Callable[[Case], float | None]) -> Column:
    """Return the column ``differs``."""
    return flag("differs", _("differs beyond chance"), tests, chance)


def with_bounds(columns: Iterable[Column]) -> list[Column]:
    """Return the columns, each estimate followed by the two bounds of its 95% interval."""
    shown: list[Column] = []
    for column in columns:
        shown.append(column)
        if column.estimate:
            words = {"title": column.title}
            low = _("%(title)s: 95%% from") % words
            high = _("%(title)s: 95%% to") % words
            shown.append(Column(f"{column.id}_low", low, column.kind, column.unit))
            shown.append(Column(f"{column.id}_high", high, column.kind, column.unit))
    return shown


def make_rows(columns: Sequence[Column], cases: Sequence[Case]) -> list[Row]:
    """Return the row of each case."""
    rows = [_make_row(columns, case) for case in cases]
    for column in columns:
        if column.chance:
            chances = [column.chance(case) for case in cases]
            for row, differs in zip(rows, differ(chances), strict=True):
                row[column.id] = differs
    return list[Row](rows)


def _make_row(columns: Sequence[Column], case: Case) -> dict[str, Value]:
    row: dict[str, Value] = {}
    for column in columns:
        if column.estimate:
            estimate = column.estimate(case)
            row[column.id] = estimate.value
            row[f"{column.id}_low"], row[f"{column.id}_high"] = estimate.low, estimate.high
        elif column.value:
            row[column.id] = column.value(case)
        elif not column.chance:
            row[column.id] = case[column.id]
    return row
