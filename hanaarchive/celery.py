"""The Celery application: `celery -A hanaarchive worker`."""

import os
import signal
import threading
from typing import Any

from celery import Celery
from celery.signals import heartbeat_sent, setup_logging, worker_shutdown, worker_shutting_down

from hanaarchive import broker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hanaarchive.settings")

broker.install()
app = Celery("hanaarchive")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

#: From SIGTERM, which lets the current task finish, to releasing it. Less than what Docker and
#: `manage.py serve` wait (10 s) before they kill.
FINISH_SECONDS = 7.0


class _WorkerSignals:
    """Signal handlers of a worker's main process: its heartbeats, and its end."""

    def __init__(self) -> None:
        self.pulse: Any = None

    def beat(self, sender: Any, **_: Any) -> None:
        """With each heartbeat to the broker: without a broker there is none."""
        # Not before Django is set up.
        from django.db import connections  # noqa: PLC0415

        from records.work.heartbeats import Pulse  # noqa: PLC0415

        if self.pulse is None:
            self.pulse = Pulse("worker", ",".join(sorted(app.amqp.queues.consume_from)))
        self.pulse.beat()
        # Pool processes are forked from this one at any time: they must not inherit a connection.
        connections.close_all()

    def shutting_down(self, sender: Any, how: str, **_: Any) -> None:
        """A warm shutdown waits for tasks however long they take; this one becomes cold then."""
        if how == "Warm":
            timer = threading.Timer(FINISH_SECONDS, os.kill, (os.getpid(), signal.SIGQUIT))
            timer.daemon = True
            timer.start()

    def shut_down(self, sender: Any, **_: Any) -> None:
        """Remove the heartbeat."""
        if self.pulse is not None:
            self.pulse.end()


def _leave_logging_alone(sender: Any, **_: Any) -> None:
    """With a listener here, Celery does not configure logging: Django's LOGGING stays."""


_worker_signals = _WorkerSignals()
setup_logging.connect(_leave_logging_alone)
heartbeat_sent.connect(_worker_signals.beat)
worker_shutting_down.connect(_worker_signals.shutting_down)
worker_shutdown.connect(_worker_signals.shut_down)
