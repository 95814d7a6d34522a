"""`manage.py worker`: does the work of uploads, whatever the transport."""

import os
import signal
import sys
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from records.models import Heartbeat
from records.work.heartbeats import HeartbeatWriter
from records.work.ledger import end_embedded_leases
from records.work.worker import Worker


class Command(BaseCommand):
    """The embedded worker; if ``REDIS_URL`` is set, Celery's instead."""

    help = "Work on uploads until told to end (SIGTERM or Ctrl-C; the chunk at hand is finished)."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        """Run until a signal comes."""
        if settings.REDIS_URL:
            # A unique node name, so that several may run on one machine.
            name = f"--hostname=worker{os.getpid()}@%h"
            celery = [sys.executable, "-m", "celery", "--quiet", f"--workdir={settings.BASE_DIR}"]
            celery += ["-A", "hanaarchive", "worker", name]
            os.execv(sys.executable, celery)
        ending = False

        def end(number: int, frame: FrameType | None) -> None:
            nonlocal ending
            ending = True

        signal.signal(signal.SIGTERM, end)
        signal.signal(signal.SIGINT, end)
        end_embedded_leases()
        heartbeat = HeartbeatWriter(Heartbeat.Kind.WORKER)

        def should_end() -> bool:
            heartbeat.write()
            return ending

        Worker().run(should_end)
        heartbeat.end()
