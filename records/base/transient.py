"""Transient errors of the machine, such as a full disk or a lost database connection; and locks.

Transient errors do not count as attempts of a row; otherwise a full disk would soon turn all work
in progress into dead letters. A file lock works on one machine and ends with the process. A name
lock works across machines and ends with the transaction.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import logging
import sqlite3
import time
from collections.abc import Callable
from typing import IO, Final

from django.db import Error, InterfaceError, OperationalError, connection

_ERRNOS: Final = frozenset(
    (
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS),  # no room
        *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO, errno.ESTALE),
    )
)
#: SQLSTATE classes of PostgreSQL: connection, rollback (deadlock), resources, operator
#: intervention, system. Class 54, "program limit exceeded", is also an OperationalError, but is
#: caused by the written values.
_CLASSES: Final = frozenset(("08", "40", "53", "57", "58"))
_SQLITE: Final = (
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY),
)
#: Seconds in the Retry-After header of a response after a transient error.
RETRY_AFTER: Final = 10
#: Number of tries to write the end of an attempt, and the pause between tries.
_TRIES: Final = 30
_PAUSE_SECONDS: Final = 1.0

logger = logging.getLogger(__name__)


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


class Unavailable(Exception):
    """A part of the archive is unavailable; the same request may succeed later."""


def is_transient(error: BaseException) -> bool:
    """Return whether an error is transient: the same work may succeed later, or elsewhere."""
    if isinstance(error, Unavailable):
        return True
    if isinstance(error, OSError):
        return error.errno in _ERRNOS
    if isinstance(error, InterfaceError):
        return True
    if not isinstance(error, OperationalError):
        return False
    cause = error.__cause__
    code = getattr(cause, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _SQLITE  # the code says more than the class
    state = getattr(cause, "sqlstate", None)
    return state is None or state[:2] in _CLASSES  # none: the connection is lost


def write_with_retry(write: Callable[[], object]) -> None:
    """Run a small database write, with retries for half a minute if the database is unavailable.

    After giving up, the row waits until its lease ends.
    """
    for _ in range(_TRIES):
        try:
            write()
        except Error as error:
            if not is_transient(error):
                raise
            logger.warning("database unavailable: %s", error)
            connection.close()
            time.sleep(_PAUSE_SECONDS)
        else:
            return
