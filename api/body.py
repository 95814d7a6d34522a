"""The body of a request as a stream: bounded, never whole in memory.

Waitress gives a length for chunked bodies too.
"""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, UnreadablePostError
from django.utils.translation import gettext as _

from api.problems import INCOMPLETE, Problem, too_large

PIECE: Final = 1 << 16


class Body:
    """The body of a request, read once from front to end.

    A body longer than ``limit + slack`` bytes is refused as too large for ``limit``. ``slack`` is
    for the overhead of a form around its files.
    """

    def __init__(self, request: HttpRequest, limit: int, slack: int = 0) -> None:
        """Raises the problem 413 if the announced length is too large."""
        self.stream = request
        self.limit = limit
        self.most = limit + slack
        self.length = announced(request)
        self.count = 0
        if self.length > self.most:
            raise too_large(limit)

    def read(self, size: int = PIECE, /) -> bytes:
        """Read at most ``size`` bytes; none at the end.

        Raises the problems 413, and 400 if the sender disconnects before the announced length.
        """
        try:
            data = self.stream.read(size)
        except UnreadablePostError as error:
            raise _broken_off() from error
        self.count += len(data)
        if self.count > self.most:
            raise too_large(self.limit)
        if not data and size and self.count < self.length:
            raise _broken_off()
        return data


def _broken_off() -> Problem:
    return Problem(INCOMPLETE, _("The request body is incomplete; nothing was stored."))


def announced(request: HttpRequest) -> int:
    """Content-Length; 0 without one, and so without a body."""
    length = request.META.get("CONTENT_LENGTH") or ""
    return int(length) if length.isascii() and length.isdigit() else 0


def has_body(request: HttpRequest) -> bool:
    """Whether a body is announced."""
    return announced(request) > 0
