"""Dates in the language of the request: partial dates of Date tags, and times of the archive."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Final

from django.utils.translation import gettext as _

from records.base import labels

#: An unknown part is written in question marks, or left out from the right (kafu.md §2).
_WRITTEN: Final = re.compile(
    r"(\d{4}|\?{4})(?:-(\d\d|\?\?)(?:-(\d\d|\?\?))?)?",
    re.ASCII,
)
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def played(written: str) -> str:
    """Return a Date tag in words: ``3 January 2026``, ``January 2026``, ``2026年1月3日``.

    A text that is not a date, not a day of the calendar, or only partly known (``????-01-03``) is
    returned unchanged. A wholly unknown date is empty.
    """
    match = _WRITTEN.fullmatch(written)
    if not match:
        return written
    year, month, day_ = (int(part) if part and part[0] != "?" else 0 for part in match.groups())
    if not (year or month or day_):
        return ""
    try:
        date(year, month or 1, day_ or 1)
    except ValueError:
        return written
    if day_:
        return _day(year, month, day_) if month else written
    if month:
        return f"{year}年{month}月" if labels.lang() == "ja" else f"{_MONTHS[month - 1]} {year}"
    return f"{year}年" if labels.lang() == "ja" else str(year)


def day(moment: date) -> str:
    """Return a date of the archive: ``20 November 2026`` or ``2026年11月20日``."""
    return _day(moment.year, moment.month, moment.day)


def minute(moment: datetime) -> str:
    """Return a time: ``20 November 2026, 09:05 UTC`` or ``2026年11月20日 09:05 UTC``."""
    return _("%(day)s, %(time)s UTC") % {"day": day(moment), "time": f"{moment:%H:%M}"}


def _day(year: int, month: int, day_: int) -> str:
    if labels.lang() == "ja":
        return f"{year}年{month}月{day_}日"
    return f"{day_} {_MONTHS[month - 1]} {year}"
