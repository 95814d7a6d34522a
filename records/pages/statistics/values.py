"""Values of statistics for people."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from records.base import figures
from records.base.labels import Units
from records.statistics.answer import Column
from records.wording.steps import amount


def format_cell(value: Any, column: Column, units: Units | None) -> str:
    """Return a value for people: a sum of a ruleset with kan in both units, a mean in kan."""
    if value is not None and column.unit:
        if column.kind == "number":
            return figures.mean(value, column.size)
        if column.size > 1:
            return amount(value, units=units).removeprefix("+")
    return format_value(value, column.kind)


def format_value(value: str | int | float | bool | None, kind: str) -> str:
    """Return a value for people: ``1,234``, ``−0.52``, ``35.2 %``, ``1 in 46``; ``–`` for None."""
    if value is None:
        return "–"
    if kind == "flag":
        return _("yes") if value else _("no")
    if isinstance(value, str):
        return value
    if kind == "rate":
        return figures.percent(value)
    if kind == "one-in":
        return figures.odds(value)
    if kind == "number" and not isinstance(value, int):
        return figures.decimal(value, 2)
    return figures.number(value, 0)
