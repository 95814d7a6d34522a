"""Filters of dates.

`{{ record.date|played }}` is for a Date tag, `{{ upload.created|minute }}` and
`{{ record.created|day }}` for times of the archive. A page shows minutes in the reader's zone.
"""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.html import format_html

from records.pages import dates

register = template.Library()
register.filter("played", dates.played)
register.filter("day", dates.day)


@register.filter
def minute(moment: datetime) -> str:
    """Return a `<time>` in UTC, which `times.js` writes in the reader's zone."""
    return format_html(
        '<time datetime="{}" data-minute>{}</time>',
        moment.isoformat(timespec="seconds"),
        dates.minute(moment),
    )
