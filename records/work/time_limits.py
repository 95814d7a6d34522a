"""Time limits for work that is done in place. Celery's own are for its pool of processes."""

from __future__ import annotations

import faulthandler
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from django.conf import settings


class OutOfTime(Exception):
    """The work took longer than it may."""


def errors() -> tuple[type[Exception], ...]:
    """Return the errors that end work at its soft limit, in place or in Celery's pool."""
    # Celery is a sixth of the start of a process, and work rarely fails.
    from celery.exceptions import SoftTimeLimitExceeded  # noqa: PLC0415

    return OutOfTime, SoftTimeLimitExceeded


@contextmanager
def limited() -> Iterator[None]:
    """Raise :class:`OutOfTime` in here when the soft limit has passed; at the hard one, exit.

    The first is a signal, which Python handles between two of its own steps. A process that hangs
    within one of them ends by the second: a thread that needs no Python writes the traceback to
    standard error and exits, and the supervisor starts the worker again. Only the main thread can
    be limited; elsewhere this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        raise OutOfTime(f"not done within {settings.CELERY_TASK_SOFT_TIME_LIMIT} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, settings.CELERY_TASK_SOFT_TIME_LIMIT)
    # By number: standard error may be a stand-in without a file.
    faulthandler.dump_traceback_later(
        settings.CELERY_TASK_TIME_LIMIT, exit=True, file=sys.__stderr__ or 2
    )
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
