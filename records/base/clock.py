"""The database's clock, the only clock by which times are compared.

Processes on several machines lease rows and judge whether other processes are alive. A machine
whose clock is hours ahead would delay the jobs of other machines, or steal their leases.

The days of a game's tag Date, and the time of day of its tag Time.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final

from django.db import connection
from django.utils import timezone

_DATE: Final = re.compile(r"(\d{4})(?:-(\d\d|\?\?))?(?:-(\d\d|\?\?))?")
_TIME: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9]))?")


def now() -> datetime:
    """Return the current time of the database. SQLite uses the clock of this process."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment


def drift() -> float:
    """Return the seconds by which the process's clock is ahead of the database's clock."""
    return (timezone.now() - now()).total_seconds()


def second_of_day(tags: Mapping[str, Any]) -> int:
    """Return the second of the day, from 1, at the beginning of the tag Time; 0 without a time.

    >>> second_of_day({"Time": "10:30"}) - second_of_day({"Time": "10:29:59 JST"})
    1
    >>> second_of_day({"Time": "noon"})
    0
    """
    match = _TIME.match(str(tags.get("Time", "")))
    if match is None:
        return 0
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return (hours * 60 + minutes) * 60 + seconds + 1


def date_range(written: str) -> tuple[date | None, date | None]:
    """Return the first and last day of a Date tag, or None twice without a year or a valid day.

    >>> date_range("2026-02-??")
    (datetime.date(2026, 2, 1), datetime.date(2026, 2, 28))
    """
    match = _DATE.fullmatch(written)
    if match is None:
        return None, None
    year, month, day = (int(part) if part and part != "??" else None for part in match.groups())
    try:
        if year is None or month is None:
            return date(year or 0, 1, 1), date(year or 0, 12, 31)
        if day is None:
            return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])
        return date(year, month, day), date(year, month, day)
    except ValueError:
        return None, None
