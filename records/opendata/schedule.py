"""Starts the dump of a month when the month is over, in a process of its own next to the sweep."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from typing import Final

from django.conf import settings

from records.base import clock
from records.opendata.months import due

#: Seconds between two checks of the calendar, and after a failed dump.
CHECK_SECONDS: Final = 30.0
PAUSE: Final = 600.0
#: Seconds that a dump has to end when the sweep does.
GRACE: Final = 5.0

logger = logging.getLogger(__name__)


class Schedule:
    """Starts the dump process: call ``step()`` as often as you like, ``end()`` at last.

    Several sweeps do no harm: the row of the dump says which process is making it.
    """

    def __init__(self, *, first: bool = False) -> None:
        """``first``: an archive without a dump gets one of the current month."""
        self.first = first
        self.process: subprocess.Popen[bytes] | None = None
        self.next = time.monotonic()

    def step(self) -> None:
        """Start a dump that is due, unless one is being made. Its modules are imported in the new
        process.
        """
        now = time.monotonic()
        if self.process is not None:
            status = self.process.poll()
            if status is None:
                return
            self.process = None
            if status:
                logger.error("the dump ended with status %s; begun anew in %d s", status, PAUSE)
                self.next = now + PAUSE
        if now < self.next:
            return
        self.next = now + CHECK_SECONDS
        month = due(clock.now(), first=self.first)
        if month is not None:
            logger.info("the dump of %s is begun", month)
            # Lower priority than everything else on this machine.
            command = ["nice", sys.executable, str(settings.BASE_DIR / "manage.py"), "dump"]
            self.process = subprocess.Popen(
                [*command, "--due", *(["--first"] if self.first else [])],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )

    def end(self) -> None:
        """Stop a running dump: the next sweep starts it again."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
