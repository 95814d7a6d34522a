"""Transient errors, of the machine and not of the work: a full disk, a database that is away.

A job that meets one is not to blame, and its attempt does not count: else a disk that is full for a
minute would make dead letters of whatever was being done.
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
#: PostgreSQL's classes: connection, rollback (deadlock), resources, intervention, system. Not 54,
#: "program limit exceeded", which is OperationalError too and comes of what is to be written.
_CLASSES: Final = frozenset(("08", "40", "53", "57", "58"))
_SQLITE: Final = (
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY),
)
#: Seconds after which whoever met one is told to try again.
RETRY_AFTER: Final = 10
#: How long, and how often, the end of an attempt is tried to be written.
_TRIES: Final = 30
_PAUSE_SECONDS: Final = 1.0

logger = logging.getLogger(__name__)


def is_transient(error: BaseException) -> bool:
    """Whether an error is transient: the same work may succeed later, or elsewhere."""
    if isinstance(error, OSError):
        return error.errno in _ERRNOS
    if isinstance(error, InterfaceError):
        return True
    if not isinstance(error, OperationalError):
        return False
    cause = error.__cause__
    code = getattr(cause, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _SQLITE  # what is above says more of the same
    state = getattr(cause, "sqlstate", None)
    return state is None or state[:2] in _CLASSES  # none: the connection is lost


def insist(write: Callable[[], object]) -> None:
    """Do a small write to a database that may be just being restarted; give up after half a minute.

    Then the job waits for the end of its lease.
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
