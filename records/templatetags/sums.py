"""Sums in templates: `{{ points|kan:replay.kan }}` writes kan where the ruleset counts in them,
`{{ sum|final:rules }}` a sum of the settlement."""

from __future__ import annotations

from django import template

from records.views.paying import amount, settled

register = template.Library()


@register.filter
def kan(points: int, counted: bool) -> str:
    """``+7k`` (``+7貫``) where ``counted``, else the plain number: ``12``, ``−3``."""
    return amount(points, kan=True) if counted else str(points).replace("-", "−")


@register.filter
def final(sum_: int, rules: str) -> str:
    """A player's settlement in the ruleset's way: ``45``, ``−9``, ``+13k``."""
    return settled(sum_, rules)
