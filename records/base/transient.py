"""Transient errors: faults of the machine, not of the work, as a full disk or a lost database.

They do not count as an attempt of the row that met them: else a disk that is full for a minute
would turn all work in progress into dead letters.
"""

from __future__ import annotations

import errno
import logging
import sqlite3
import time
from collections.abc import Callable
from typing import Final

from django.db import Error, InterfaceError, OperationalError, connection

_ERRNOS: Final = frozenset(
    (
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS),  # no room
        *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO, errno.ESTALE),
    )
)
#: SQLSTATE classes of PostgreSQL: connection, rollback (deadlock), resources, operator
#: intervention, system. Not 54, "program limit exceeded": it is an OperationalError too, but comes
#: from what is written.
_CLASSES: Final = frozenset(("08", "40", "53", "57", "58"))
_SQLITE: Final = (
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY),
)
#: Seconds for the Retry-After of an answer that met such an error.
RETRY_AFTER: Final = 10
#: How often, and at what interval, the end of an attempt is written again.
_TRIES: Final = 30
_PAUSE_SECONDS: Final = 1.0

logger = logging.getLogger(__name__)


class Unavailable(Exception):
    """A part of the archive that cannot be used right now; the same request may succeed later."""


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
    """Do a small write to a database that may be restarting; give up after half a minute.

    The row then waits until its lease ends.
    """
    for _ in range(_TRIES):
        try:
            write()
        except Error as error:
            if not is_transient(error):
                raise
            logger.warning("database away: %s", error)
            connection.close()
            time.sleep(_PAUSE_SECONDS)
        else:
            return
