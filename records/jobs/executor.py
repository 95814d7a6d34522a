"""The executor: claim a job, run it within a time limit, settle it, and repeat.

Every worker runs this loop, in a child process (`records.jobs.children`): `manage.py worker`
without a broker until told to end (:meth:`Worker.run`), a process of a Celery worker when a message
arrives, until no job is due (:meth:`Worker.run_due`). The sweep does the latter for background jobs
(`records.jobs.sweeping`), without a child. No state in memory matters: after a kill at any moment,
the ledger has all open jobs.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Any, Final

from django.db import InterfaceError, OperationalError, close_old_connections

from records.base import clock
from records.base.tracing import tracing
from records.base.transient import is_transient, write_with_retry
from records.jobs import children, ledger, sweeping
from records.jobs.kinds import BACKGROUND, WORK, Queue, kind_of
from records.jobs.ledger import LeaseLost
from records.jobs.wakeups import CHECK_SECONDS, Listener
from records.models import Job, Upload

#: Seconds until a job is tried again after a transient error.
PAUSE_SECONDS: Final = 5.0
#: Seconds after which an idle worker looks for jobs without a message.
LOOK_SECONDS: Final = 10.0
#: Interval in which the embedded worker enqueues recurring jobs and resolves jobs without attempts,
#: after a change.
TEND_SECONDS: Final = 2.0
#: Seconds between calls of the chores, for an archive without a sweep.
TIDY_SECONDS: Final = 60.0
#: Seconds between searches for overdue background jobs while the worker is busy.
BUSY_SECONDS: Final = 5.0
#: Seconds until a background job precedes normal jobs. Even with a chunk and the turns of all
#: background jobs in between, each background job runs once a minute.
OVERDUE_SECONDS: Final = 30.0
#: Seconds of background jobs in a pass of the sweep.
SWEEP_SECONDS: Final = 5.0

logger = logging.getLogger(__name__)


class Worker:
    """A worker that runs the jobs of some queues, one after the other."""

    def __init__(
        self,
        upload: Upload | None = None,
        queues: tuple[Queue, ...] = (WORK, BACKGROUND),
        before: int | None = None,
    ) -> None:
        """Take the queues to run.

        With ``upload``, run only the jobs of the upload; with ``before``, only the jobs whose turn
        is earlier.
        """
        self.upload = upload
        self.before = before
        self.queues = queues if upload is None else (WORK,)
        self.tended = self.tidied = self.looked = time.monotonic()
        #: Whether recurring jobs may have become due since the last call of `sweeping.schedule`.
        self.has_news = True

    def run(self, should_end: Callable[[], bool]) -> None:
        """Run and wait for jobs until ``should_end()``, which is called between two jobs."""
        listener = Listener()
        while not should_end():
            try:
                listener.listen()
                self.run_due(should_end)
                if listener.wait(self.compute_pause(), should_end):
                    self.has_news = True
            except (InterfaceError, OperationalError):
                # The database was locked for too long, or is being restarted.
                logger.exception("database unavailable")
                close_old_connections()
                time.sleep(CHECK_SECONDS)

    def run_due(self, should_end: Callable[[], bool]) -> int:
        """Run jobs until none is due, or ``should_end()``. Return the number of jobs."""
        count = 0
        while not should_end() and self.step():
            count += 1
        return count

    def step(self) -> bool:
        """Run a job, or resolve jobs without attempts. Return False if there was none."""
        is_busy = self._run_next()
        # Jobs without attempts left are resolved only when no further job is due.
        is_busy = is_busy or (WORK in self.queues and bool(sweeping.resolve()))
        self.has_news = self.has_news or is_busy
        return is_busy

    def compute_pause(self) -> float:
        """Return the seconds until there may be a job to run without a notification."""
        return max(CHECK_SECONDS, ledger.next_due(TEND_SECONDS if self.has_news else LOOK_SECONDS))

    def _run_next(self) -> bool:
        if BACKGROUND not in self.queues:
            return run_next(WORK, upload=self.upload, before=self.before)
        self._tend()
        if WORK not in self.queues:
            is_busy = ledger.find_waiting(clock.now()).exists()
            return run_next(BACKGROUND, waited=OVERDUE_SECONDS if is_busy else 0)
        now = time.monotonic()
        if now - self.looked >= BUSY_SECONDS:
            if run_next(BACKGROUND, waited=OVERDUE_SECONDS):
                return True
            self.looked = now
        return run_next(WORK) or run_next(BACKGROUND)

    def _tend(self) -> None:
        """Enqueue recurring jobs and call the chores, each at its interval."""
        now = time.monotonic()
        if self.has_news and now - self.tended >= TEND_SECONDS:
            sweeping.schedule()
            sweeping.resolve()
            self.tended, self.has_news = now, False
        if now - self.tidied >= TIDY_SECONDS:
            self.tidied = now
            sweeping.tidy()


def run_next(
    queue: Queue = WORK,
    *,
    upload: Upload | None = None,
    waited: float = 0,
    before: int | None = None,
) -> bool:
    """Run the first job of a queue, see `records.jobs.ledger.take`. Return False if none is due."""
    job = ledger.take(queue, upload=upload, waited=waited, before=before)
    if job is not None:
        run_job(job)
    return job is not None


def run_background_jobs() -> int:
    """Run the background jobs of a sweep for `SWEEP_SECONDS`; return the number of jobs."""
    until = time.monotonic() + SWEEP_SECONDS
    return Worker(queues=(BACKGROUND,)).run_due(lambda: time.monotonic() >= until)


def run_job(job: Job) -> None:
    """Run a leased job. After an error, try again later; after a transient error, release the job.

    Log lines of the job carry the upload, the job, and the id of the request that caused it.
    """
    kind = kind_of(job.kind)
    limit = children.time_limit(kind.seconds * 5 / 6) if kind.queue.is_limited else nullcontext()
    upload = job.upload.key if job.upload is not None else ""
    with tracing(upload=upload, request_id=job.request_id, **{job.kind: job.subject or job.pk}):
        began = time.monotonic()
        try:
            with limit:
                kind.call(kind.run, job)
        except LeaseLost as lost:
            logger.warning("lease lost, nothing written: %s", lost)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            if is_transient(error):
                logger.warning("%s put off: %s", job, reason)
                write_with_retry(partial(ledger.release, job, reason, PAUSE_SECONDS))
            else:
                logger.exception("%s failed", job)
                write_with_retry(partial(ledger.fail, job, reason))
        except BaseException:  # Celery's pool ends its processes by an exception.
            ledger.release(job)
            logger.warning("%s released: its process has to end", job)
            raise
        else:
            logger.info("%s done in %.2f s", job, time.monotonic() - began)


def run_in_child(body: Callable[[], object]) -> None:
    """Run ``body()``, which runs jobs, in a child process (`records.jobs.children`).

    ``body()`` is called again after a unit of work that was too costly. Raise
    :class:`records.jobs.children.ChildFailed` after an exception.
    """
    children.Parent(body, run_before).run()


def run_before(turn: int) -> None:
    """Run the due jobs of the queue `WORK` whose turn is before ``turn``."""
    Worker(queues=(WORK,), before=turn).run_due(children.should_end)


def work_off(upload: Upload, report: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Run all jobs of an upload in the current process. Return the progress at the end.

    ``report`` is called with the progress after each job. Waits for jobs that another worker has
    claimed.
    """
    worker = Worker(upload)
    while True:
        progress = upload.progress()
        report(progress)
        if progress["state"] == "done":
            return progress
        if not worker.step():
            time.sleep(CHECK_SECONDS)
