"""The database's clock, the only clock by which times are compared.

Processes on several machines lease rows and judge whether other processes are alive. A machine
whose clock is hours ahead would delay the jobs of other machines, or steal their leases.

The time of day in a game's tag Time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db import connection
from django.utils import timezone

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
