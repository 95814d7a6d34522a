"""Requests that cost the web server more than they carry: chunk lines, trailers, bad targets."""

from __future__ import annotations

import http.client
import io
import json
import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from waitress.adjustments import Adjustments
from waitress.receiver import ChunkedReceiver

from hanaarchive.web import connections
from hanaarchive.web.connections import Server
from hanaarchive.web.listening import listen
from hanaarchive.web.requests import (
    CHUNK_LINE_BYTES,
    OVERHEAD_BYTES,
    TRAILER_BYTES,
    Counter,
    Request,
)
from records.serving.body_limits import Limit
from tests.ops.slow import connect

HEAD = b"POST /upload/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
PIECE_BYTES = 1 << 18


def store_length(environ: dict[str, Any], respond: Callable[..., Any]) -> Iterable[bytes]:
    """A WSGI application that returns the length of the request's body."""
    body = str(len(environ["wsgi.input"].read())).encode()
    respond("200 OK", [("Content-Length", str(len(body)))])
    return [body]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A web server of this process, with an application that needs no database."""
    with listen("127.0.0.1", 0) as listener:
        server = Server(store_length, listener, threads=1)
        thread = threading.Thread(target=server.run)
        thread.start()
        yield listener.getsockname()[1]
        server.end(0.0)
        thread.join()


def send(port: int, data: bytes) -> tuple[int, bytes]:
    """Send raw bytes. Return the status and body of the response."""
    with closing(connect(port)) as line:
        line.sendall(data)
        response = http.client.HTTPResponse(line)
        response.begin()
        return response.status, response.read()


def receive(*pieces: bytes) -> Request:
    """Parse a request that arrives in these pieces, as far as it is taken."""
    request = Request(Adjustments(), lambda path: Limit(lambda: 64 << 20), Counter())
    for piece in pieces:
        if request.completed:
            break
        request.received(piece)
    return request


def status_of(request: Request) -> int:
    """Return the status with which the parser refuses the request, or 200."""
    return request.error.code if request.error is not None else 200


def chunk(extension_bytes: int, data: bytes = b"x") -> bytes:
    """A chunk whose size line has an extension and this length altogether."""
    size = b"%x" % len(data)
    return size + b";" + b"e" * (extension_bytes - len(size) - 1) + b"\r\n" + data + b"\r\n"


@pytest.mark.parametrize("piece_bytes", [1, 1000, PIECE_BYTES])
@pytest.mark.parametrize(
    ("line_bytes", "status"), [(CHUNK_LINE_BYTES, 200), (CHUNK_LINE_BYTES + 1, 400)]
)
def test_chunk_line_over_its_limit_is_refused(
    piece_bytes: int, line_bytes: int, status: int
) -> None:
    body = chunk(10, b"x" * 1000) + chunk(line_bytes) + b"0\r\n\r\n"
    pieces = [body[at : at + piece_bytes] for at in range(0, len(body), piece_bytes)]
    assert status_of(receive(HEAD, *pieces)) == status


@pytest.mark.parametrize("piece_bytes", [1, 1000, PIECE_BYTES])
@pytest.mark.parametrize(("size", "status"), [(TRAILER_BYTES, 200), (TRAILER_BYTES + 1, 400)])
def test_trailers_over_their_limit_are_refused(piece_bytes: int, size: int, status: int) -> None:
    field = b"A: " + b"t" * 95 + b"\r\n"
    trailers = field * (size // len(field))
    trailers += b"B: " + b"t" * (size - len(trailers) - 7) + b"\r\n\r\n"
    assert len(trailers) == size
    body = b"0\r\n" + trailers
    pieces = [body[at : at + piece_bytes] for at in range(0, len(body), piece_bytes)]
    assert status_of(receive(HEAD, *pieces)) == status


@pytest.mark.parametrize(
    "start", [b"5;", b"5;e=", b"0" * 5, b"\r\n", b"0\r\nA: "], ids=lambda start: start.decode()
)
def test_endless_chunk_line_or_trailer_is_refused_early(start: bytes) -> None:
    request = receive(HEAD, start, *([b"a" * PIECE_BYTES] * 400))
    assert status_of(request) == 400 and request.unread
    assert request.body_bytes_received < PIECE_BYTES


@pytest.mark.parametrize("size", [1, 64])
def test_more_chunk_extensions_than_data_are_refused(size: int) -> None:
    chunks = chunk(4000, b"x" * size) * 1000
    request = receive(HEAD, *([chunks[:PIECE_BYTES]] * 10))
    assert status_of(request) == 400
    assert request.body_bytes_received < 2 * OVERHEAD_BYTES


def test_large_body_in_chunks_of_one_byte_is_refused() -> None:
    """A chunk costs 2 µs: one process could not parse what one sender sends."""
    request = receive(HEAD, *([b"1\r\nx\r\n" * (PIECE_BYTES // 6)] * 10))
    assert status_of(request) == 400
    assert request.body_bytes_received < 2 * OVERHEAD_BYTES


def test_empty_chunk_lines_are_refused() -> None:
    """Waitress reads a line break in the place of a chunk's size as nothing."""
    request = receive(HEAD, *([b"\r\n" * (PIECE_BYTES // 2)] * 10))
    assert status_of(request) == 400
    assert request.body_bytes_received < 2 * OVERHEAD_BYTES


@pytest.mark.parametrize(("size", "count"), [(1, 3000), (6, 50_000), (1 << 16, 3)])
def test_signed_and_small_chunks_are_accepted(port: int, size: int, count: int) -> None:
    """A program may send line by line what it has, and sign each large chunk."""
    extension = b";chunk-signature=" + b"a" * 64 if size > 1000 else b""
    chunks = b"%x%s\r\n%s\r\n" % (size, extension, b"x" * size) * count
    trailers = b"Digest: " + b"a" * 64 + b"\r\n"
    status, body = send(port, HEAD + chunks + b"0\r\n" + trailers + b"\r\n")
    assert (status, int(body)) == (200, size * count)


def test_chunks_reach_waitress_in_short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waitress copies the rest of a piece once for each chunk in it: 256 KiB took half a second."""
    lengths: list[int] = []
    parse = ChunkedReceiver.received

    def record_length(receiver: ChunkedReceiver, data: bytes) -> int:
        lengths.append(len(data))
        return int(parse(receiver, data))

    monkeypatch.setattr(ChunkedReceiver, "received", record_length)
    request = receive(HEAD, b"8\r\nxxxxxxxx\r\n" * (PIECE_BYTES // 13))
    assert status_of(request) == 200 and max(lengths) <= CHUNK_LINE_BYTES + 2


def test_little_of_a_chunked_body_is_parsed_in_one_turn(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other connections have to wait meanwhile."""
    lengths: list[int] = []
    parse = Request.received

    def record_length(request: Request, data: bytes) -> int:
        lengths.append(len(data))
        return parse(request, data)

    monkeypatch.setattr(Request, "received", record_length)
    status, _body = send(port, HEAD + (b"40\r\n" + b"x" * 64 + b"\r\n") * 9000 + b"0\r\n\r\n")
    assert status == 200 and max(lengths) <= connections.PARSED_BYTES


@pytest.mark.parametrize("blank", [b"\r\n", b"\r\n\r\n", b" \r\n\r\n", b"\n"])
def test_blank_lines_before_a_request_are_skipped_in_one_step(
    port: int, monkeypatch: pytest.MonkeyPatch, blank: bytes
) -> None:
    """Each was a request of its own, and copied all that followed: half a second for 256 KiB."""
    requests: list[Request] = []

    class CountedRequest(Request):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            requests.append(self)

    monkeypatch.setattr(connections, "Request", CountedRequest)
    status, _body = send(port, blank * 1000 + b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert status == 200 and len(requests) == 1


TARGETS = [
    "http://[/",
    "http://[::1/",
    "http://]/",
    "http://[x]/",
    "http://a[b]/",
    "http://[::1]x/",
    "http://\u2100/",
    "http://localhost:99999999999/",
    "http://localhost:port/",
    "//[/",
    "/%",
    "/%zz/%00/%ff",
    "/\x00",
    "/\xff\xfe",
    "*",
    "localhost:8000",
    "?",
    "#",
    "javascript://[",
]


@pytest.mark.parametrize("target", TARGETS)
def test_bad_request_target_raises_nothing_in_the_io_thread(
    port: int, target: str, caplog: pytest.LogCaptureFixture
) -> None:
    status, _body = send(
        port, b"GET " + target.encode("utf-8") + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
    )
    assert status in (200, 400)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_invalid_target_and_length_get_a_problem(port: int) -> None:
    for request in (
        b"GET http://[/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
    ):
        status, body = send(port, request)
        assert status == 400 and json.loads(body)["status"] == 400


_TOKENS = st.sampled_from(
    [
        *(b"GET", b"POST", b"HEAD", b" ", b"\r\n", b"\r", b"\n", b"\0", b"\xff", b"\t", b":"),
        *(b"HTTP/1.1", b"HTTP/1.0", b"HTTP/", b"/", b"http://", b"[", b"]", b"%", b"%00", b"@"),
        *(b"Host: localhost\r\n", b"Content-Length: ", b"5", b"-1", b"9" * 5000, b"0x5"),
        *(b"Transfer-Encoding: ", b"chunked", b"identity", b",", b";", b"=", b'"', b"e" * 5000),
        *(b"Expect: 100-continue\r\n", b"Connection: close\r\n", b"\r\n\r\n", b"?", b"#", b"\xc2"),
    ]
)
_BYTES = st.lists(st.one_of(_TOKENS, st.binary(max_size=4)), max_size=25).map(b"".join)
_REQUESTS = st.one_of(
    _BYTES,
    _BYTES.map(lambda target: b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    _BYTES.map(lambda fields: b"POST / HTTP/1.1\r\n" + fields + b"\r\n\r\nabc"),
    _BYTES.map(lambda body: HEAD + body),
)


@given(data=_REQUESTS, cut=st.integers(0, 200))
def test_any_bytes_are_parsed_without_an_error(data: bytes, cut: int) -> None:
    request = receive(data[:cut], data[cut:])
    assert status_of(request) in (200, 400, 414, 431, 501)
    request.close()


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """The log of this process."""
    [console] = [handler for handler in logging.root.handlers if handler.name == "console"]
    stream = io.StringIO()
    monkeypatch.setattr(console, "stream", stream)
    return stream


@pytest.mark.parametrize(
    "request_headers",
    [{"Host": "x" * 5000 + ".example"}, {"Host": "localhost\udce3"}],
    ids=["long", "no-name"],
)
@pytest.mark.parametrize("path", ["/", "/api/v1/records", "/none"])
def test_wrong_host_is_logged_in_one_short_line(
    path: str, request_headers: dict[str, str], log: io.StringIO
) -> None:
    response = Client().get(path, headers=request_headers)
    assert response.status_code == 400
    [line] = log.getvalue().splitlines()
    assert "warning" in line and "Invalid HTTP_HOST" in line and len(line) < 400


def test_form_with_too_many_fields_is_logged_in_one_short_line(
    log: io.StringIO,
) -> None:
    """The line of every request that Django finds suspicious is shortened, not only of Hosts."""
    form = "&".join(f"field{number}=" for number in range(2000))
    response = Client().post("/language/", form, "application/x-www-form-urlencoded")
    assert response.status_code == 400
    [line] = log.getvalue().splitlines()
    assert "django.security.TooManyFieldsSent" in line and len(line) < 400
