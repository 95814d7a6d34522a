"""Jobs that run in a process of their own: one at a time, in parallel to all others."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from typing import Final

from django.conf import settings

from records.base import clock
from records.models import Job
from records.work import ledger
from records.work.kinds import Lane

#: Seconds until another process is started after one that failed.
PAUSE: Final = 600.0
#: Seconds that a process has to end when the sweep does.
GRACE: Final = 5.0

logger = logging.getLogger(__name__)


class Runner:
    """Starts the processes: call ``step()`` as often as you like, ``end()`` at last.

    Several sweeps do no harm: the job says which process does it.
    """

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.next = time.monotonic()

    def step(self) -> None:
        """Start the job whose turn it is, unless one is running."""
        now = time.monotonic()
        if self.process is not None:
            status = self.process.poll()
            if status is None:
                return
            self.process = None
            if status:
                logger.error("a job ended with status %s; tried again in %d s", status, PAUSE)
                self.next = now + PAUSE
        if now < self.next:
            return
        ledger.end_leases(clock.now())
        job = ledger.waiting_since(clock.now(), Lane.PROCESS).order_by("turn", "pk").first()
        if job is not None:
            self.start(job)

    def start(self, job: Job) -> None:
        """Do a job in a process with a lower priority than everything else on this machine."""
        logger.info("%s is begun", job)
        command = ["nice", sys.executable, str(settings.BASE_DIR / "manage.py"), "job", str(job.pk)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )

    def end(self) -> None:
        """Stop a running process: the next sweep starts the job again."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
