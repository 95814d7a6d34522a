"""Answers that go on for a while: a few at once in a process, none beyond the server's end.

Such an answer has a thread for as long as it goes on (`hanaarchive.web`), and most of that time
waits. So it is the answer that gives way: where there is no room, or its time is over, it ends
after what is to be said now, and its reader comes again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock
from typing import Final

from django.conf import settings

_under_way: Final[Counter[str]] = Counter()
_lock: Final = Lock()
_ending: Final = Event()


@contextmanager
def room(sender: str) -> Iterator[bool]:
    """Hold a place for a response that goes on; whether there is one, in all and for the sender."""
    with _lock:
        of_sender = max(1, settings.STREAMS // 2)
        is_room = _under_way[sender] < of_sender and _under_way.total() < max(1, settings.STREAMS)
        if is_room:
            _under_way[sender] += 1
    try:
        yield is_room
    finally:
        if is_room:
            with _lock:
                _under_way[sender] -= 1
                if not _under_way[sender]:
                    del _under_way[sender]


def pause(seconds: float) -> bool:
    """Wait; returns whether to go on, which is False once the server ends."""
    return not _ending.wait(seconds)


def end() -> None:
    """The server ends: no answer goes on."""
    _ending.set()
