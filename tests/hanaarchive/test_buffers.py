"""The web server while no file can be written: whole responses, and 503 for large bodies."""

from __future__ import annotations

import errno
import http.client
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from hanaarchive.buffers import Buffer, BufferedBody
from records.base.transient import RETRY_AFTER, Unavailable
from tests.hanaarchive.test_server import LIVE, chunked, read_response, read_statuses
from tests.hanaarchive.test_server import upload_request as request_of
from tests.ops.slow import connect
from tests.records.makers import text

SCHEMA = "/api/v1/schema?format=json"
#: Number of requested schemas: about 6 MB.
PAGES = 10
SIZE = 400_000
#: Maximum bytes of a file on the full disk. The server writes a part, then fails.
ROOM = 10_000


@pytest.fixture
def port(server: tuple[subprocess.Popen[str], int]) -> Iterator[int]:
    """Return the port of the web server, which can write no large file meanwhile."""
    process, port = server
    if sys.platform != "linux":
        pytest.skip("only Linux can limit the files of another process")
    with closing(connect(port)) as line:  # A first request loads the schema, and fills the cache.
        line.sendall(request_for(SCHEMA))
        assert len(read_response(line).read()) * PAGES > 5_000_000
    unlimited = resource.RLIM_INFINITY
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (ROOM, unlimited))
    yield port
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))


def request_for(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: identity\r\n\r\n".encode()


@pytest.mark.parametrize("pause", [0.0, 1.0], ids=["fast reader", "slow reader"])
def test_large_pages_are_whole_while_the_disk_is_full(port: int, pause: float) -> None:
    """More than the system buffers for a reader who takes nothing for a second."""
    with closing(connect(port)) as line:
        line.settimeout(60)
        line.sendall(request_for(SCHEMA) * PAGES)
        time.sleep(pause)
        reader = line.makefile("rb")
        for _ in range(PAGES):
            assert reader.readline().split()[1] == b"200"
            length = int(http.client.parse_headers(reader)["Content-Length"])
            assert len(reader.read(length)) == length


@pytest.mark.parametrize("form", ["length", "chunks"])
@pytest.mark.parametrize("path", ["/api/v1/uploads", "/api/v1/verify"])
def test_large_body_gets_503_while_the_disk_is_full(port: int, path: str, form: str) -> None:
    """The sender gets the response after the whole body, and the connection goes on."""
    body, field = b"#" * SIZE, f"Content-Length: {SIZE}"
    if form == "chunks":
        body, field = chunked(SIZE), "Transfer-Encoding: chunked"
    with closing(connect(port)) as line:
        line.sendall(request_of(body, field, path=path))
        response = read_response(line)
        problem = json.load(response)
        assert (response.status, problem["code"]) == (503, "unavailable")
        assert response.headers["Retry-After"] == str(RETRY_AFTER)
        line.sendall(LIVE)
        assert read_statuses(line, 1) == [b"200"]


def test_large_form_gets_503_while_the_disk_is_full(port: int) -> None:
    part = b'--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n'
    body = part + b"#" * SIZE + b"\r\n--b--\r\n"
    head = (
        f"POST /upload/ HTTP/1.1\r\nHost: localhost\r\nCookie: csrftoken={'a' * 32}\r\n"
        f"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with closing(connect(port)) as line:
        line.sendall(head.encode() + body)
        response = read_response(line)
        assert (response.status, response.headers["Retry-After"]) == (503, str(RETRY_AFTER))
        assert response.headers["Content-Type"].startswith("text/html")


def test_sender_of_a_large_body_may_wait_for_100_continue_while_the_disk_is_full(port: int) -> None:
    with closing(connect(port)) as line:
        line.sendall(request_of(b"", f"Content-Length: {SIZE}", "Expect: 100-continue"))
        assert line.recv(100).startswith(b"HTTP/1.1 100 ")
        line.sendall(b"#" * SIZE)
        assert read_response(line).status == 503


def test_small_page_and_body_need_no_disk(port: int) -> None:
    body = text(1).encode()
    with closing(connect(port)) as line:
        line.sendall(request_of(body, f"Content-Length: {len(body)}", path="/api/v1/verify"))
        response = read_response(line)
        assert (response.status, json.load(response)["status"]) == (200, "verified")


def drain(buffer: Buffer, count: int) -> bytes:
    """Read bytes from the beginning, and remove them."""
    data = bytes(buffer.get(count))
    buffer.skip(len(data), True)
    return data


@pytest.mark.parametrize("most", [0, 3, 100])
def test_bytes_come_out_of_a_buffer_in_order(most: int) -> None:
    buffer = Buffer(most)
    received = b""
    for piece in (b"ab", b"cdef", b"", b"ghi"):
        buffer.append(piece)
        received += drain(buffer, 2)
    assert len(buffer) == 1
    received += drain(buffer, 100)
    assert (received, len(buffer)) == (b"abcdefghi", 0)
    buffer.append(b"jk")
    assert drain(buffer, 100) == b"jk"
    buffer.close()


def test_append_that_fails_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class FullFile:
        def __init__(self, **_: int) -> None:
            self.is_closed = False

        def seek(self, place: int) -> None:
            pass

        def write(self, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self) -> None:
            self.is_closed = True

    buffer = Buffer(4)
    buffer.append(b"abc")
    monkeypatch.setattr(tempfile, "TemporaryFile", FullFile)
    with pytest.raises(OSError, match="No space"):
        buffer.append(b"def")
    assert drain(buffer, 2) == b"ab"
    buffer.append(b"def")  # Now it fits into memory.
    assert drain(buffer, 9) == b"cdef"
    body = BufferedBody(4)
    for piece in (b"abc", b"def", b"g"):
        body.append(piece)
    assert len(body) == 7
    with pytest.raises(Unavailable):
        body.getfile().read(1)
