"""Locks of files and of names.

A file lock works on one machine and ends with the process. A name lock works across machines and
ends with the transaction.
"""

from __future__ import annotations

import fcntl
import hashlib
from typing import IO

from django.db import connection


class Locked(Exception):
    """Another process has the lock."""


def lock(file: IO[bytes]) -> None:
    """Lock an open file until it is closed or the process is killed. Raises :class:`Locked`."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Locked from error


def lock_names(*names: str) -> None:
    """Lock names until the end of the transaction, after waiting for their current holders.

    Inside the lock a transaction can count rows and insert more without exceeding a limit, because
    concurrent requests wait. SQLite needs no lock: its transactions never overlap.
    """
    if connection.vendor != "postgresql":
        return
    digests = [hashlib.sha256(name.encode()).digest() for name in names]
    numbers = sorted(int.from_bytes(digest[:8], "big", signed=True) for digest in digests)
    with connection.cursor() as cursor:
        for number in numbers:  # in ascending order, to prevent deadlocks
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])
