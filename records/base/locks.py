"""Locks of files and of names.

A lock of a file holds on this machine until its process ends. A lock of a name holds for all
machines until its transaction ends.
"""

from __future__ import annotations

import fcntl
import hashlib
from typing import IO

from django.db import connection


class Locked(Exception):
    """Another process has the lock."""


def lock(file: IO[bytes]) -> None:
    """Lock an open file until it is closed, by kill -9 too. Raises :class:`Locked`."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Locked from error


def lock_names(*names: str) -> None:
    """Lock names until the end of the transaction; wait for other transactions that have them.

    What is counted after this and written before the end of the transaction exceeds no bound
    together with another request. On SQLite a transaction is alone from its beginning.
    """
    if connection.vendor != "postgresql":
        return
    digests = [hashlib.sha256(name.encode()).digest() for name in names]
    numbers = sorted(int.from_bytes(digest[:8], "big", signed=True) for digest in digests)
    with connection.cursor() as cursor:
        for number in numbers:  # in one order, so that no two wait for each other
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])
