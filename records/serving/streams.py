"""Responses that go on for a while: few at a time in a process, none beyond the server's end.

Such a response has a thread for as long as it goes on, and most of that time waits. So it is the
response that gives way: without room, or once its time is over, it ends after its next event, and
its reader comes again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Event
from typing import Final

from records.serving.limits import Refused, in_flight

_ending: Final = Event()


@contextmanager
def room(sender: str) -> Iterator[bool]:
    """Hold a place for a response that goes on. Yield whether there is one."""
    with ExitStack() as place:
        is_room = True
        try:
            place.enter_context(in_flight("stream", sender))
        except Refused:
            is_room = False
        yield is_room


def pause(seconds: float) -> bool:
    """Wait. Return whether to go on, which is False once the server ends."""
    return not _ending.wait(seconds)


def end() -> None:
    """End all responses that go on: the server ends."""
    _ending.set()
