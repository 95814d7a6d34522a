"""The one clock by which times are compared: the database's.

Processes on several machines lease rows and judge whether others are alive. A clock that is hours
ahead would delay the work of others, or take it away from them.
"""

from __future__ import annotations

from datetime import datetime

from django.db import connection
from django.utils import timezone


def now() -> datetime:
    """Return the current time of the database. SQLite uses the clock of this process."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
    return found


def drift() -> float:
    """Return the seconds by which this process's clock is ahead of the database's clock."""
    return (timezone.now() - now()).total_seconds()
