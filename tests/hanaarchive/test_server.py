"""The web server as run by `make run`: one process of Waitress, without a proxy."""

from __future__ import annotations

import http.client
import json
import re
import socket
import subprocess
import weakref
from contextlib import ExitStack, closing

import pytest

from hanaarchive.parser import ChunkedBody
from lengths import LONG
from tests.hanaarchive.conftest import UPLOAD_LIMIT
from tests.hanaarchive.heads import CHUNKED, HEADS, send
from tests.ops.conftest import ask
from tests.ops.slow import connect, slow_clients
from tests.processes import cpu_seconds
from tests.records.makers import text

KAFU = "text/x-kafu"
LARGE = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
LIVE = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
#: Slow clients of a kind: far more than the eight threads of the server.
CLIENTS = 300 if LONG else 40
#: Maximum CPU seconds of the server for an unusual request, four times the usual maximum.
HEAD_SECONDS = 0.5


@pytest.fixture
def port(server: tuple[subprocess.Popen[str], int]) -> int:
    """Return the port of the web server."""
    return server[1]


def read_response(line: socket.socket, method: str = "GET") -> http.client.HTTPResponse:
    """Read the head of the next response on a connection."""
    response = http.client.HTTPResponse(line, method=method)
    response.begin()
    return response


def upload_request(body: bytes, *fields: str, path: str = "/api/v1/uploads") -> bytes:
    """Return the bytes of an upload with the given header fields."""
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Type: {KAFU}", *fields]
    return "\r\n".join([*lines, "", ""]).encode() + body


def chunked(size: int) -> bytes:
    """Return a body in chunks of 64 KiB."""
    chunk = b"%x\r\n%s\r\n" % (1 << 16, b"#" * (1 << 16))
    last = size % (1 << 16)
    return chunk * (size >> 16) + b"%x\r\n%s\r\n0\r\n\r\n" % (last, b"#" * last)


def read_statuses(line: socket.socket, count: int) -> list[bytes]:
    """Read responses until there are ``count``. Return their statuses."""
    statuses: list[bytes] = []
    received = b""
    while len(statuses) < count:
        data = line.recv(65536)
        assert data, f"the connection ended after {received[-300:]!r}"
        received += data
        statuses = re.findall(rb"HTTP/1\.1 (\d{3}) ", received)
    return statuses


def test_slow_senders_and_readers_block_no_other_client(port: int) -> None:
    """Open heads, bodies below and above the in-memory limit, and readers who read little."""
    url = f"http://127.0.0.1:{port}"
    with ExitStack() as stack:
        stack.enter_context(slow_clients(port, heads=CLIENTS, bodies=CLIENTS // 2))
        stack.enter_context(slow_clients(port, heads=0, bodies=CLIENTS // 2, first=200_000))
        for _ in range(CLIENTS):
            line = stack.enter_context(closing(socket.socket()))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.connect(("127.0.0.1", port))
            line.sendall(f"GET {LARGE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 8)
            assert line.recv(400)
        for path in ("/health/live", "/games/", "/api/v1/records"):
            assert ask(url + path).status == 200
        for body in (text(1).encode(), b"#" * 2_000_000):
            assert ask(f"{url}/api/v1/uploads", data=body, Content_Type=KAFU).status == 202


def test_one_connection_serves_requests_in_pieces_and_pipelined(port: int) -> None:
    body = text(1).encode()
    sent = upload_request(body, f"Content-Length: {len(body)}")
    with closing(connect(port)) as line:
        for piece in (LIVE[:7], LIVE[7:] + LIVE + sent[:300], sent[300:] + LIVE):
            line.sendall(piece)
        assert read_statuses(line, 4) == [b"200", b"200", b"202", b"200"]
        line.sendall(sent[:100])
        line.sendall(sent[100:])
        assert read_statuses(line, 1) == [b"202"]


def test_head_requests_on_one_connection_get_no_body(port: int) -> None:
    with closing(connect(port)) as line:
        for _ in range(2):
            line.sendall(b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            response = read_response(line, "HEAD")
            assert response.status == 200 and int(response.headers["Content-Length"]) > 1000


@pytest.mark.parametrize("length", ["Transfer-Encoding: chunked", "Content-Length: 70000"])
def test_body_over_the_limit_of_its_address_gets_413_with_the_limit(port: int, length: str) -> None:
    body = chunked(70_000) if "chunked" in length else b"#" * 70_000
    with closing(connect(port)) as line:
        line.sendall(upload_request(body, length, path="/api/v1/sheets"))
        response = read_response(line)
        problem = json.load(response)
        assert (response.status, problem["code"], problem["limit"]) == (413, "too-large", 64 << 10)
        assert response.headers["Content-Type"] == "application/problem+json"
        assert response.headers["X-Request-ID"] == problem["request_id"]
        line.sendall(LIVE)  # The body was read, so the connection goes on.
        assert read_statuses(line, 1) == [b"200"]


def test_body_over_every_limit_is_refused_before_it_is_sent(port: int) -> None:
    length = UPLOAD_LIMIT + (1 << 20)
    for announced, is_refused in ((length, False), (length + 1, True)):
        with closing(connect(port)) as line:
            line.sendall(upload_request(b"", f"Content-Length: {announced}"))
            if is_refused:
                assert read_response(line).status == 413
            else:
                line.settimeout(0.2)
                with pytest.raises(TimeoutError):
                    line.recv(1)


def test_expect_header_gets_100_continue(port: int) -> None:
    body = b"#" * 300_000
    with closing(connect(port)) as line:
        fields = (f"Content-Length: {len(body)}", "Expect: 100-continue")
        line.sendall(upload_request(b"", *fields))
        assert line.recv(100).startswith(b"HTTP/1.1 100 ")
        line.sendall(body)
        assert read_response(line).status == 202


@pytest.mark.parametrize("name", HEADS)
def test_unusual_head_or_chunk_gets_its_status_and_costs_little(
    server: tuple[subprocess.Popen[str], int], name: str
) -> None:
    process, port = server
    status, request = HEADS[name]
    before = cpu_seconds(process.pid)
    assert send(("127.0.0.1", port), request) == status
    assert cpu_seconds(process.pid) - before < HEAD_SECONDS


def test_chunks_in_single_bytes_with_extensions_and_trailers_are_accepted(port: int) -> None:
    body = b'\r\n4;a="b;c"\r\nabcd\r\n00a ; x\r\n0123456789\r\n0\r\nX: y\r\nZ:\r\n\r\n'
    with closing(connect(port)) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in CHUNKED + body + LIVE:
            line.sendall(bytes([byte]))
        assert read_statuses(line, 2) == [b"202", b"200"]


def test_unfinished_body_in_chunks_is_freed_without_garbage_collection() -> None:
    """Its file would stay open and occupy the disk until a collection."""
    body = ChunkedBody(None, limit=10)
    body.received(b"1;x")
    reference = weakref.ref(body)
    del body
    assert reference() is None
