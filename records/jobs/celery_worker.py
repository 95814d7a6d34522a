"""The Celery worker: its task, and the heartbeats and the end of its main process.

The task runs the loop of `records.jobs.executor` in a process of the pool (see `CELERY_IMPORTS`).
"""

from __future__ import annotations

import mmap
import os
import signal
import threading
from typing import Any, Final

from celery import current_app, shared_task
from celery.signals import heartbeat_sent, worker_shutdown, worker_shutting_down
from django.db import connections

from records.jobs.executor import Worker
from records.jobs.heartbeats import HeartbeatWriter
from records.jobs.kinds import WORK
from records.jobs.messages import TASK

#: From SIGTERM, which lets the current jobs finish, to their release. Less than the time that
#: Docker and `manage.py serve` wait (10 s) before they kill.
FINISH_SECONDS: Final = 7.0

#: A byte that the processes of the pool, which are forked, share: 1 when the worker is to end.
_ending: Final = mmap.mmap(-1, 1)
#: The main process, which imports this module. Without it, the processes of the pool must end.
_MAIN_PID: Final = os.getpid()


@shared_task(name=TASK)
def wake() -> None:
    """Run jobs until none is due: a message is a wake-up, not a job."""
    Worker(queues=(WORK,)).run_due(lambda: bool(_ending[0]) or os.getppid() != _MAIN_PID)


class _MainProcess:
    """Signal handlers of the main process of a worker."""

    writer: HeartbeatWriter | None = None

    def heartbeat(self, sender: Any, **_: Any) -> None:
        """Write a heartbeat with each that Celery sends: without a broker it sends none."""
        if self.writer is None:
            queues = current_app.amqp.queues.consume_from
            self.writer = HeartbeatWriter("worker", ",".join(sorted(queues)))
        self.writer.write()
        # Processes of the pool are forked at any time: they must not inherit a connection.
        connections.close_all()

    def shutting_down(self, sender: Any, how: str, **_: Any) -> None:
        """Let each process of the pool end after its job, and release the job if it takes long."""
        _ending[0] = 1
        if how == "Warm":
            timer = threading.Timer(FINISH_SECONDS, os.kill, (os.getpid(), signal.SIGQUIT))
            timer.daemon = True
            timer.start()

    def shut_down(self, sender: Any, **_: Any) -> None:
        """Remove the heartbeat."""
        if self.writer is not None:
            self.writer.end()


_main = _MainProcess()
heartbeat_sent.connect(_main.heartbeat)
worker_shutting_down.connect(_main.shutting_down)
worker_shutdown.connect(_main.shut_down)
