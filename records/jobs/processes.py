"""Jobs of the queue `records.jobs.kinds.PROCESS`: each in a process, in parallel to other jobs.

The process is `manage.py job NUMBER`, with a lower priority than all other processes.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from typing import Final

from django.conf import settings

from records.base import clock
from records.jobs import ledger
from records.jobs.kinds import PROCESS
from records.models import Job

#: Seconds until the next process starts after a failed process.
PAUSE_SECONDS: Final = 600.0
#: Seconds that a process may take to end when the sweep ends.
GRACE_SECONDS: Final = 5.0

logger = logging.getLogger(__name__)


class Runner:
    """A starter of the processes: call ``step()`` at any interval, and ``end()`` at last.

    Several sweeps may run: the lease of the job decides which process runs the job.
    """

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.start_at = time.monotonic()

    def step(self) -> None:
        """Start the next job, unless a process is running."""
        if self.process is not None:
            status = self.process.poll()
            if status is None:
                return
            self.process = None
            if status:
                logger.error("a job ended with status %s; next in %d s", status, PAUSE_SECONDS)
                self.start_at = time.monotonic() + PAUSE_SECONDS
        if time.monotonic() < self.start_at:
            return
        ledger.end_leases(clock.now())
        job = ledger.find_waiting(clock.now(), PROCESS).order_by(PROCESS.order, "pk").first()
        if job is not None:
            self.start(job)

    def start(self, job: Job) -> None:
        """Start the process of a job."""
        logger.info("%s is begun", job)
        command = ["nice", sys.executable, str(settings.BASE_DIR / "manage.py"), "job", str(job.pk)]
        null = subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdin=null, stdout=null)

    def end(self) -> None:
        """End a running process: the next sweep starts the job again."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
