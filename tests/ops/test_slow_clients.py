"""The web server without a proxy: slow senders and readers, and nonsense, block nothing."""

from __future__ import annotations

import errno
import http.client
import json
import re
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from lengths import LONG
from tests.conftest import Environment, Hana, bare_env
from tests.ops.conftest import ask
from tests.ops.slow import HEAD, connect, slow_clients
from tests.records.makers import text
from tests.services import wait_until

KAFU = "text/x-kafu"
TUS = {"Tus-Resumable": "1.0.0"}
TUS_TYPE = "application/offset+octet-stream"
LARGE = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
#: Bytes that a part may have.
PART_LIMIT = 4 << 20
#: Slow clients of a kind: far more than the eight threads of the server.
CLIENTS = 300 if LONG else 40


@pytest.fixture(scope="module")
def port(new_var: Callable[[], Path]) -> Iterator[int]:
    """A web server as `make run` has it."""
    rates = "uploads=10000/60,parts=10000/60"
    env = bare_env(
        HANA_ENV="development",
        HANA_VAR=str(new_var()),
        HANA_RATES=rates,
        HANA_PART_LIMIT=str(PART_LIMIT),
        HASTY_ROOM=str(32 << 20),
    )
    runner = Hana()
    number = start_hasty(runner, env)
    yield number
    runner.end()


def start_hasty(hana: Hana, env: Environment) -> int:
    """Start a web process with short timeouts. Return its port."""
    return hana.web(env, "tests.ops.hasty_web")[1]


def read_response(line: socket.socket) -> http.client.HTTPResponse:
    """Read the head of the next response on a connection."""
    response = http.client.HTTPResponse(line)
    response.begin()
    return response


def upload_request(body: bytes, path: str = "/api/v1/uploads", **headers: str) -> bytes:
    """Return an upload as it is sent over the connection."""
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Type: {KAFU}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if "Transfer_Encoding" not in headers:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


@pytest.mark.parametrize("first", [0, 70_000], ids=["from-the-start", "after-some-bytes"])
def test_slow_senders_block_no_other_client(port: int, first: int) -> None:
    """Also no client that sends a large body."""
    url = f"http://127.0.0.1:{port}"
    with slow_clients(port, heads=CLIENTS, bodies=CLIENTS, first=first):
        for path in ("/health/live", "/games/", "/api/v1/records"):
            assert ask(url + path).status == 200
        for body in (text(1).encode(), b"#" * 2_000_000):
            assert ask(f"{url}/api/v1/uploads", data=body, Content_Type=KAFU).status == 202


def test_half_a_head_gets_408_and_is_closed(port: int) -> None:
    with closing(connect(port)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half")
        response = read_response(line)
        assert response.status == 408
        assert response.headers["Content-Type"] == "application/problem+json"
        assert "head" in json.load(response)["detail"]
        assert line.recv(1) == b""


def test_silent_connection_is_closed(port: int) -> None:
    with closing(connect(port)) as line:
        assert line.recv(1) == b""


@pytest.mark.parametrize("first", [10, 70_000])
def test_body_that_stalls_gets_408_and_is_closed(port: int, first: int) -> None:
    with closing(connect(port)) as line:
        line.sendall(HEAD.format(host="localhost").encode() + b"#" * first)
        response = read_response(line)
        assert response.status == 408 and "slowly" in json.load(response)["detail"]
        assert line.recv(1) == b""


@pytest.mark.parametrize("first", [10, 70_000])
@pytest.mark.parametrize("end", ["stall", "close"])
def test_received_bytes_of_interrupted_part_are_stored(port: int, first: int, end: str) -> None:
    path, head = begin_part(port, 100_000)
    with closing(connect(port)) as line:
        line.sendall(head + b"#" * first)
        if end == "stall":
            response = read_response(line)
            assert (response.status, response.headers["Upload-Offset"]) == (204, str(first))
    wait_until(lambda: stored_bytes(port, path) == first, "the bytes are stored")


def test_part_continues_after_connection_reset(port: int) -> None:
    """Bytes that the kernel had not handed over yet are lost with the connection, no others."""
    path, head = begin_part(port, 100_000)
    with closing(connect(port)) as line:
        line.sendall(head + b"#" * 70_000)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def send_next_part() -> bool:
        start = stored_bytes(port, path)
        headers = TUS | {"Upload-Offset": str(start), "Content-Type": TUS_TYPE}
        with closing(http.client.HTTPConnection("127.0.0.1", port)) as line:
            line.request("PATCH", path, b"#" * (100_000 - start), headers)
            return line.getresponse().status == 204

    wait_until(send_next_part, "the next part is accepted")
    assert stored_bytes(port, path) == 100_000


def test_beginning_of_too_long_part_is_stored(port: int) -> None:
    path, head = begin_part(port, PART_LIMIT + 1_000_000)
    with closing(connect(port)) as line:
        line.sendall(head + b"#" * (PART_LIMIT + 1000))
        response = read_response(line)
        assert response.status == 204
        stored = int(response.headers["Upload-Offset"])
        assert PART_LIMIT <= stored <= PART_LIMIT + 1000
    assert stored_bytes(port, path) == stored


def begin_part(port: int, length: int) -> tuple[str, bytes]:
    """Begin an upload in parts. Return its address, and the head of a part that is all of it."""
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as line:
        headers = TUS | {"Upload-Length": str(length)}
        line.request("POST", "/api/v1/uploads/resumable", headers=headers)
        begun = line.getresponse()
        begun.read()
    path = begun.headers["Location"]
    part = TUS | {"Upload-Offset": "0", "Content-Type": TUS_TYPE}
    head = [f"PATCH {path} HTTP/1.1", "Host: localhost", f"Content-Length: {length}"]
    head += [f"{name}: {value}" for name, value in part.items()]
    return path, "\r\n".join([*head, "", ""]).encode()


def stored_bytes(port: int, path: str) -> int:
    """Return the bytes of an upload in parts that the server has."""
    response = ask(f"http://127.0.0.1:{port}{path}", method="HEAD", Tus_Resumable="1.0.0")
    return int(response.headers["Upload-Offset"])


def test_requests_in_pieces_and_pipelined_are_served(port: int) -> None:
    live = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    sent = upload_request(text(1).encode())
    with closing(connect(port)) as line:
        for piece in (live[:7], live[7:] + live + sent[:300], sent[300:] + live):
            line.sendall(piece)
        assert read_statuses(line, 4) == [b"200", b"200", b"202", b"200"]
        line.sendall(sent[:100])
        line.sendall(sent[100:])
        assert read_statuses(line, 1) == [b"202"]


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


@pytest.mark.parametrize("size", [1000, 300_000])
def test_chunked_body_is_accepted(port: int, size: int) -> None:
    body = b"%x\r\n%s\r\n0\r\n\r\n" % (size, b"#" * size)
    with closing(connect(port)) as line:
        line.sendall(upload_request(body, Transfer_Encoding="chunked"))
        assert read_response(line).status == 202


def test_expect_header_gets_100_continue(port: int) -> None:
    sent = upload_request(b"#" * 300_000, Expect="100-continue")
    head, body = sent[:-300_000], sent[-300_000:]
    with closing(connect(port)) as line:
        line.sendall(head)
        assert line.recv(100).startswith(b"HTTP/1.1 100 ")
        line.sendall(body)
        assert read_response(line).status == 202


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["GET /" + "a" * 9000 + " HTTP/1.1", "Host: localhost"], 414),
        (["GET / HTTP/1.1", "X: " + "y" * 40_000], 431),
        (["GET / HTTP/1.1", *(f"X-{n}: {'y' * 8000}" for n in range(99))], 431),
        (["GET / HTTP/1.1", "Content-Length: 5", "Content-Length: 6"], 400),
        (["POST / HTTP/1.1", "Content-Length: x"], 400),
        (["POST / HTTP/1.1", "Content-Length: 5", "Transfer-Encoding: chunked"], 400),
        (["GET / HTTP/1.1", "No Header"], 400),
        (["POST / HTTP/1.1", "Transfer-Encoding: snail"], 501),
        (["GET / HTTP/9.9"], 400),
        (["nonsense"], 400),
        (["\x16\x03\x01\x02"], 400),
    ],
)
def test_invalid_request_gets_a_problem(port: int, lines: list[str], status: int) -> None:
    with closing(connect(port)) as line:
        line.sendall("\r\n".join([*lines, "", ""]).encode("latin-1"))
        response = read_response(line)
        problem = json.load(response)
    assert (response.status, problem["status"]) == (status, status)
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["X-Request-ID"] == problem["request_id"]


@pytest.mark.parametrize("path", [LARGE, "/cards/"], ids=["file", "page"])
def test_slow_readers_block_no_other_client(port: int, path: str) -> None:
    """Half of them read nothing, and half a little.

    Each requests more than the kernel buffers for the server.
    """
    with ExitStack() as stack:
        lines = [stack.enter_context(closing(socket.socket())) for _ in range(CLIENTS)]
        for line in lines:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.connect(("127.0.0.1", port))
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 20)
        for line in lines[::2]:
            assert line.recv(400)
        for other in ("/health/live", "/games/", "/api/v1/records"):
            assert ask(f"http://127.0.0.1:{port}{other}").status == 200


def test_connection_of_a_client_that_reads_nothing_is_closed(port: int) -> None:
    with closing(socket.socket()) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", port))
        line.sendall(f"GET {LARGE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 20)
        line.setblocking(False)
        error = (socket.SOL_SOCKET, socket.SO_ERROR)
        wait_until(lambda: line.getsockopt(*error) == errno.ECONNRESET, "the server hangs up")


def test_large_bodies_get_503_when_buffers_are_full(port: int) -> None:
    """Small ones are accepted all the same."""
    with ExitStack() as stack:
        lines = [stack.enter_context(closing(connect(port))) for _ in range(40)]
        for line in lines:
            line.sendall(HEAD.format(host="localhost").encode() + b"#" * 900_000)
        refused = [r for r in map(read_response, lines) if r.status == 503]
        assert refused and refused[0].headers["Retry-After"] == "60"
        url = f"http://127.0.0.1:{port}/api/v1/uploads"
        assert ask(url, data=text(1).encode(), Content_Type=KAFU).status == 202


def test_head_request_gets_no_body(port: int) -> None:
    with closing(connect(port)) as line:
        for _ in range(2):  # one by one: a response object reads as much as has arrived
            line.sendall(b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            response = http.client.HTTPResponse(line, method="HEAD")
            response.begin()
            assert response.status == 200 and int(response.headers["Content-Length"]) > 1000


def test_refused_sender_reads_the_response(port: int) -> None:
    """The server does not wait for the end of a request that it ignores."""
    url = f"http://127.0.0.1:{port}"
    with ExitStack() as stack:
        for _ in range(20):
            line = stack.enter_context(closing(connect(port)))
            line.sendall(b"nonsense\r\n\r\nand more" * 10)
            assert read_response(line).status == 400
        assert ask(f"{url}/health/live").status == 200
