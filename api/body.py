"""The body of a request as a stream: bounded, with or without a length, never whole in memory."""

from __future__ import annotations

from typing import BinaryIO, Final

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from api.problems import INCOMPLETE, Problem, too_large

PIECE: Final = 1 << 16


class Body:
    """The body of a request, read once from front to end.

    A body longer than ``limit + slack`` bytes is refused as too large for ``limit``: at once where
    a length is announced, else as soon as it is passed. ``slack`` is for what a form adds to its
    files.
    """

    def __init__(self, request: HttpRequest, limit: int, slack: int = 0) -> None:
        """Raises the problem 413 where the announced length is too large."""
        self.stream = stream(request)
        self.limit = limit
        self.most = limit + slack
        self.length = None if chunked(request) else announced(request)
        self.count = 0
        if self.length is not None and self.length > self.most:
            raise too_large(limit)

    def read(self, size: int = PIECE, /) -> bytes:
        """At most ``size`` bytes; none at the end.

        Raises the problems 413, and 400 where the sender breaks off before the announced length.
        """
        try:
            data = self.stream.read(size)
        except Exception as error:  # of broken chunks each server has errors of its own
            raise _broken_off() from error
        self.count += len(data)
        if self.count > self.most:
            raise too_large(self.limit)
        if not data and size and self.length is not None and self.count < self.length:
            raise _broken_off()
        return data


def _broken_off() -> Problem:
    return Problem(INCOMPLETE, _("The body breaks off before its end; nothing was kept."))


def chunked(request: HttpRequest) -> bool:
    """Whether the body comes in chunks (RFC 9112 §7.1), undone by the server, without a length."""
    return bool(
        request.META.get("wsgi.input_terminated")
        and "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower()
    )


def announced(request: HttpRequest) -> int:
    """Content-Length; 0 where there is none, and so no body."""
    length = request.META.get("CONTENT_LENGTH") or ""
    return int(length) if length.isascii() and length.isdigit() else 0


def has_body(request: HttpRequest) -> bool:
    """Whether anything is announced, with a length or without."""
    return chunked(request) or announced(request) > 0


def stream(request: HttpRequest) -> BinaryIO | HttpRequest:
    """Where the bytes come from. Django reads up to Content-Length, hence nothing without it."""
    if chunked(request):
        source: BinaryIO = request.META["wsgi.input"]
        return source
    return request


def drain(request: HttpRequest) -> None:
    """Read the rest of a refused body away, within reason.

    Most clients read no answer before they have sent all they want to; closing the connection on
    them would be a reset in the place of the answer.
    """
    source = stream(request)
    left = 4 * settings.UPLOAD_LIMIT_BYTES
    try:
        while left > 0 and (data := source.read(PIECE)):
            left -= len(data)
    except Exception:
        pass  # broken off, see Body.read: there is no rest
