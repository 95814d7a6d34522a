"""Heartbeats: workers and sweeps write the time at which they were alive, health checks read it.

A heartbeat says that the loop of a process runs, not only that the process exists. The embedded
worker and the sweep write one between two jobs, Celery's worker with the heartbeat that it sends to
its broker: without a broker it writes none.
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
#: A process that was silent for this long counts as dead: a worker may be at a large chunk, or wait
#: for a database that is being restarted.
SILENCE: Final = timedelta(seconds=90)
#: Rows of processes that were killed are removed after this time.
GONE: Final = timedelta(days=1)


class HeartbeatWriter:
    """Writes the heartbeats of this process: ``HeartbeatWriter("sweep")``, then ``write()``."""

    def __init__(self, kind: str, queues: str = "") -> None:
        self.kind = kind
        self.queues = queues
        self.started = timezone.now()
        self.last: float | None = None

    def write(self) -> None:
        """Write that this process is alive, at most once in `EVERY_SECONDS`.

        An unavailable database does not stop the process: the next heartbeat will do.
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
        """Remove the row of a process that ends in order."""
        try:
            _here(self.kind).filter(pid=os.getpid()).delete()
        except DatabaseError:
            pass  # `tidy` will


def heard(kind: str, *, here: bool = False) -> bool:
    """Return whether a process of a kind was alive lately; with ``here``, one of this machine."""
    rows = _here(kind) if here else Heartbeat.objects.filter(kind=kind)
    return rows.filter(seen__gt=clock.now() - SILENCE).exists()


def tidy() -> int:
    """Remove the rows of processes that ended long ago. Return their number."""
    return Heartbeat.objects.filter(seen__lt=clock.now() - GONE).delete()[0]


def _here(kind: str) -> QuerySet[Heartbeat]:
    return Heartbeat.objects.filter(kind=kind, host=socket.gethostname())
