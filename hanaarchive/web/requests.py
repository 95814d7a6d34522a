"""A request as it arrives: bounded by its address, counted, refused with a problem (RFC 9457)."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from threading import Lock
from typing import Any, Final

from waitress.adjustments import Adjustments
from waitress.buffers import OverflowableBuffer
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.receiver import ChunkedReceiver
from waitress.utilities import BadRequest, Error

from records.base.tracing import sane_id, tracing
from records.serving.body_limits import SMALL_BYTES, Limit

#: Bytes of bodies that all connections of a process may hold, on disk, before large ones wait.
BUFFERED_BYTES = 2 << 30
#: How many times its limit a refused body is read to its end, so that its sender reads the answer.
SWALLOWED: Final = 4
LINE_BYTES: Final = 8190
#: Of a chunked body: its longest size line with extensions, and all its trailers.
CHUNK_LINE_BYTES: Final = 4 << 10
TRAILER_BYTES: Final = 8 << 10
#: How far the overhead of a chunked body (size lines, line ends, trailers) may exceed its data. A
#: chunk without extensions has an overhead of five bytes or more.
OVERHEAD_BYTES: Final = 16 << 10

_FIRST_LINE: Final = re.compile(rb"[^\r\n]{%d}" % (LINE_BYTES + 1))
_TITLES: Final = {
    400: "Bad Request",
    408: "Request Timeout",
    414: "URI Too Long",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable",
}
_DETAILS: Final = {
    400: "This is not a request of HTTP/1.1.",
    431: "The header fields are too long.",
    500: "Something failed on the server; the request is not at fault.",
    501: "Of transfer codings only chunked is known here.",
}

logger = logging.getLogger(__name__)


class Refusal(Error):
    """The answer to a request that Django does not see."""

    def __init__(self, status: int, detail: str = "", retry_after: int = 0) -> None:
        self.code = status
        self.reason = _TITLES[status]
        self.detail = detail or _DETAILS[status]
        self.retry_after = retry_after
        super().__init__(self.detail)

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Status line, headers and body; it is logged, without address or content."""
        request_id = sane_id(None)
        with tracing(request_id=request_id):
            logger.info("refused", extra={"status": self.code, "reason": self.detail})
        problem: dict[str, Any] = {"type": "about:blank", "title": self.reason}
        problem |= {"status": self.code, "detail": self.detail, "request_id": request_id}
        headers = [("Content-Type", "application/problem+json"), ("X-Request-ID", request_id)]
        if self.retry_after:
            headers.append(("Retry-After", str(self.retry_after)))
        return f"{self.code} {self.reason}", headers, json.dumps(problem).encode()


class Counter:
    """The bytes of bodies that a process holds, up to a maximum; thread-safe."""

    def __init__(self) -> None:
        self.most = BUFFERED_BYTES
        self.count = 0
        self.lock = Lock()

    def add(self, count: int) -> None:
        """Add so many, or subtract."""
        with self.lock:
            self.count += count


class NullBuffer:
    """A buffer that discards what it is given, and knows how much it was."""

    def __init__(self, count: int) -> None:
        self.count = count

    def append(self, data: bytes) -> None:
        """Count it."""
        self.count += len(data)

    def __len__(self) -> int:
        return self.count

    def getfile(self) -> Any:
        """An empty file."""
        return OverflowableBuffer(1).getfile()

    def close(self) -> None:
        """Nothing to release."""


class BoundedChunks(ChunkedReceiver):
    """Waitress's reader of chunked bodies, with bounds on all that is not data."""

    error: Error | None

    def __init__(self, buffer: Any) -> None:
        super().__init__(buffer)
        self.consumed = 0

    def received(self, data: bytes) -> int:
        """Parse more of the body; return how many bytes were used.

        Waitress copies the remaining input once per chunk and keeps unfinished lines. So it gets
        pieces no longer than one line may be.
        """
        start = 0
        while start < len(data) and not self.completed and self.error is None:
            room = CHUNK_LINE_BYTES + 2 - len(self.control_line)
            used: int = super().received(data[start : start + room])
            start += used
            self.consumed += used
            if (
                len(self.control_line) >= CHUNK_LINE_BYTES + 2
                or len(self.trailer) > TRAILER_BYTES
                or self.consumed - len(self) > OVERHEAD_BYTES + len(self)
            ):
                self.error = BadRequest("too much in a chunked body that is not data")
        return start


class Request(HTTPRequestParser):
    """Waitress's parser, with the limits of `records.serving.body_limits`.

    A body beyond the limit of its address is discarded. Django then sees the announced length and
    an empty body, and reports the error in the sender's language. If a part of a body is of use too
    (`Limit.is_part`), a longer one is cut off there.
    """

    body_rcv: Any

    def __init__(
        self, adj: Adjustments, limit_of: Callable[[str], Limit], counter: Counter
    ) -> None:
        super().__init__(adj)
        self.limit_of = limit_of
        self.counter = counter
        self.limit: Limit | None = None
        self.counted = 0
        #: Whether unread bytes may be left: the connection is then closed.
        self.unread = False

    def received(self, data: bytes) -> int:
        """Parse more; returns how many bytes were used. `completed` once it is whole, or
        refused.
        """
        try:
            consumed: int = super().received(data)
        except OSError:  # the disk is full
            self.refuse(
                Refusal(503, "There is not enough storage for this now; try again later.", 60)
            )
            return len(data)
        if self.error is None and not self.headers_finished:
            if _FIRST_LINE.match(self.header_plus):
                self.refuse(Refusal(414, "The address is too long."))
        elif isinstance(self.error, Refusal):
            pass
        elif self.error is not None:
            self.refuse(Refusal(self.error.code if self.error.code in _DETAILS else 400))
        elif self.body_rcv is not None:
            self._bound()
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        """Stricter than Waitress about ambiguous requests. Raises ParsingError."""
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # of `urlsplit` or `int`: Waitress catches some of them only
            raise ParsingError("bad target or length") from error
        if isinstance(self.body_rcv, ChunkedReceiver):
            self.body_rcv = BoundedChunks(self.body_rcv.buf)
        if len(self.first_line) > LINE_BYTES:
            self.error = Refusal(414, "The address is too long.")
        if self.version not in ("1.0", "1.1"):
            raise ParsingError("unknown version")
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("both a length and chunks")

    def refuse(self, refusal: Refusal) -> None:
        """Refuse the request, whatever else arrives."""
        self.error = refusal
        self.end_here()

    def end_here(self) -> None:
        """Complete the request as it is; what its sender still sends is discarded."""
        self.completed = True
        self.expect_continue = False
        self.unread = True
        self.headers["CONNECTION"] = "close"

    def cut_off(self) -> bool:
        """Let what arrived of a body be all of it; False if that is of no use."""
        if self.limit is None or not self.limit.is_part or not self.body_rcv:
            return False
        self.headers["CONTENT_LENGTH"] = str(len(self.body_rcv))
        self.end_here()
        return True

    def _bound(self) -> None:
        """After more of the body: count it, and enforce the limits."""
        assert self.body_rcv is not None
        if self.limit is None:
            self.limit = self.limit_of(self.path)
        size = len(self.body_rcv)
        announced = max(size, self.content_length)
        if isinstance(self.body_rcv.buf, NullBuffer):
            if size > SWALLOWED * self.limit.bytes:
                self._end_at_length(announced)
            return
        self.counter.add(size - self.counted)
        self.counted = size
        if self.limit.is_part:
            if size >= self.limit.bytes and not self.completed:
                self.cut_off()
        elif announced > self.limit.bytes:
            self._forget()
            if announced > SWALLOWED * self.limit.bytes or self.expect_continue:
                self._end_at_length(announced)
        if self.completed:
            return
        if size > SMALL_BYTES and self.counter.count > self.counter.most:
            text = "Too much is being received at once; try again in a minute."
            self.refuse(Refusal(503, text, 60))
            self._forget()

    def _end_at_length(self, length: int) -> None:
        self.headers["CONTENT_LENGTH"] = str(length)  # of chunked bodies too
        self.end_here()

    def _forget(self) -> None:
        """Discard a body that will not be read."""
        assert self.body_rcv is not None
        size = len(self.body_rcv)  # a closed buffer has no length
        self.body_rcv.buf.close()
        self.body_rcv.buf = NullBuffer(size)
        self._give_back()

    def _give_back(self) -> None:
        self.counter.add(-self.counted)
        self.counted = 0

    def close(self) -> None:
        """It is answered, or will never be."""
        self._give_back()
        super().close()
