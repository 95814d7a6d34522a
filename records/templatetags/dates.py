"""Filters of dates.

`{{ record.date|played }}` is for a Date tag, `{{ upload.created|minute }}` and
`{{ record.created|day }}` for times of the archive.
"""

from __future__ import annotations

from django import template

from records.pages import dates

register = template.Library()
register.filter("played", dates.played)
register.filter("day", dates.day)
register.filter("minute", dates.minute)
