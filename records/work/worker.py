"""The embedded worker: claims due jobs and does them in place.

For an archive without a broker. It has no state in memory that matters: killed at any moment, the
next one continues where it stopped.
"""

from __future__ import annotations

import logging
import select
import time
from collections.abc import Callable
from typing import Any, Final

from django.db import InterfaceError, OperationalError, close_old_connections, connection

from records.models import Upload
from records.work.kinds import Lane
from records.work.ledger import next_due
from records.work.notify import CHANNEL
from records.work.sweeping import resolve, schedule, tidy
from records.work.tasks import do_next

#: How often an idle worker asks whether anything was written; it costs some microseconds.
IDLE_SECONDS: Final = 0.25
#: How often it polls for work if nothing was written.
LOOK_SECONDS: Final = 10.0
#: How often it does the chores of the sweep, if there is none.
TIDY_SECONDS: Final = 60.0
#: And how often it enqueues recurring jobs, after something was written.
SCHEDULE_SECONDS: Final = 2.0
#: How often it does so, and looks for overdue jobs, while there is other work.
BUSY_SECONDS: Final = 5.0
#: Seconds after which it does an idle job that nobody did, before other work. With a chunk and the
#: turns of all idle jobs in between each of them is done once a minute.
OVERDUE_SECONDS: Final = 30.0
#: How often jobs that are out of attempts are resolved while there is other work.
RESOLVE_SECONDS: Final = 2.0

logger = logging.getLogger(__name__)


class Worker:
    """Does one job after the other: ``Worker().run(until)``."""

    def __init__(self, upload: Upload | None = None) -> None:
        """With ``upload``, only its jobs are done."""
        self.upload = upload
        self.tidied = self.scheduled = self.resolved = self.looked = time.monotonic()
        #: Whether recurring jobs may have become due since they were last looked for.
        self.unscheduled = True

    def run(self, should_end: Callable[[], bool]) -> None:
        """Work, and wait for work, until ``should_end()``; asked between two jobs."""
        listener = Listener()
        while not should_end():
            try:
                listener.listen()
                busy = self.step()
                until = time.monotonic() + (0 if busy else self.rest())
                while time.monotonic() < until and not should_end():
                    if listener.heard():
                        self.unscheduled = True
                        break
            except (InterfaceError, OperationalError):
                # The database was locked for too long, or is being restarted: it will be back.
                logger.exception("database away")
                close_old_connections()
                time.sleep(IDLE_SECONDS)

    def step(self) -> bool:
        """Do one job. False when there was none to do."""
        busy = self._resolve() or self._overdue() or do_next(embedded=True, upload=self.upload)
        # What is due at its third attempt only shows when nothing else is.
        busy = busy or self._resolve(now=True) or (self.upload is None and self._idle())
        self.unscheduled = self.unscheduled or busy
        return busy

    def _resolve(self, *, now: bool = False) -> bool:
        if not now and time.monotonic() - self.resolved < RESOLVE_SECONDS:
            return False
        self.resolved = time.monotonic()
        return bool(resolve())

    def _overdue(self) -> bool:
        """Do an idle job for which nobody had time; False when there was none."""
        if self.upload is not None or time.monotonic() - self.looked < BUSY_SECONDS:
            return False
        self._schedule(BUSY_SECONDS)
        if do_next(Lane.IDLE, embedded=True, waited=OVERDUE_SECONDS):
            return True
        self.looked = time.monotonic()
        return False

    def _schedule(self, seconds: float) -> None:
        """Enqueue the recurring jobs, unless that was done less than so many seconds ago."""
        if time.monotonic() - self.scheduled > seconds:
            schedule()
            self.scheduled = time.monotonic()
            self.unscheduled = False

    def _idle(self) -> bool:
        """Do what waits until there is nothing else; False when there was none of it either."""
        self._schedule(SCHEDULE_SECONDS)
        if do_next(Lane.IDLE, embedded=True):
            return True
        if time.monotonic() - self.tidied > TIDY_SECONDS:
            self.tidied = time.monotonic()
            tidy()
        return False

    def rest(self) -> float:
        """Seconds that may pass until there is something to do without a notification."""
        longest = SCHEDULE_SECONDS if self.unscheduled else LOOK_SECONDS
        return max(IDLE_SECONDS, next_due(longest))


class Listener:
    """Wakes an idle worker when something was written, without looking for what."""

    def __init__(self) -> None:
        self.connection: Any = None
        self.version: int | None = None
        self.noted = False

    def listen(self) -> None:
        """To be called before polling for work: later writes are noticed."""
        if connection.vendor != "postgresql":
            self.version = _data_version()
            return
        self.noted = False
        if self.connection is None or self.connection is not connection.connection:
            with connection.cursor() as cursor:
                cursor.execute(f"LISTEN {CHANNEL}")
            self.connection = connection.connection
            self.connection.add_notify_handler(self._note)

    def heard(self) -> bool:
        """Wait a moment; whether anything was written since :meth:`listen`.

        Raises InterfaceError or OperationalError if the database is unavailable.
        """
        if connection.vendor != "postgresql":
            time.sleep(IDLE_SECONDS)
            return _data_version() != self.version
        if self.connection.closed:
            return True
        if not self.noted and select.select([self.connection.fileno()], [], [], IDLE_SECONDS)[0]:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")  # reads what has come
        return self.noted

    def _note(self, notify: object) -> None:
        self.noted = True


def _data_version() -> int:
    """A number that changes when another connection has written to this SQLite file."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA data_version")
        found: int = cursor.fetchone()[0]
    return found


def work_off(upload: Upload, report: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Do all the work of one upload in this process; returns its progress at the end.

    ``report`` is called with the progress after each step. Jobs that another worker has claimed are
    waited for.
    """
    worker = Worker(upload)
    while True:
        progress = upload.progress()
        report(progress)
        if progress["state"] == "done":
            return progress
        if not worker.step():
            time.sleep(IDLE_SECONDS)
