"""Wake-ups: Celery or the database notifies waiting workers of new jobs.

A wake-up is only a hint: jobs are rows, and the ledger decides which is next. A lost wake-up costs
some seconds, until the sweep finds the waiting job, or the embedded worker looks for jobs.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from django.conf import settings
from django.db import connection, transaction

#: The channel of the embedded worker on PostgreSQL. On SQLite the worker watches for file changes.
CHANNEL: Final = "hana_work"
#: Seconds between checks of a waiting process for writes; a check takes microseconds.
CHECK_SECONDS: Final = 0.25


def notify(count: int) -> None:
    """Wake workers for new jobs when the transaction is committed.

    An error of the broker is logged and not raised, because the jobs are written.
    """
    if count and settings.REDIS_URL:
        transaction.on_commit(partial(send, count), robust=True)
    elif count and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"NOTIFY {CHANNEL}")


def send(count: int) -> int:
    """Send messages to Celery, see `records.jobs.messages.send`."""
    # Celery takes a sixth of the start of a process, and most need none.
    from records.jobs import messages  # noqa: PLC0415

    return messages.send(count)


class Listener:
    """A detector of writes to the database by other connections, without their contents."""

    def __init__(self) -> None:
        self.connection: Any = None
        self.version: int | None = None
        self.is_notified = False

    def listen(self) -> None:
        """Start noticing writes. Call it before querying the ledger."""
        if connection.vendor != "postgresql":
            self.version = _data_version()
            return
        self.is_notified = False
        if self.connection is None or self.connection is not connection.connection:
            with connection.cursor() as cursor:
                cursor.execute(f"LISTEN {CHANNEL}")
            self.connection = connection.connection
            self.connection.add_notify_handler(self._on_notify)

    def wait(self, seconds: float, should_end: Callable[[], bool]) -> bool:
        """Wait for a write, at most ``seconds``. Return whether there was a write.

        Raises InterfaceError or OperationalError if the database is unavailable.
        """
        until = time.monotonic() + seconds
        while time.monotonic() < until and not should_end():
            if self._hears():
                return True
        return False

    def _hears(self) -> bool:
        if connection.vendor != "postgresql":
            time.sleep(CHECK_SECONDS)
            return _data_version() != self.version
        if self.connection.closed:
            return True
        is_silent = not self.is_notified
        if is_silent and select.select([self.connection.fileno()], [], [], CHECK_SECONDS)[0]:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")  # reads the notifications
        return self.is_notified

    def _on_notify(self, notification: object) -> None:
        self.is_notified = True


def _data_version() -> int:
    """Return a number that changes after writes to the SQLite file by other connections."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA data_version")
        return int(cursor.fetchone()[0])
