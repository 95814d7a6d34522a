"""The embedded worker: claims due rows from the database and applies the Celery tasks in place.

For an archive without a broker. It keeps nothing in memory that matters: killed at any moment, the
next one goes on where it stood.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, Final

from django.db import InterfaceError, OperationalError, close_old_connections

from records import errands, tasks
from records.leases import MAX_ATTEMPTS, Row, ready
from records.models import Change, Chunk, Upload, UploadFile
from records.statistics import folding, ratings
from records.sweeper import settle, tidy

IDLE_SECONDS: Final = 0.25
#: How often an idle worker looks after what the sweep would, where there is none.
TIDY_SECONDS: Final = 60.0
#: And how often it looks for ratings to compute.
RATE_SECONDS: Final = 2.0

logger = logging.getLogger(__name__)


class Worker:
    """Takes one row after the other: ``Worker().run(until)``."""

    def __init__(self, upload: Upload | None = None) -> None:
        """With ``upload``, only its rows are taken."""
        self.upload = upload
        self.last_upload = 0
        self.changes_first = False
        self.tidied = self.rated = time.monotonic()

    def run(self, should_end: Callable[[], bool]) -> None:
        """Work, and wait for work, until ``should_end()``; asked between two rows."""
        while not should_end():
            try:
                busy = self.step()
            except (InterfaceError, OperationalError):
                # The database was locked for too long, or is being restarted: it will be back.
                logger.exception("database away")
                close_old_connections()
                busy = False
            if not busy:
                time.sleep(IDLE_SECONDS)

    def step(self) -> bool:
        """Do one row. False when there was none to do."""
        if settle():
            return True
        # A change of many games does not keep new ones waiting, nor they it.
        self.changes_first = not self.changes_first
        if self.changes_first and self.upload is None and errands.run(errands.TURN_SECONDS):
            return True
        games: tuple[type[Row], ...] = (UploadFile, Chunk)
        for model in (Change, *games) if self.changes_first else (*games, Change):
            row = self._due(model)
            if row is not None:
                tasks.TASKS[model].apply((row, True), throw=True)
                return True
        if self.upload is None and time.monotonic() - self.rated > RATE_SECONDS:
            if ratings.run(ratings.TURN_SECONDS) or folding.run(folding.TURN_SECONDS):
                return True
            self.rated = time.monotonic()
        if self.upload is None and time.monotonic() - self.tidied > TIDY_SECONDS:
            self.tidied = time.monotonic()
            tidy()
        return False

    def _due(self, model: type[Row]) -> int | None:
        """The next row, uploads taken in turn: a small one does not wait behind a large one."""
        rows = model._default_manager.filter(ready(), attempts__lt=MAX_ATTEMPTS)
        if self.upload is not None:
            rows = rows.filter(upload=self.upload)
        rows = rows.order_by("upload_id", "pk")
        after = rows.filter(upload_id__gt=self.last_upload)
        found = (
            after.values_list("pk", "upload_id").first()
            or rows.values_list("pk", "upload_id").first()
        )
        if found is None:
            return None
        if model is Chunk:
            self.last_upload = found[1]
        return found[0]


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
