"""Filters of sums.

`{{ points|sum:score.units }}` writes kan if the ruleset counts in kan, `{{ sum|final:rules }}` a
sum of the settlement.
"""

from __future__ import annotations

from django import template

from records.base.labels import Units
from records.wording.steps import amount, final_sum

register = template.Library()


@register.filter("sum")
def sum_(points: int, units: Units | None) -> str:
    """Return a sum with units as ``+7k`` (``+7貫``), without units as ``12``, ``−3``."""
    return amount(points, units=units) if units else str(points).replace("-", "−")


@register.filter
def minus(figure: str) -> str:
    """Return a figure with a true minus sign."""
    return figure.replace("-", "−")


@register.filter
def final(sum_: int, rules: str) -> str:
    """Return a player's settlement in the units of the ruleset: ``45``, ``−9``, ``+13k``."""
    return final_sum(sum_, rules)
