"""The Celery worker: its task, and the heartbeats and the shutdown of its main process.

The task runs the loop of `records.jobs.executor` in a child of a process of the pool (see
`CELERY_IMPORTS`).
"""

from __future__ import annotations

import mmap
import os
import signal
import threading
from functools import cache
from typing import Any, Final

from celery import current_app, shared_task
from celery.signals import heartbeat_sent, worker_shutdown, worker_shutting_down
from django.db import close_old_connections, connections
from django.utils.module_loading import import_string

from records.jobs import children, kinds
from records.jobs.children import Parent
from records.jobs.executor import Worker, run_before
from records.jobs.messages import TASK
from records.jobs.processes import HeartbeatWriter

#: Seconds from SIGTERM, which lets the current jobs finish, to their release. Docker and
#: `manage.py serve` kill after 10 s.
FINISH_SECONDS: Final = 7.0

#: A byte shared by the forked processes of the pool: 1 when the worker must end.
_ending: Final = mmap.mmap(-1, 1)
#: The main process, which imports the module. Processes of the pool must end after its death.
_MAIN_PID: Final = os.getpid()

# Loading the code of the jobs in the main process stores it once for the whole pool.
for kind in kinds.kinds(kinds.WORK):
    import_string(kind.run)


@shared_task(name=TASK)
def wake() -> None:
    """Run jobs until none is due: a message is a wake-up, not a job."""
    _parent().run()


@cache
def _parent() -> Parent:
    """Return the parent of the children of this process of the pool, which is made once."""
    return Parent(_work, run_before, lambda: bool(_ending[0]) or os.getppid() != _MAIN_PID)


def _work() -> None:
    """Run the due jobs after each message."""
    is_awake = True
    while is_awake:
        close_old_connections()
        Worker(queues=(kinds.WORK,)).run_due(children.should_end)
        is_awake = children.rest()


class _MainProcess:
    """Signal handlers of the main process of a worker."""

    writer: HeartbeatWriter | None = None

    def heartbeat(self, sender: Any, **_: Any) -> None:
        """Write a heartbeat with each heartbeat of Celery, which sends none without a broker."""
        if self.writer is None:
            queues = current_app.amqp.queues.consume_from
            self.writer = HeartbeatWriter("worker", ",".join(sorted(queues)))
        self.writer.write()
        # Processes of the pool may be forked at any time and must not inherit a connection.
        connections.close_all()

    def shutting_down(self, sender: Any, how: str, **_: Any) -> None:
        """Let each process of the pool end after its job; release jobs that take too long."""
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
