"""Sums in templates: `{{ points|kan:replay.kan }}` writes kan where the ruleset counts in them."""

from __future__ import annotations

from django import template

from records.views.paying import amount

register = template.Library()


@register.filter
def kan(points: int, counted: bool) -> str:
    """``+7k`` (``+7貫``) where ``counted``, else the plain number."""
    return amount(points, kan=True) if counted else str(points)
