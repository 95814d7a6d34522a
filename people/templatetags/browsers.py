"""Sessions in words: ``{{ session.user_agent|browser }}``, ``{{ session.ip|network }}``."""

from __future__ import annotations

from django import template

from people.accounts.sessions import describe_browser

register = template.Library()
register.filter("browser", describe_browser)


@register.filter
def network(address: str) -> str:
    """Return a network for display, such as ``203.0.113.…``, or a dash if unknown.

    The network has the form of `people.accounts.adapter`.
    """
    if address == "0.0.0.0":
        return "–"
    return f"{address.removesuffix('::').removesuffix('.0')}{':' if ':' in address else '.'}…"
