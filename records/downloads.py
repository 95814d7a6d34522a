"""Long answers: only so many at once, so that slow readers leave threads for everybody else."""

from __future__ import annotations

from collections.abc import Iterator
from threading import BoundedSemaphore
from typing import Final

from django.conf import settings

#: Seconds after which somebody for whom there was no room may ask again.
AGAIN_SECONDS: Final = 10
_free: Final = BoundedSemaphore(settings.DOWNLOADS)


class Busy(Exception):
    """As many downloads as may be are under way in this process."""


class Download(Iterator[bytes]):
    """Pieces on their way to one reader: ``StreamingHttpResponse(Download(pieces))``.

    Raises :class:`Busy` where there is no room. Closed when it is read to its end or the response
    is closed, which a reader who goes away brings about.
    """

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.open = False
        self.pieces = pieces
        if not _free.acquire(blocking=False):
            raise Busy
        self.open = True

    def __next__(self) -> bytes:
        """The next piece."""
        try:
            return next(self.pieces)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Make room, once."""
        if self.open:
            self.open = False
            _free.release()

    def __del__(self) -> None:
        """A response that was made and never sent makes room too."""
        self.close()
