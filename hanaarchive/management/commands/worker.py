"""`manage.py worker`: run the jobs of uploads, by Celery or by the embedded worker."""

import os
import signal
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from records.jobs import children
from records.jobs.executor import Worker, run_before
from records.jobs.processes import HeartbeatWriter
from records.models import Heartbeat
from records.operations.history import warn_of_newer


class Command(BaseCommand):
    """A command for the embedded worker, or for Celery's if ``REDIS_URL`` is set."""

    help = "Run the jobs of uploads until SIGTERM or Ctrl-C; the current chunk is finished."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        """Run until a signal comes."""
        warn_of_newer()
        if settings.REDIS_URL:
            # A unique node name allows several workers on one machine.
            name = f"--hostname=worker{os.getpid()}@%h"
            celery = [sys.executable, "-m", "celery", "--quiet", f"--workdir={settings.BASE_DIR}"]
            celery += ["-A", "hanaarchive", "worker", name]
            os.execv(sys.executable, celery)
        heartbeat = HeartbeatWriter(Heartbeat.Kind.WORKER)

        def should_end() -> bool:
            heartbeat.write()
            return children.should_end()

        def work() -> None:
            Worker().run(should_end)
            heartbeat.end()

        parent = children.Parent(work, run_before)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: parent.end())
        parent.run()
