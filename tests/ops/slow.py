"""Clients that each occupy a thread, if the server lets them."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

HEAD = (
    "POST /api/v1/uploads HTTP/1.1\r\nHost: {host}\r\nContent-Type: text/x-kafu\r\n"
    "Content-Length: 1000000\r\n\r\n"
)


def connect(port: int, tls: ssl.SSLContext | None = None) -> socket.socket:
    """Connect to a port of the local machine."""
    line = socket.create_connection(("127.0.0.1", port), timeout=60)
    return tls.wrap_socket(line, server_hostname="localhost") if tls else line


@contextmanager
def slow_clients(
    port: int, *, heads: int, bodies: int, first: int = 0, tls: ssl.SSLContext | None = None
) -> Iterator[list[socket.socket]]:
    """Send half heads, and uploads with a byte now and then. Yield the uploads.

    Args:
        port: of the server, on the local machine
        heads: the number of requests that stop in their head
        bodies: the number of uploads
        first: bytes of each body that are sent immediately
        tls: for HTTPS
    """
    over = threading.Event()
    with ExitStack() as stack:
        for number in range(heads):
            line = stack.enter_context(connect(port, tls))
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: "[: 20 + number % 25])
        uploads = []
        for _ in range(bodies):
            # Send the head immediately, because servers wait only briefly for heads.
            line = stack.enter_context(connect(port, tls))
            line.sendall(HEAD.format(host="localhost").encode() + b"#" * first)
            uploads.append(line)

        def trickle() -> None:
            while not over.wait(0.1):
                for line in uploads:
                    try:
                        line.sendall(b"#")
                    except OSError:
                        pass  # the expected end: the server closed the connection

        sender = threading.Thread(target=trickle)
        sender.start()
        stack.callback(sender.join)
        stack.callback(over.set)
        yield uploads
