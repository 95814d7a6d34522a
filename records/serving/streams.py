"""Answers that go on for a while: a few at once in a process, none beyond the server's end.

Such an answer has a thread for as long as it goes on (`hanaarchive.web`), and most of that time
waits. So it is the answer that gives way: where there is no room, or its time is over, it ends
after what is to be said now, and its reader comes again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Event
from typing import Final

from django.conf import settings

_room: Final = BoundedSemaphore(max(1, settings.STREAMS))
_ending: Final = Event()


@contextmanager
def room() -> Iterator[bool]:
    """Whether there is room for one more answer that goes on; it is held inside."""
    taken = _room.acquire(blocking=False)
    try:
        yield taken
    finally:
        if taken:
            _room.release()


def pause(seconds: float) -> bool:
    """Wait; returns whether to go on, which is False once the server ends."""
    return not _ending.wait(seconds)


def end() -> None:
    """The server ends: no answer goes on."""
    _ending.set()
