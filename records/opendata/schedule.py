"""The dump of a month is begun when the month is over, by a process of its own beside the sweep."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from typing import Final

from django.conf import settings

from records.base import clock
from records.opendata.months import due

#: Seconds between two looks at the calendar, and after a dump that failed.
CHECK_SECONDS: Final = 30.0
PAUSE: Final = 600.0
#: Seconds that a dump has to end when the sweep does.
GRACE: Final = 5.0

logger = logging.getLogger(__name__)


class Schedule:
    """Starts the maker: ``step()`` as often as one likes, ``end()`` at last.

    Several sweeps do no harm: the row of the dump says who is at it.
    """

    def __init__(self, *, first: bool = False) -> None:
        """``first``: an archive that has no dump yet gets one of the month under way."""
        self.first = first
        self.process: subprocess.Popen[bytes] | None = None
        self.next = time.monotonic()

    def step(self) -> None:
        """Begin a dump that is due, unless one is being made. What it needs stays out of here."""
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
            # Beside everything else that this machine does.
            command = ["nice", sys.executable, str(settings.BASE_DIR / "manage.py"), "dump"]
            self.process = subprocess.Popen(
                [*command, "--due", *(["--first"] if self.first else [])],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )

    def end(self) -> None:
        """End what is under way: it is begun anew by the next sweep."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
