"""Long answers that are written while they are read: few at once, so that pages keep threads.

The web server buffers what is written ahead of a reader in a file, up to a bound; beyond it the
reader's thread waits. So their number in a process is limited, in all and for one sender, and a
reader that is too slow is cut off and resumes from the cursor of the last line.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from threading import Lock
from typing import Final

from django.conf import settings

#: Seconds after which a sender for whom there was no room may ask again.
AGAIN_SECONDS: Final = 10
#: Bytes that a reader must accept for each second that we waited, and the grace at first.
LEAST_RATE: Final = 64 << 10
GRACE_SECONDS: Final = 30.0

_under_way: Final[Counter[str]] = Counter()
_lock: Final = Lock()


class Full(Exception):
    """No room for another download; ``own``: the sender has the maximum for one."""

    def __init__(self, own: bool) -> None:
        super().__init__("too many long answers are under way")
        self.own = own


class TooSlow(Exception):
    """The reader accepts less than `LEAST_RATE`."""


def most_of_one() -> int:
    """The maximum number of downloads of one sender in this process."""
    return max(1, settings.DOWNLOADS // 2)


class Download(Iterator[bytes]):
    """Chunks on their way to one reader: ``StreamingHttpResponse(Download(pieces, sender))``.

    Raises :class:`Full`. Closed at its end or with the response, also when the reader disconnects.
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
        """The next chunk. Raises :class:`TooSlow`."""
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
        """Release the slot, once."""
        if not self.open:
            return
        self.open = False
        with _lock:
            _under_way[self.sender] -= 1
            if not _under_way[self.sender]:
                del _under_way[self.sender]

    def __del__(self) -> None:
        """Release the slot of a response that was never sent."""
        self.close()
