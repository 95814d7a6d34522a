"""Requests with an unusual head or body in chunks, and the statuses they should get.

The tests of the web server send them without a proxy.
"""

from __future__ import annotations

import re
import select
import socket
from typing import Final

#: Bytes of a head or of a body in chunks that does not end.
ENDLESS: Final = 4 << 20
#: Bytes of a header in a head that is nearly too long: the maximum is 16 KiB.
LONG: Final = 15_000
TIMEOUT_SECONDS: Final = 20.0
GET: Final = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED: Final = (
    b"POST /api/v1/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-kafu\r\n"
    b"Transfer-Encoding: chunked\r\n"
)
EXPECT: Final = b"Expect: 100-continue\r\n"
_STATUS: Final = re.compile(rb"HTTP/1\.[01] ([2-5]\d\d) ")

#: Status and request by name.
HEADS: Final = {
    "blanks before a value": (200, GET + b"X: " + b" " * LONG + b"x\r\n\r\n"),
    "tabs before a value": (200, GET + b"X:" + b"\t" * LONG + b"x\r\n\r\n"),
    "blanks before NUL": (400, GET + b"X: x" + b" " * LONG + b"\0\r\n\r\n"),
    "blanks and letters before NUL": (400, GET + b"X: " + b"a " * (LONG // 2) + b"\0\r\n\r\n"),
    "folded blanks": (400, GET + b"X:" + (b" " * 98 + b"\r\n") * 150 + b" x\r\n\r\n"),
    "commas": (200, GET + b"Accept: " + b"," * LONG + b"\r\n\r\n"),
    "quotation marks": (200, GET + b'If-None-Match: "' + b'\\"' * (LONG // 2) + b"\r\n\r\n"),
    "languages": (200, GET + b"Accept-Language: " + b"a-" * (LONG // 2) + b"\r\n\r\n"),
    "many headers": (200, GET + b"".join(b"X%d:\r\n" % n for n in range(LONG // 8)) + b"\r\n"),
    "repeated header": (200, GET + b"X:x\r\n" * (LONG // 5) + b"\r\n"),
    "folded header": (400, GET + b"X: a\r\n b\r\n\r\n"),
    "NUL in a header": (400, GET + b"X: a\0b\r\n\r\n"),
    "header above 16 KiB": (431, GET + b"X: " + b"x" * (16 << 10) + b"\r\n\r\n"),
    "endless header": (431, GET + b"X: " + b"x" * ENDLESS),
    "endless request line": (431, b"GET /" + b"x" * ENDLESS),
    "long request line": (200, b"GET /?" + b"a" * LONG + GET[5:] + b"\r\n"),
    "colons in the request line": (400, b"GET " + b"a:" * (LONG // 2) + b" HTTP/1.1\r\n\r\n"),
    "malformed IPv6 address": (400, b"GET http://[::1/ HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    "empty lines": (400, b"\r\n" * (ENDLESS // 2)),
    "HTTP/0.9": (400, b"GET /\r\n\r\n"),
    "HTTP/2": (400, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "HTTP/3.7": (400, b"GET / HTTP/3.7\r\nHost: localhost\r\n\r\n"),
    "TRACE": (501, GET.replace(b"GET", b"TRACE") + b"\r\n"),
    "CONNECT": (501, b"CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    "unknown method": (501, GET.replace(b"GET", b"BREW") + b"\r\n"),
    "length of 5,000 digits": (400, GET + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n"),
    "two lengths": (400, GET + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n12345"),
    "expectation without a body": (200, GET + EXPECT + b"\r\n"),
    "expectation with a huge body": (413, GET + EXPECT + b"Content-Length: 9000000000\r\n\r\n"),
    "length and chunks": (400, CHUNKED + b"Content-Length: 5\r\n\r\n0\r\n\r\n"),
    "chunked twice": (501, CHUNKED + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    "chunked, chunked": (501, CHUNKED[:-2] + b", chunked\r\n\r\n0\r\n\r\n"),
    "chunked, chunked before a similar header": (
        501,
        CHUNKED[:-2] + b", chunked\r\nX-Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ),
    "chunked and gzip": (501, CHUNKED[:-2] + b", gzip\r\n\r\n0\r\n\r\n"),
    "chunks in HTTP/1.0": (400, CHUNKED.replace(b"/1.1", b"/1.0") + b"\r\n0\r\n\r\n"),
    "endless chunk size": (400, CHUNKED + b"\r\n" + b"0" * ENDLESS),
    "endless chunk extension": (400, CHUNKED + b"\r\n1;" + b"a" * ENDLESS),
    "empty chunk sizes": (400, CHUNKED + b"\r\n" + b"\r\n" * (ENDLESS // 2)),
    "chunk size with a line feed": (400, CHUNKED + b"\r\n1\n\r\n#\r\n0\r\n\r\n"),
    "chunk longer than its size": (400, CHUNKED + b"\r\n1\r\n##\r\n0\r\n\r\n"),
    "huge chunk": (413, CHUNKED + b"\r\n" + b"f" * 12 + b"\r\n" + b"#" * ENDLESS),
    "tiny chunks": (400, CHUNKED + b"\r\n" + b"1\r\n#\r\n" * (ENDLESS // 6)),
    "endless trailers": (400, CHUNKED + b"\r\n0\r\n" + b"X: x\r\n" * (ENDLESS // 6)),
    "trailer with a line feed": (400, CHUNKED + b"\r\n0\r\nX: x\n\r\n\r\n"),
    "hundred requests": (200, (GET + b"\r\n") * 100),
}


def send(address: tuple[str, int], request: bytes) -> int:
    """Send a request until its response begins. Return the status, 0 without a response."""
    received, unsent = b"", memoryview(request)
    with socket.create_connection(address, timeout=TIMEOUT_SECONDS) as line:
        while not (status := _STATUS.search(received)):
            readers, writers, _ = select.select(
                [line], [line] if unsent else [], [], TIMEOUT_SECONDS
            )
            try:
                if readers:
                    data = line.recv(1 << 16)
                    if not data:
                        return 0
                    received += data
                elif writers:
                    unsent = unsent[line.send(unsent) :]
                else:
                    return 0
            except BrokenPipeError:
                unsent = unsent[:0]  # The server has responded and closed the connection.
            except OSError:
                return 0
    return int(status[1])
