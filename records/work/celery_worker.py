"""The main process of a Celery worker: its heartbeats, and its end (see `CELERY_IMPORTS`)."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any, Final

from celery import current_app
from celery.signals import heartbeat_sent, worker_shutdown, worker_shutting_down
from django.db import connections

from records.work.heartbeats import HeartbeatWriter

#: From SIGTERM, which lets the current task finish, to releasing it. Less than what Docker and
#: `manage.py serve` wait (10 s) before they kill.
FINISH_SECONDS: Final = 7.0


class _Process:
    """Signal handlers of the main process of a worker."""

    def __init__(self) -> None:
        self.writer: HeartbeatWriter | None = None

    def heartbeat(self, sender: Any, **_: Any) -> None:
        """With each heartbeat to the broker: without a broker there is none."""
        if self.writer is None:
            queues = current_app.amqp.queues.consume_from
            self.writer = HeartbeatWriter("worker", ",".join(sorted(queues)))
        self.writer.write()
        # Pool processes are forked from this one at any time: they must not inherit a connection.
        connections.close_all()

    def shutting_down(self, sender: Any, how: str, **_: Any) -> None:
        """A warm shutdown waits for tasks however long they take; this one becomes cold then."""
        if how == "Warm":
            timer = threading.Timer(FINISH_SECONDS, os.kill, (os.getpid(), signal.SIGQUIT))
            timer.daemon = True
            timer.start()

    def shut_down(self, sender: Any, **_: Any) -> None:
        """Remove the heartbeat: the process ends."""
        if self.writer is not None:
            self.writer.end()


_process = _Process()
heartbeat_sent.connect(_process.heartbeat)
worker_shutting_down.connect(_process.shutting_down)
worker_shutdown.connect(_process.shut_down)
