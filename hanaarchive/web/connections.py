"""One connection, its timeouts, and the server of all connections."""

from __future__ import annotations

import logging
import socket
import struct
import time
from functools import partial
from typing import Any, Final

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from hanaarchive.web.answers import AnswerTask
from hanaarchive.web.requests import Counter, Refusal, Request
from records.serving.body_limits import limit_of

#: For the head of a request, from its first byte on; and for that byte on a new connection.
HEAD_SECONDS = 10.0
#: Between two requests. Longer than a proxy keeps an idle connection, so that it never sends one on
#: a connection that is being closed.
KEEP_SECONDS = 75.0
#: How long we wait for a sender or reader, and how many bytes buy a second more; the second rate
#: while half of the allowed bytes are held.
TIMEOUT_SECONDS = 30.0
RATE: Final = 1 << 10
CROWDED_RATE: Final = 16 << 10
#: For what still arrives on a connection after its last answer.
LINGER_SECONDS = 2.0
#: After SIGTERM no new request is accepted, and current ones have this long.
GRACE_SECONDS: Final = 8.0
#: Interval of checking timeouts; Waitress only knows whole seconds.
TICK_SECONDS: Final = 1
#: Bytes that the I/O thread reads from a connection in one turn, unless they are a body with a
#: length, which need not be parsed.
PARSED_BYTES: Final = 16 << 10
#: An answer's bytes beyond this are buffered in a file, and its thread waits if there are so many
#: more.
IN_MEMORY: Final = 256 << 10
AHEAD_BYTES: Final = 16 << 20

logger = logging.getLogger(__name__)


class Connection(HTTPChannel):
    """A connection. All but `service` and what it calls runs in the I/O thread.

    One request at a time: what a sender adds before the answer is read stays unparsed, so that
    nobody lets a thread write many answers for which there is no room.
    """

    task_class = AnswerTask

    request: Request | None
    requests: list[Request]
    sent_continue: bool

    def __init__(self, server: Server, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        self.parser = partial(Request, limit_of=limit_of, counter=server.counter)
        self.rest = b""
        self.moved = 0
        self.time_left = TIMEOUT_SECONDS
        self.since = server.clock
        self.is_new = True
        self.unread = False
        self.lingering = False
        super().__init__(server, sock, *args, **kwargs)

    # --- coming in ----------------------------------------------------------------------------

    def readable(self) -> bool:
        """Whether more is wanted; unparsed input comes first."""
        if self.lingering:
            return True
        if self.rest and not self.requests and super().readable():
            with self.requests_lock:
                self._take_in()
        return bool(super().readable())

    def handle_read(self) -> None:
        """Data arrived; at its end `recv` calls `handle_close`."""
        has_length = self.request is not None and self.request.content_length > 0
        data = self.recv(self.adj.recv_bytes if has_length else PARSED_BYTES)
        if data and not self.lingering:
            self.received(data)

    def received(self, data: bytes) -> bool:
        """Parse what arrived."""
        with self.requests_lock:
            if self.will_close or self.close_when_flushed:
                return False
            self.moved += len(data)
            self.rest += data
            self._take_in()
        return True

    def _take_in(self) -> None:
        """Parse up to the end of one request and hand it to a thread. With the lock held."""
        while self.rest and not self.requests:
            if self.request is None:
                # Waitress would make a request of each empty line and copy all that follows it.
                self.rest = self.rest.lstrip()
                if not self.rest:
                    return
                self.request = self.parser(self.adj)
                self.since = self.server.clock
                self.is_new = False
            count = self.request.received(self.rest)
            self.rest = self.rest[count:]
            wants_word = self.request.expect_continue and self.request.headers_finished
            if wants_word and not self.sent_continue:
                self.send_continue()
            if self.request.completed:
                self._hand_over(self.request)

    def _hand_over(self, request: Request) -> None:
        self.request = None
        self.sent_continue = False
        self._renew()
        self.unread = request.unread
        self.requests.append(request)
        self.server.add_task(self)

    def _pass_on(self) -> bool:
        """Hand the beginning of a body to the application, if that is of use to it."""
        with self.requests_lock:
            if self.request is None or not self.request.cut_off():
                return False
            self._hand_over(self.request)
        return True

    def _refuse(self, refusal: Refusal) -> None:
        with self.requests_lock:
            request = self.request or self.parser(self.adj)
            request.version = "1.1"
            request.refuse(refusal)
            self._hand_over(request)

    # --- going out ----------------------------------------------------------------------------

    def send(self, data: bytes, do_close: bool = True) -> int:
        """As in Waitress; counted."""
        count: int = super().send(data, do_close)
        self.moved += count
        return count

    def handle_close(self) -> None:
        """The end, by whichever side.

        What arrived of a body may be of use still. And a sender of more than we want should be able
        to read why: its data is discarded for a while.
        """
        if self._pass_on():
            return
        if self.request is not None and self.request.headers_finished and self.connected:
            self._refuse(Refusal(400, "The request body is incomplete; nothing was stored."))
            return
        if self.unread and self.connected and not self.lingering and not self.total_outbufs_len:
            self.will_close = False
            self.lingering = True
            self.since = self.server.clock
            try:
                self.socket.shutdown(socket.SHUT_WR)
                return
            except OSError:
                pass  # it is ended already
        if self.request is not None:
            self.request.close()
            self.request = None
        super().handle_close()

    # --- patience -----------------------------------------------------------------------------

    def tick(self) -> None:
        """Check timeouts; called every `TICK_SECONDS`."""
        now = self.server.clock
        if self.lingering:
            if now > self.since + LINGER_SECONDS:
                self.handle_close()
        elif self.total_outbufs_len:
            if self._timed_out():
                self._hang_up()
        elif self.requests:
            self._renew()  # the server is slow, not the client
        elif self.request is None:
            if now > self.since + (HEAD_SECONDS if self.is_new else KEEP_SECONDS):
                self.handle_close()
        elif not self.request.headers_finished:
            if now > self.since + HEAD_SECONDS:
                seconds = f"{HEAD_SECONDS:g}"
                self._refuse(Refusal(408, f"The head did not come within {seconds} s."))
        elif self._timed_out() and not self._pass_on():
            self._refuse(Refusal(408, "The body comes too slowly."))

    def _hang_up(self) -> None:
        """Close at once, with a reset: what the kernel has still to send is not waited for
        either.
        """
        logger.info("a reader was too slow")
        self.unread = False
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.handle_close()

    def _renew(self) -> None:
        self.time_left, self.moved, self.since = TIMEOUT_SECONDS, 0, self.server.clock

    def _timed_out(self) -> bool:
        """The time left shrinks while we wait and grows with transferred bytes, up to the
        timeout.
        """
        counter = self.server.counter
        rate = CROWDED_RATE if counter.count > counter.most // 2 else RATE
        gained, self.moved = self.moved / rate, 0
        self.time_left = min(TIMEOUT_SECONDS, self.time_left - TICK_SECONDS + gained)
        return self.time_left < 0


def without_bodies(application: Any) -> Any:
    """Drop the bodies of answers to HEAD, which Waitress would send."""

    def respond(wsgi: Any, start_response: Any) -> Any:
        answer = application(wsgi, start_response)
        if wsgi["REQUEST_METHOD"] != "HEAD":
            return answer
        if hasattr(answer, "close"):
            answer.close()
        return []

    return respond


class Server(TcpWSGIServer):
    """The connections of one process: `Server(application, listener, threads=8).run()`."""

    channel_class = Connection

    def __init__(
        self, application: Any, listener: socket.socket, *, threads: int, connections: int = 4000
    ) -> None:
        self.counter = Counter()
        #: Seconds in which a client could have been heard: a tick counts as one however late it
        #: is, for what arrived while the process stood still is read only after it.
        self.clock = 0.0
        self.ending = False
        self.until = 0.0
        adjustments = Adjustments(
            threads=threads,
            sockets=[listener],
            connection_limit=connections,
            cleanup_interval=TICK_SECONDS,
            asyncore_use_poll=True,
            recv_bytes=1 << 18,
            max_request_header_size=32 << 10,
            max_request_body_size=1 << 62,  # the limit is checked by `Request`
            inbuf_overflow=64 << 10,
            outbuf_overflow=IN_MEMORY,
            outbuf_high_watermark=AHEAD_BYTES,
            clear_untrusted_proxy_headers=False,  # see `records.serving.senders`
            log_socket_errors=False,
            ident="",
        )
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(threads)
        super().__init__(
            without_bodies(application),
            map={},
            _sock=listener,
            dispatcher=dispatcher,
            adj=adjustments,
            bind_socket=False,
            sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
        )

    def end(self, seconds: float) -> None:
        """From a signal handler: accept no new connection; current requests have so long."""
        self.ending = True
        self.until = time.monotonic() + seconds

    def run(self) -> None:
        """Serve until `end` is called."""
        while not self.ending:
            wasyncore.loop(timeout=TICK_SECONDS, use_poll=True, map=self._map, count=1)
        self.accepting = False
        wasyncore.dispatcher.close(self)  # the other processes that share the socket go on
        while time.monotonic() < self.until and self._busy():
            wasyncore.loop(timeout=0.1, use_poll=True, map=self._map, count=1)
        self.task_dispatcher.shutdown(timeout=max(0.1, self.until - time.monotonic()))

    def _busy(self) -> bool:
        """Whether a request is being received, handled or answered; other connections are closed.

        The beginning of a body that is of use is passed on, so that nothing of it is lost.
        """
        for one in list(self.active_channels.values()):
            if one.request is not None and not one.requests:
                one._pass_on()
            elif not (one.requests or one.total_outbufs_len or one.lingering):
                one.handle_close()
        return bool(self.active_channels)

    def maintenance(self, now: float) -> None:
        """Called by Waitress's loop, `TICK_SECONDS` apart or more."""
        self.clock += TICK_SECONDS
        for one in list(self.active_channels.values()):
            one.tick()
