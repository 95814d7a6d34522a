"""Request bodies through a real server: too large, without a length, interrupted."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import RequestFactory

from api.parsers import Body
from api.problems import INCOMPLETE, Problem
from tests.api.server import LIMIT, Server

MIB = 1 << 20
ZEROS = bytes(MIB)


def post(
    server: Server,
    path: str,
    pieces: Iterator[bytes],
    length: int | None = None,
    media: str = "text/x-kafu",
) -> tuple[int, dict[str, Any], dict[str, str]]:
    """Send a body with its length, or in chunks; return status, JSON and headers."""
    connection = server.connect()
    headers = {"Content-Type": media}
    if length is not None:
        headers["Content-Length"] = str(length)
    connection.request("POST", path, pieces, headers, encode_chunked=length is None)
    response = connection.getresponse()
    result = response.status, json.loads(response.read()), dict(response.getheaders())
    connection.close()
    return result


def make_zeros(count: int) -> Iterator[bytes]:
    """Yield a number of MiB."""
    return (ZEROS for _ in range(count))


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize(("path", "limit"), [("uploads", LIMIT), ("verify", 8 * MIB)])
def test_body_over_the_limit_is_refused_with_the_limit(
    server: Server, announced: bool, path: str, limit: int
) -> None:
    count = 3 * limit // (2 * MIB)
    length = count * MIB if announced else None
    status, body, headers = post(server, f"/api/v1/{path}", make_zeros(count), length)
    assert status == 413
    assert headers["Content-Type"] == "application/problem+json"
    assert (body["code"], body["limit"]) == ("too-large", limit)
    assert str(limit) in body["detail"]


def test_body_without_a_length_is_accepted(server: Server) -> None:
    status, body, headers = post(server, "/api/v1/uploads", make_zeros(3))
    assert (status, body["bytes"]) == (202, 3 * MIB)
    connection = server.connect()
    connection.request("GET", urlsplit(headers["Location"]).path)
    assert json.loads(connection.getresponse().read())["key"] == body["key"]
    connection.close()


def test_empty_body_without_a_length_is_refused(server: Server) -> None:
    status, body, _headers = post(server, "/api/v1/uploads", make_zeros(0))
    assert (status, body["code"]) == (400, "nothing-sent")


@pytest.mark.parametrize("announced", [True, False])
def test_form_is_accepted_with_and_without_a_length(server: Server, announced: bool) -> None:
    head = b'--X\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    form = [head, ZEROS, b"\r\n--X--\r\n"]
    length = sum(map(len, form)) if announced else None
    media = "multipart/form-data; boundary=X"
    status, body, _headers = post(server, "/api/v1/uploads", iter(form), length, media)
    assert (status, body["bytes"], body["files"]) == (202, MIB, 1)


@pytest.mark.parametrize(
    ("head", "status_line"),
    [
        (b"Content-Length: 1000\r\n\r\n[Kafu", b""),
        (b"Transfer-Encoding: chunked\r\n\r\n100\r\n[Kafu", b""),
        (b"Transfer-Encoding: chunked\r\n\r\nnonsense\r\n[Kafu", b"HTTP/1.1 400"),
    ],
)
def test_interrupted_body_is_no_upload(server: Server, head: bytes, status_line: bytes) -> None:
    """The web server closes the connection, or refuses an unparseable request."""
    start = b"POST /api/v1/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-kafu\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as sender:
        sender.sendall(start + head)
        sender.shutdown(socket.SHUT_WR)
        response = b"".join(iter(lambda: sender.recv(1 << 16), b""))
    assert response[:12] == status_line


def test_stream_shorter_than_the_announced_length_is_refused() -> None:
    """A web server may report the end of an interrupted body without an error."""
    environ: dict[str, Any] = {"wsgi.input": BytesIO(b"[Kafu"), "CONTENT_LENGTH": "10"}
    body = Body(RequestFactory().post("/", **environ), LIMIT)
    assert body.read() == b"[Kafu"
    with pytest.raises(Problem) as caught:
        body.read()
    assert caught.value.kind == INCOMPLETE


@pytest.mark.parametrize("form", [True, False])
def test_memory_for_a_long_body_stays_flat(server: Server, form: bool) -> None:
    """The server holds a few segments at a time."""
    post(server, "/api/v1/uploads", make_zeros(1))
    before = server.memory()
    during = 0

    def pieces() -> Iterator[bytes]:
        nonlocal during
        if form:
            yield b'--X\r\nContent-Disposition: form-data; name="text"\r\n\r\n'
        yield from make_zeros(30)
        during = server.memory()
        yield b"\r\n--X--\r\n"

    media = "multipart/form-data; boundary=X" if form else "text/x-kafu"
    status, body, _headers = post(server, "/api/v1/uploads", pieces(), None, media)
    assert status == 202
    assert body["bytes"] >= 30 * MIB
    assert during - before < 12 * MIB
