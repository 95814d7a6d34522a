"""Dates in templates: `{{ record.date|played }}` of a Date tag, `{{ upload.created|minute }}` and
`{{ record.created|day }}` of the archive.
"""

from __future__ import annotations

from django import template

from records.pages import dates

register = template.Library()
register.filter("played", dates.played)
register.filter("day", dates.day)
register.filter("minute", dates.minute)
