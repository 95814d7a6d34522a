"""Heartbeats of workers and sweeps: the last time each was alive, read by health checks.

A heartbeat shows that the loop of a process runs, not only that the process exists. The embedded
worker and the sweep write a heartbeat between two jobs. Celery's worker writes a heartbeat whenever
Celery sends one to the broker, hence none without a broker.
"""

from __future__ import annotations

import os
import socket
import time
from datetime import timedelta
from typing import Final

from django.db import DatabaseError, connections
from django.db.models import QuerySet
from django.utils import timezone

from records.base import clock
from records.models import Heartbeat

#: Seconds between two heartbeats of a process.
EVERY_SECONDS: Final = 10.0
#: A process counts as dead after this silence: a worker may be busy with a large chunk, or wait for
#: a database that is being restarted.
SILENCE: Final = timedelta(seconds=90)
#: Rows of killed processes are removed after this time.
GONE: Final = timedelta(days=1)


class HeartbeatWriter:
    """A writer of this process's heartbeats: ``HeartbeatWriter("sweep")``, then ``write()``."""

    def __init__(self, kind: str, queues: str = "") -> None:
        self.kind = kind
        self.queues = queues
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
                kind=self.kind, host=socket.gethostname(), pid=os.getpid(), defaults=values
            )
        except DatabaseError:
            connections.close_all()

    def end(self) -> None:
        """Remove the row at the normal end of the process."""
        try:
            _filter_here(self.kind).filter(pid=os.getpid()).delete()
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
