"""Gunicorn's worker with a gate before its threads: nobody holds one by sending slowly.

Gunicorn's own gives a thread to every connection, which then waits for the rest of the request for
as long as the sender likes; some dozen of them stop a server, and a reverse proxy that passes
bodies as they come does not help. Here the loop of the process takes in the head of a request and
the first `OPENING_BYTES` of all; whatever is no larger waits without a thread. Of the larger ones
at most half the threads are busy at a time, the others wait for their turn; and of who then sends
too slowly for too long (`ALONE`, `CROWDED`) no more is read. Who takes in nothing of an answer for
a minute gets no more of it.

Refusals of Gunicorn's own are problem details here, with an id and a log line. Plain HTTP only:
TLS is the proxy's.
"""

from __future__ import annotations

import json
import logging
import re
import select
import selectors
import socket
import struct
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from errno import EPIPE
from functools import partial
from http import HTTPStatus
from math import inf
from typing import Any, Final

from gunicorn.http import errors
from gunicorn.util import write_nonblock
from gunicorn.workers.gthread import TConn, ThreadWorker

from records.tracing import sane_id, tracing

#: What is taken in of a request before it has a thread; a head must not be longer.
OPENING_BYTES: Final = 64 << 10
HEAD_SECONDS = 10.0
#: For the rest of the opening, once the head is there.
OPENING_SECONDS = 30.0
#: How long a thread waits for its sender, and how many bytes make up for a second; the second pair
#: while other large requests wait for a thread.
ALONE = (30.0, 1 << 10)
CROWDED = (3.0, 16 << 10)
#: For what still comes on a connection that was answered for the last time.
LINGER_SECONDS = 2.0
#: Seconds and microseconds for a reader to take in anything at all.
SEND_TIMEOUT = struct.pack("ll", 60, 0)
#: How often a thread that waits looks whether others do.
TICK_SECONDS = 0.5

#: What Gunicorn refuses, by its errors; the first that fits.
REFUSALS: Final[tuple[tuple[type[Exception], int, str], ...]] = (
    (errors.InvalidResponseHeader, 500, "Something failed here; it is not the request's fault."),
    (
        errors.InvalidResponseHeaderName,
        500,
        "Something failed here; it is not the request's fault.",
    ),
    (errors.LimitRequestLine, 414, "The address is too long."),
    (errors.LimitRequestHeaders, 431, "There are too many headers, or one is too long."),
    (errors.UnsupportedTransferCoding, 501, "Of transfer codings only chunked is known here."),
    (errors.ExpectationFailed, 417, "Nothing but 100-continue can be expected here."),
    (errors.ParseException, 400, "This is no request of HTTP/1.1."),
    (errors.InvalidChunkSize, 400, "The chunked body is broken."),
    (errors.InvalidChunkExtension, 400, "The chunked body is broken."),
    (errors.ChunkMissingTerminator, 400, "The chunked body is broken."),
    (Exception, 500, "Something failed here; it is not the request's fault."),
)
_LENGTH: Final = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,18})[ \t]*\r\n", re.I)
#: Of unknown length, or whose sender waits for our word before the body: nothing to wait for.
_UNTOLD: Final = re.compile(rb"\r\n(?:transfer-encoding|expect):", re.I)

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Opening:
    """What has come of a request that has no thread yet."""

    until: float  # by the monotonic clock
    data: bytearray = field(default_factory=bytearray)
    #: Bytes of head and body, once the head is there; 0 where the length is not told.
    whole: int | None = None
    #: Nothing more will be read of it.
    ended: bool = False

    def add(self, data: bytes) -> None:
        """More of it, b"" at the end of the connection."""
        self.ended = not data
        self.data += data
        if self.whole is not None or (end := self.data.find(b"\r\n\r\n")) < 0:
            return
        head = bytes(self.data[: end + 2])
        length = _LENGTH.search(head)
        self.whole = 0 if _UNTOLD.search(head) else end + 4 + (int(length[1]) if length else 0)
        self.until = time.monotonic() + OPENING_SECONDS

    @property
    def large(self) -> bool:
        """Whether a thread will have to wait for its sender."""
        if self.ended or self.whole is None:
            return False
        return not self.whole or self.whole > len(self.data)

    @property
    def ready(self) -> bool:
        """Whether a thread may have it: it is there, or as much as is taken in before."""
        if self.ended:
            return self.whole is not None
        whole = OPENING_BYTES if self.whole is None else self.whole
        return len(self.data) >= min(whole, OPENING_BYTES)


class Metered:
    """A socket to read a body from: at its end for senders who use up our patience.

    Patience shrinks while we wait and grows with what comes.
    """

    def __init__(self, sock: Any, crowded: Callable[[], bool], patience: float) -> None:
        """``patience``: seconds; none at all for a connection that is to be read no further."""
        self.sock = sock
        self.crowded = crowded
        self.patience = patience
        self.poll = select.poll()
        self.poll.register(sock, select.POLLIN)

    def __getattr__(self, name: str) -> Any:
        """Everything else is the socket's own."""
        return getattr(self.sock, name)

    def recv(self, size: int) -> bytes:
        """The next bytes, b"" at the end. Raises TimeoutError by the socket's own timeout only."""
        theirs = self.sock.gettimeout()
        since = time.monotonic()
        until = inf if theirs is None else since + theirs
        while self.patience > 0:
            most, rate = CROWDED if self.crowded() else ALONE
            self.patience = min(self.patience, most)
            wait = min(self.patience, until - since, TICK_SECONDS)
            data: bytes | None = self.sock.recv(size) if self.poll.poll(wait * 1000) else None
            now = time.monotonic()
            self.patience += len(data or b"") / rate - (now - since)
            since = now
            if data is not None:
                return data
            if now >= until:
                raise TimeoutError
        return b""


class Worker(ThreadWorker):
    """See the module. Everything but `handle` and `handle_error` runs in the process's loop."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """As Gunicorn calls it."""
        super().__init__(*args, **kwargs)
        self.openings: dict[TConn, Opening] = {}
        self.lingering: dict[TConn, float] = {}
        self.most_large = max(1, self.cfg.threads // 2)
        self.large: set[TConn] = set()
        self.waiting: deque[TConn] = deque()
        self.swept = 0.0

    def enqueue_req(self, conn: TConn) -> None:
        """A connection is new, or its next request begins: take in the opening."""
        opening = self.openings[conn] = Opening(time.monotonic() + HEAD_SECONDS)
        if conn.parser is not None and (early := conn.parser.unreader.take_buffered()):
            opening.add(early)
        conn.sock.setblocking(False)
        more = partial(self.on_more, conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, more)
        more(conn.sock)

    def on_more(self, conn: TConn, _sock: Any) -> None:
        """Something came."""
        opening = self.openings[conn]
        try:
            if not opening.ready:
                opening.add(conn.sock.recv(OPENING_BYTES - len(opening.data)))
        except BlockingIOError:
            return
        except OSError:
            opening.add(b"")
        if opening.ready:
            self.dispatch(conn, opening)
        elif opening.ended:
            self.drop(conn)

    def dispatch(self, conn: TConn, opening: Opening) -> None:
        """A thread for it; if it is large, in its turn."""
        self.poller.unregister(conn.sock)
        conn.opening = self.openings.pop(conn)
        if opening.large:
            self.waiting.append(conn)
            self.let_in()
        else:
            super().enqueue_req(conn)

    def let_in(self) -> None:
        """Threads for large requests, as many as they may have."""
        while self.waiting and len(self.large) < self.most_large:
            conn = self.waiting.popleft()
            self.large.add(conn)
            super().enqueue_req(conn)

    def finish_request(self, conn: TConn, fs: Future[Any]) -> None:
        """Its thread is free."""
        self.large.discard(conn)
        if fs.cancelled() or fs.exception() or fs.result():
            super().finish_request(conn, fs)
        else:
            self.linger(conn)
        self.let_in()

    def linger(self, conn: TConn) -> None:
        """End a connection; first read what its sender still sends, else he may miss the answer.

        Gunicorn's own does so with the whole process waiting.
        """
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:  # it is ended already
            self.nr_conns -= 1
            conn.close()
            return
        self.lingering[conn] = time.monotonic() + LINGER_SECONDS
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_rest, conn))

    def on_rest(self, conn: TConn, _sock: Any) -> None:
        """Something came that nobody will look at, or the end."""
        try:
            if conn.sock.recv(OPENING_BYTES):
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self.drop(conn)

    def drop(self, conn: TConn) -> None:
        """End a connection that has no thread."""
        self.poller.unregister(conn.sock)
        self.openings.pop(conn, None)
        self.lingering.pop(conn, None)
        self.nr_conns -= 1
        conn.close()

    def murder_pending(self) -> None:
        """Called by the loop: whose time is over."""
        now = time.monotonic()
        if now < self.swept + 0.5:
            return
        self.swept = now
        for conn in [one for one, until in self.lingering.items() if until < now]:
            self.drop(conn)
        for conn, opening in list(self.openings.items()):
            if not self.alive and not opening.data:
                opening.until = min(opening.until, now + LINGER_SECONDS)
            if now < opening.until:
                continue
            elif opening.whole is not None:
                # The application answers: it may keep what came, and knows what was wanted.
                opening.ended = True
                self.dispatch(conn, opening)
            else:
                if opening.data:
                    too_late = f"The head did not come within {HEAD_SECONDS:g} s."
                    refuse(conn.sock, 408, too_late, None)
                self.drop(conn)

    def handle(self, conn: TConn) -> Any:
        """In a thread: Gunicorn reads what was taken in, then the socket."""
        opening: Opening = conn.opening
        if opening.whole is None:
            too_long = errors.LimitRequestHeaders("the head is longer than any may be")
            self.handle_error(None, conn.sock, conn.client, too_long)
            return False
        conn.data_ready = True
        conn.init()
        conn.sock.setblocking(True)
        conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, SEND_TIMEOUT)
        conn.parser.unreader.unread(bytes(opening.data))
        patience = 0 if opening.ended else ALONE[0]
        conn.parser.unreader.sock = Metered(conn.sock, lambda: bool(self.waiting), patience)
        kept = super().handle(conn)
        # Of whom we stopped to listen to, the next bytes are no request.
        return kept and conn.parser.unreader.sock.patience > 0

    def handle_request(self, req: Any, conn: TConn) -> bool:
        """Who does not read what he asked for is as good as gone."""
        try:
            kept: bool = super().handle_request(req, conn)
        except BlockingIOError as error:  # by SEND_TIMEOUT
            raise BrokenPipeError(EPIPE, "the answer was not read") from error
        return kept

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """Answer what Gunicorn cannot read, and what failed where Django did not see it."""
        status, detail = next((s, text) for kind, s, text in REFUSALS if isinstance(exc, kind))
        refuse(client, status, detail, exc)


def refuse(client: Any, status: int, detail: str, exc: Exception | None) -> None:
    """A problem (RFC 9457) for what no part of the application has seen."""
    request_id = sane_id(None)
    title = HTTPStatus(status).phrase
    with tracing(request_id=request_id):
        if status == 500:
            logger.error("refused", extra={"status": status}, exc_info=exc)
        else:
            logger.info("refused", extra={"status": status, "reason": type(exc).__name__})
    problem = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    body = json.dumps(problem | {"request_id": request_id}).encode()
    head = (
        f"HTTP/1.1 {status} {title}\r\nConnection: close\r\nX-Request-ID: {request_id}\r\n"
        f"Content-Type: application/problem+json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    try:
        write_nonblock(client, head.encode() + body)
    except OSError:
        pass  # who is gone needs no answer
