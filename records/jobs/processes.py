"""Processes of jobs: jobs with a process each, and heartbeats of workers and sweeps.

A job of the queue `records.jobs.kinds.PROCESS` runs as `manage.py job NUMBER`, with a lower
priority than all other processes.

A heartbeat shows that the loop of a process runs, not only that the process exists; health checks
read the last one. The embedded worker and the sweep write a heartbeat between two jobs, Celery's
worker whenever Celery sends one to the broker.
"""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
import time
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connections
from django.db.models import QuerySet
from django.utils import timezone

from records.base import clock
from records.jobs import ledger
from records.jobs.kinds import PROCESS
from records.models import Heartbeat, Job

#: Seconds between two heartbeats of a process.
EVERY_SECONDS: Final = 10.0
#: Minimum silence of a dead process: a worker may be busy with a large chunk, or wait for a
#: restarting database.
SILENCE: Final = timedelta(seconds=90)
#: Rows of killed processes are removed after this time.
GONE: Final = timedelta(days=1)
#: Seconds until the next process starts after a failed process.
PAUSE_SECONDS: Final = 600.0
#: Seconds that a process may take to end when the sweep ends.
GRACE_SECONDS: Final = 5.0

logger = logging.getLogger(__name__)


class HeartbeatWriter:
    """A writer of a process's heartbeats: ``HeartbeatWriter("sweep")``, then ``write()``.

    The children of the creating process write the same heartbeat.
    """

    def __init__(self, kind: str, queues: str = "") -> None:
        self.kind = kind
        self.queues = queues
        self.pid = os.getpid()
        self.started = timezone.now()
        self.last: float | None = None

    def write(self) -> None:
        """Write the current time as a heartbeat, at most once in `EVERY_SECONDS`.

        An unavailable database does not stop the process: the next heartbeat is enough.
        """
        now = time.monotonic()
        if self.last is not None and now - self.last < EVERY_SECONDS:
            return
        self.last = now
        values = {"queues": self.queues, "started": self.started, "seen": clock.now()}
        try:
            Heartbeat.objects.update_or_create(
                kind=self.kind, host=socket.gethostname(), pid=self.pid, defaults=values
            )
        except DatabaseError:
            connections.close_all()

    def end(self) -> None:
        """Remove the row at the normal end of the process."""
        try:
            _filter_here(self.kind).filter(pid=self.pid).delete()
        except DatabaseError:
            pass  # `tidy` removes the row.


def has_heartbeat(kind: str, *, here: bool = False) -> bool:
    """Return whether a process of a kind was alive recently, if ``here`` on the same machine."""
    rows = _filter_here(kind) if here else Heartbeat.objects.filter(kind=kind)
    return rows.filter(seen__gt=clock.now() - SILENCE).exists()


def tidy() -> int:
    """Remove the rows of processes that ended long ago. Return the number of rows."""
    return Heartbeat.objects.filter(seen__lt=clock.now() - GONE).delete()[0]


def _filter_here(kind: str) -> QuerySet[Heartbeat]:
    return Heartbeat.objects.filter(kind=kind, host=socket.gethostname())


class Runner:
    """A starter of the processes: call ``step()`` at any interval, and ``end()`` at last.

    Several sweeps may run: the lease of the job decides which process runs the job.
    """

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.start_at = time.monotonic()

    def step(self) -> None:
        """Start the next job, unless a process is running."""
        if self.process is not None:
            status = self.process.poll()
            if status is None:
                return
            self.process = None
            if status:
                logger.error("a job ended with status %s; next in %d s", status, PAUSE_SECONDS)
                self.start_at = time.monotonic() + PAUSE_SECONDS
        if time.monotonic() < self.start_at:
            return
        ledger.end_leases(clock.now())
        job = ledger.find_waiting(clock.now(), PROCESS).order_by(PROCESS.order, "pk").first()
        if job is not None:
            self.start(job)

    def start(self, job: Job) -> None:
        """Start the process of a job."""
        logger.info("%s is begun", job)
        command = ["nice", sys.executable, str(settings.BASE_DIR / "manage.py"), "job", str(job.pk)]
        null = subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdin=null, stdout=null)

    def end(self) -> None:
        """End a running process: the next sweep starts the job again."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
