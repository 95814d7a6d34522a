"""Long responses that are written while their reader reads. Their number is limited.

The web server buffers unread output in a file, up to a bound. Beyond the bound the thread of the
response waits. A reader that is too slow is therefore cut off, and resumes from the cursor of the
last line.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final

from records.serving.limits import in_flight

#: Seconds until a refused sender may try again.
RETRY_SECONDS: Final = 10
#: Bytes that a reader must accept per second of waiting, and the seconds of grace at the start.
LEAST_RATE: Final = 64 << 10
GRACE_SECONDS: Final = 30.0


class TooSlow(Exception):
    """The reader accepts less than `LEAST_RATE`."""


class Download(Iterator[bytes]):
    """The chunks of a response to one reader: ``StreamingHttpResponse(Download(pieces, sender))``.

    Raise :class:`records.serving.limits.TooMany` and :class:`records.serving.limits.Busy`. The
    download closes at its end or with the response, also when the reader disconnects.
    """

    def __init__(self, pieces: Iterator[bytes], sender: str) -> None:
        self.place = ExitStack()
        self.pieces = pieces
        self.bytes = 0
        self.waited, self.since = 0.0, time.monotonic()
        self.place.enter_context(in_flight("export", sender))

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
