"""Long-lived responses: a few at a time in a process, none after the server's end.

Such a response occupies a thread and mostly waits. It therefore gives way to other requests:
without a free place, or after its time, it ends with its next event, and the reader reconnects.
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
    """Hold a place for a long-lived response. Yield whether a place was free."""
    with ExitStack() as place:
        is_room = True
        try:
            place.enter_context(in_flight("stream", sender))
        except Refused:
            is_room = False
        yield is_room


def pause(seconds: float) -> bool:
    """Wait. Return whether to continue; False after the server's end."""
    return not _ending.wait(seconds)


def end() -> None:
    """End all long-lived responses, because the server ends."""
    _ending.set()
