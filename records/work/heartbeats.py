"""Heartbeats: workers and sweeps write the time at which they were alive, others read it.

A heartbeat says that the process's own loop runs, not only that the process exists. The embedded
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
from django.utils import timezone

from records.base import clock
from records.models import Heartbeat

#: Seconds between two heartbeats of a process.
EVERY_SECONDS: Final = 10.0
#: A process that was silent for this long counts as dead: a worker may be at a large chunk, or wait
#: for a database that is being restarted.
SILENCE: Final = timedelta(seconds=90)
#: Rows of processes that were killed are removed after this.
GONE: Final = timedelta(days=1)


class HeartbeatWriter:
    """``HeartbeatWriter("sweep")`` for this process, then ``write()`` as often as you like."""

    def __init__(self, kind: str, queues: str = "") -> None:
        self.kind = kind
        self.queues = queues
        self.started = timezone.now()
        self.last: float | None = None

    def write(self) -> None:
        """Write that this process is alive, unless it did so a moment ago.

        An unavailable database is no reason to stop working: the next heartbeat will do.
        """
        now = time.monotonic()
        if self.last is not None and now - self.last < EVERY_SECONDS:
            return
        self.last = now
        try:
            Heartbeat.objects.update_or_create(
                kind=self.kind,
                host=socket.gethostname(),
                pid=os.getpid(),
                defaults={
                    "queues": self.queues,
                    "started": self.started,
                    "seen": clock.now(),
                },
            )
        except DatabaseError:
            connections.close_all()

    def end(self) -> None:
        """Remove the row: an orderly end."""
        try:
            Heartbeat.objects.filter(
                kind=self.kind, host=socket.gethostname(), pid=os.getpid()
            ).delete()
        except DatabaseError:
            pass  # `tidy` will


def heard(kind: str, *, here: bool = False) -> bool:
    """Whether any process of a kind was alive lately; with ``here``, one of this machine."""
    rows = Heartbeat.objects.filter(kind=kind, seen__gt=clock.now() - SILENCE)
    return (rows.filter(host=socket.gethostname()) if here else rows).exists()


def tidy() -> int:
    """Remove the rows of processes that ended long ago; returns how many."""
    return Heartbeat.objects.filter(seen__lt=clock.now() - GONE).delete()[0]
