"""The offer to use the archive on the reader's device, without a network."""

from __future__ import annotations

from django import template

from records.base.release import find_engine

register = template.Library()


@register.inclusion_tag("records/_device.html")
def device_offer() -> dict[str, str]:
    """Show the offer if the files of the JavaScript engine were built (`make engine`)."""
    return {"engine": find_engine()}
