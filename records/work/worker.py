"""The embedded worker: takes due rows from the database and works on them in place.

For an archive without a broker. It keeps nothing in memory that matters: killed at any moment, the
next one goes on where it stood.
"""

from __future__ import annotations

import logging
import select
import time
from collections.abc import Callable
from typing import Any, Final

from django.db import InterfaceError, OperationalError, close_old_connections, connection

from records.models import Upload
from records.totals import compaction, ratings
from records.work import deferred
from records.work.ledger import next_due
from records.work.notify import CHANNEL
from records.work.sweeping import settle, tidy
from records.work.tasks import do_next

#: How often an idle worker asks whether anything was written; it costs some microseconds.
IDLE_SECONDS: Final = 0.25
#: How often it looks for work where nothing was.
LOOK_SECONDS: Final = 10.0
#: How often it looks after what the sweep would, where there is none.
TIDY_SECONDS: Final = 60.0
#: And how often for ratings to compute, after something was written.
RATE_SECONDS: Final = 2.0
#: How often rows that are out of attempts are settled while there is other work.
SETTLE_SECONDS: Final = 2.0

logger = logging.getLogger(__name__)


class Worker:
    """Takes one row after the other: ``Worker().run(until)``."""

    def __init__(self, upload: Upload | None = None) -> None:
        """With ``upload``, only its rows are taken."""
        self.upload = upload
        self.errands_first = False
        self.tidied = self.rated = self.settled = time.monotonic()
        #: Whether ratings may have become due since they were last looked for.
        self.unrated = True

    def run(self, should_end: Callable[[], bool]) -> None:
        """Work, and wait for work, until ``should_end()``; asked between two rows."""
        bell = Bell()
        while not should_end():
            try:
                bell.listen()
                busy = self.step()
                until = time.monotonic() + (0 if busy else self.rest())
                while time.monotonic() < until and not should_end():
                    if bell.rang():
                        self.unrated = True
                        break
            except (InterfaceError, OperationalError):
                # The database was locked for too long, or is being restarted: it will be back.
                logger.exception("database away")
                close_old_connections()
                time.sleep(IDLE_SECONDS)

    def step(self) -> bool:
        """Do one row. False when there was none to do."""
        # Errands do not keep uploads waiting, nor they them.
        self.errands_first = not self.errands_first
        busy = self._settle() or (self.errands_first and self._run_errands())
        busy = busy or do_next(embedded=True, upload=self.upload)
        busy = busy or (not self.errands_first and self._run_errands())
        # What is due at its third attempt only shows when nothing else is.
        if busy or self._settle(now=True):
            self.unrated = True
            return True
        if self.upload is None and time.monotonic() - self.rated > RATE_SECONDS:
            if ratings.run(ratings.TURN_SECONDS) or compaction.run(compaction.TURN_SECONDS):
                return True
            self.rated = time.monotonic()
            self.unrated = False
        if self.upload is None and time.monotonic() - self.tidied > TIDY_SECONDS:
            self.tidied = time.monotonic()
            tidy()
        return False

    def _settle(self, *, now: bool = False) -> bool:
        if not now and time.monotonic() - self.settled < SETTLE_SECONDS:
            return False
        self.settled = time.monotonic()
        return bool(settle())

    def _run_errands(self) -> bool:
        return self.upload is None and bool(deferred.run(deferred.TURN_SECONDS))

    def rest(self) -> float:
        """Seconds that may pass until there is something to do that nobody tells of."""
        longest = RATE_SECONDS if self.unrated else LOOK_SECONDS
        return max(IDLE_SECONDS, next_due(longest))


class Bell:
    """Tells an idle worker that something was written, without looking for what."""

    def __init__(self) -> None:
        self.connection: Any = None
        self.version: int | None = None
        self.noted = False

    def listen(self) -> None:
        """To be called before work is looked for: what is written from now on is heard of."""
        if connection.vendor != "postgresql":
            self.version = _data_version()
            return
        self.noted = False
        if self.connection is None or self.connection is not connection.connection:
            with connection.cursor() as cursor:
                cursor.execute(f"LISTEN {CHANNEL}")
            self.connection = connection.connection
            self.connection.add_notify_handler(self._note)

    def rang(self) -> bool:
        """Wait a moment; whether anything was written since :meth:`listen`.

        Raises InterfaceError or OperationalError where the database is away.
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


def work_off(upload: Upload, tell: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Do all the work of one upload here and now; returns its progress at the end.

    ``tell`` is given the progress after each step. What another worker has claimed is waited for.
    """
    worker = Worker(upload)
    while True:
        progress = upload.progress()
        tell(progress)
        if progress["state"] == "done":
            return progress
        if not worker.step():
            time.sleep(IDLE_SECONDS)
