"""Long responses that are written while their reader reads. Their number is limited.

The web server buffers unread output in a file, up to a bound. Beyond the bound the thread of the
response waits. A reader that is too slow is therefore cut off, and resumes from the cursor of the
last line.

Requests that wait for a change: a few at a time in a process, none after the server's end.

Such a request occupies a thread. It therefore gives way to other requests: without a free place it
does not wait.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Event
from typing import Final

from records.serving.gates import RequestRefused
from records.serving.limits import Account, in_flight

_ending: Final = Event()
#: Seconds until a refused sender may try again.
RETRY_SECONDS: Final = 10
#: Bytes that a reader must accept per second of waiting, and the seconds of grace at the start.
LEAST_RATE: Final = 64 << 10
GRACE_SECONDS: Final = 30.0


@contextmanager
def room(account: Account) -> Iterator[bool]:
    """Hold a place for a waiting request. Yield whether a place was free."""
    with ExitStack() as place:
        is_room = True
        try:
            place.enter_context(in_flight("wait", account))
        except RequestRefused:
            is_room = False
        yield is_room


def pause(seconds: float) -> bool:
    """Wait. Return whether to continue; False after the server's end."""
    return not _ending.wait(seconds)


def end() -> None:
    """End all waiting, because the server ends."""
    _ending.set()


class TooSlow(Exception):
    """The reader accepts less than `LEAST_RATE`."""


class Download(Iterator[bytes]):
    """The chunks of a response to one reader: ``StreamingHttpResponse(Download(pieces, account))``.

    Raise :class:`records.serving.gates.TooMany` and :class:`records.serving.gates.Busy`. The
    download closes at its end or with the response, also when the reader disconnects.
    """

    def __init__(self, pieces: Iterator[bytes], account: Account) -> None:
        self.place = ExitStack()
        self.pieces = pieces
        self.bytes = 0
        self.waited, self.since = 0.0, time.monotonic()
        self.place.enter_context(in_flight("export", account))

    def __next__(self) -> bytes:
        """Return the next chunk. Raise :class:`TooSlow`."""
        self.waited += time.monotonic() - self.since
        try:
            if self.waited > GRACE_SECONDS + self.bytes / LEAST_RATE:
                raise TooSlow
            piece = next(self.pieces)
        except BaseException:
            self.close()
            raise
        self.bytes += len(piece)
        self.since = time.monotonic()
        return piece

    def close(self) -> None:
        """Release the place in the room. Later calls do nothing."""
        self.place.close()

    def __del__(self) -> None:
        """Release the place of a response that was never sent."""
        self.close()
