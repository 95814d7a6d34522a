"""Long answers that are written while they are read: few at once, so that pages keep threads.

What is written ahead of a reader goes into a file of the web server, up to a bound; beyond it the
reader's thread waits. So there are so many of them in a process, some of them for one sender, and
whoever reads too slowly is cut off and goes on by the cursor of the last line.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from threading import Lock
from typing import Final

from django.conf import settings

#: Seconds after which somebody for whom there was no room may ask again.
AGAIN_SECONDS: Final = 10
#: Bytes that a reader has to take for each second that we waited, and how long we wait at first.
LEAST_RATE: Final = 64 << 10
GRACE_SECONDS: Final = 30.0

_under_way: Final[Counter[str]] = Counter()
_lock: Final = Lock()


class Full(Exception):
    """There is no room; ``own``: the sender has as many under way as one may have."""

    def __init__(self, own: bool) -> None:
        super().__init__("too many long answers are under way")
        self.own = own


class TooSlow(Exception):
    """The reader takes less than `LEAST_RATE`."""


def most_of_one() -> int:
    """How many one sender may have in this process."""
    return max(1, settings.DOWNLOADS // 2)


class Download(Iterator[bytes]):
    """Pieces on their way to one reader: ``StreamingHttpResponse(Download(pieces, sender))``.

    Raises :class:`Full`. Closed when it is read to its end or the response is closed, which a
    reader who goes away brings about.
    """

    def __init__(self, pieces: Iterator[bytes], sender: str) -> None:
        self.open = False
        self.pieces, self.sender = pieces, sender
        self.bytes = 0
        self.waited, self.since = 0.0, time.monotonic()
        with _lock:
            if _under_way[sender] >= most_of_one():
                raise Full(own=True)
            if _under_way.total() >= settings.DOWNLOADS:
                raise Full(own=False)
            _under_way[sender] += 1
        self.open = True

    def __next__(self) -> bytes:
        """The next piece. Raises :class:`TooSlow`."""
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
        """Make room, once."""
        if not self.open:
            return
        self.open = False
        with _lock:
            _under_way[self.sender] -= 1
            if not _under_way[self.sender]:
                del _under_way[self.sender]

    def __del__(self) -> None:
        """A response that was made and never sent makes room too."""
        self.close()
