"""The database's clock, the only clock by which times are compared.

Processes on several machines lease rows and judge whether other processes are alive. A machine
whose clock is hours ahead would delay the jobs of other machines, or steal their leases.
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
        moment: datetime = cursor.fetchone()[0]
    return moment


def drift() -> float:
    """Return the seconds by which the process's clock is ahead of the database's clock."""
    return (timezone.now() - now()).total_seconds()
