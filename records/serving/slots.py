"""Answers that take long are made few at a time, so that those that do not stay quick.

Of the threads of a web process some work on long answers, some wait for their turn at that, and at
least a quarter is left for everything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Final

from django.conf import settings

#: How long a request waits for its turn.
WAIT_SECONDS: Final = 2.0
#: Seconds after which somebody for whom there was no room may ask again.
AGAIN_SECONDS: Final = 5

#: One core is all that the threads of a process have; the second uses it while one waits for the
#: database.
_working: Final = BoundedSemaphore(max(1, settings.WEB_THREADS // 4))
_here: Final = BoundedSemaphore(max(1, settings.WEB_THREADS * 3 // 4))


class Busy(Exception):
    """As many long answers as may be are being made; ``again``: in so many seconds perhaps not."""

    def __init__(self) -> None:
        super().__init__("too many long answers at once")
        self.again = AGAIN_SECONDS


@contextmanager
def computing() -> Iterator[None]:
    """Make a long answer in here. Raises :class:`Busy` where it would have to wait too long."""
    if not _here.acquire(blocking=False):
        raise Busy
    try:
        if not _working.acquire(timeout=WAIT_SECONDS):
            raise Busy
        try:
            yield
        finally:
            _working.release()
    finally:
        _here.release()
