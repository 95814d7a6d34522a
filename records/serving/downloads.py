"""Long responses that are written while they are read: few at a time, so that pages keep threads.

The web server buffers what is written ahead of a reader in a file, up to a bound; beyond it the
reader's thread waits. So a reader that is too slow is cut off, and resumes from the cursor of the
last line.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final

from records.serving.limits import in_flight

#: Seconds after which a sender for whom there was no room may try again.
RETRY_SECONDS: Final = 10
#: Bytes that a reader must accept for each second that we waited, and the grace at first.
LEAST_RATE: Final = 64 << 10
GRACE_SECONDS: Final = 30.0


class TooSlow(Exception):
    """The reader accepts less than `LEAST_RATE`."""


class Download(Iterator[bytes]):
    """Chunks on their way to one reader: ``StreamingHttpResponse(Download(pieces, sender))``.

    Raises :class:`records.serving.limits.TooMany` and :class:`records.serving.limits.Busy`. Closed
    at its end or with the response, also when the reader disconnects.
    """

    def __init__(self, pieces: Iterator[bytes], sender: str) -> None:
        self.place = ExitStack()
        self.pieces = pieces
        self.bytes = 0
        self.waited, self.since = 0.0, time.monotonic()
        self.place.enter_context(in_flight("export", sender))

    def __next__(self) -> bytes:
        """Return the next chunk. Raises :class:`TooSlow`."""
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
        """Release the place, once."""
        self.place.close()

    def __del__(self) -> None:
        """Release the place of a response that was never sent."""
        self.close()
