"""The one clock by which times are compared: the database's.

Processes on several machines lease rows to each other and judge each other's silence. A clock that
is hours ahead would hold back, or take away, what the others do.
"""

from __future__ import annotations

from datetime import datetime

from django.db import connection
from django.utils import timezone


def now() -> datetime:
    """This moment, by the database. SQLite is in this process, and so is its clock."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
    return found


def drift() -> float:
    """Seconds by which this process's clock is ahead of the database's; behind where negative."""
    return (timezone.now() - now()).total_seconds()
