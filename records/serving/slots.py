"""Limits how many slow answers are made at once, so that quick ones stay quick.

Some threads of a web process make slow answers, some wait for their turn at that, and at least a
quarter is left for everything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Final

from django.conf import settings

#: Seconds that a request waits for its turn.
WAIT_SECONDS: Final = 2.0
#: Seconds after which a sender for whom there was no room may ask again.
AGAIN_SECONDS: Final = 5

#: The threads of a process share one core; a second answer uses it while one waits for the
#: database.
_working: Final = BoundedSemaphore(max(1, settings.WEB_THREADS // 4))
_here: Final = BoundedSemaphore(max(1, settings.WEB_THREADS * 3 // 4))


class Busy(Exception):
    """The maximum number of slow answers are being made; try again in ``again`` seconds."""

    def __init__(self) -> None:
        super().__init__("too many long answers at once")
        self.again = AGAIN_SECONDS


@contextmanager
def computing() -> Iterator[None]:
    """Make a slow answer inside. Raises :class:`Busy` if it would have to wait too long."""
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
