"""Size-limited streaming of request bodies, which are never held in memory as a whole.

Waitress sets a length for chunked bodies too.
"""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, UnreadablePostError
from django.utils.translation import gettext as _

from api.problems import INCOMPLETE, Problem, too_large

PIECE: Final = 1 << 16


class Body:
    """A request body, read once from front to end.

    A body longer than ``limit + slack`` bytes is refused as too large for ``limit``. ``slack`` is
    for the overhead of a form around its files.
    """

    def __init__(self, request: HttpRequest, limit: int, slack: int = 0) -> None:
        """Prepare to read the body; raise a 413 problem if its declared length is too large."""
        self.stream = request
        self.limit = limit
        self.most = limit + slack
        self.length = declared_length(request)
        self.count = 0
        if self.length > self.most:
            raise too_large(limit)

    def read(self, size: int = PIECE, /) -> bytes:
        """Read at most ``size`` bytes; return no bytes at the end.

        Raise a 413 problem for an oversized body, and a 400 problem if the sender disconnects
        before the declared length.
        """
        try:
            data = self.stream.read(size)
        except UnreadablePostError as error:
            raise _incomplete_body() from error
        self.count += len(data)
        if self.count > self.most:
            raise too_large(self.limit)
        if not data and size and self.count < self.length:
            raise _incomplete_body()
        return data


def _incomplete_body() -> Problem:
    return Problem(INCOMPLETE, _("The request body is incomplete; nothing was stored."))


def declared_length(request: HttpRequest) -> int:
    """Return the Content-Length of a request, or 0 for a request without a body."""
    length = request.META.get("CONTENT_LENGTH") or ""
    return int(length) if length.isascii() and length.isdigit() else 0


def has_body(request: HttpRequest) -> bool:
    """Return whether a request declares a body."""
    return declared_length(request) > 0
