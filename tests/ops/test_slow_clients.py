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

from tests.conftest import Environment, Hana, bare_env
from tests.ops.conftest import ask
from tests.ops.slow import HEAD, connect, slow_clients
from tests.records.makers import text
from tests.services import wait_until

KAFU = "text/x-kafu"
TUS = {"Tus-Resumable": "1.0.0"}
TUS_TYPE = "application/offset+octet-stream"
LARGE = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
#: Of a part.
LIMIT = 4 << 20


@pytest.fixture(scope="module")
def port(new_var: Callable[[], Path]) -> Iterator[int]:
    """A web server as `make run` has it."""
    rates = "uploads=10000/60,parts=10000/60"
    env = bare_env(
        HANA_ENV="development",
        HANA_VAR=str(new_var()),
        HANA_RATES=rates,
        HANA_PART_LIMIT=str(LIMIT),
        HASTY_ROOM=str(32 << 20),
    )
    runner = Hana()
    number = start_hasty(runner, env)
    yield number
    runner.end()


def start_hasty(hana: Hana, env: Environment) -> int:
    """Start a web process with little patience. Returns its port."""
    return hana.web(env, "tests.ops.hasty_web")[1]


def answer(line: socket.socket) -> http.client.HTTPResponse:
    """What comes back on this connection."""
    response = http.client.HTTPResponse(line)
    response.begin()
    return response


def whole(body: bytes, path: str = "/api/v1/uploads", **headers: str) -> bytes:
    """An upload as it goes over the line."""
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Type: {KAFU}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if "Transfer_Encoding" not in headers:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


@pytest.mark.parametrize("first", [0, 70_000], ids=["from-the-start", "after-some-bytes"])
def test_slow_clients_stop_nobody(port: int, first: int) -> None:
    """Also not those who have something large to send."""
    url = f"http://127.0.0.1:{port}"
    with slow_clients(port, heads=300, bodies=300, first=first):
        for path in ("/health/live", "/games/", "/api/v1/records"):
            assert ask(url + path).status == 200
        for body in (text(1).encode(), b"#" * 2_000_000):
            assert ask(f"{url}/api/v1/uploads", data=body, Content_Type=KAFU).status == 202


def test_half_a_head_is_reported_and_ended(port: int) -> None:
    with closing(connect(port)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half")
        response = answer(line)
        assert response.status == 408
        assert response.headers["Content-Type"] == "application/problem+json"
        assert "head" in json.load(response)["detail"]
        assert line.recv(1) == b""


def test_who_says_nothing_is_hung_up_on(port: int) -> None:
    with closing(connect(port)) as line:
        assert line.recv(1) == b""


@pytest.mark.parametrize("first", [10, 70_000])
def test_a_body_that_stalls_is_reported_and_ended(port: int, first: int) -> None:
    with closing(connect(port)) as line:
        line.sendall(HEAD.format(host="localhost").encode() + b"#" * first)
        response = answer(line)
        assert response.status == 408 and "slowly" in json.load(response)["detail"]
        assert line.recv(1) == b""


@pytest.mark.parametrize("first", [10, 70_000])
@pytest.mark.parametrize("end", ["stall", "close"])
def test_what_came_of_a_part_that_breaks_off_is_kept(port: int, first: int, end: str) -> None:
    path, head = part(port, 100_000)
    with closing(connect(port)) as line:
        line.sendall(head + b"#" * first)
        if end == "stall":
            response = answer(line)
            assert (response.status, response.headers["Upload-Offset"]) == (204, str(first))
    wait_until(lambda: offset(port, path) == first, "it is kept")


def test_after_a_reset_the_next_part_goes_on(port: int) -> None:
    """What the kernel had still to hand over is lost with the connection; no more than that."""
    path, head = part(port, 100_000)
    with closing(connect(port)) as line:
        line.sendall(head + b"#" * 70_000)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def go_on() -> bool:
        there = offset(port, path)
        headers = TUS | {"Upload-Offset": str(there), "Content-Type": TUS_TYPE}
        with closing(http.client.HTTPConnection("127.0.0.1", port)) as line:
            line.request("PATCH", path, b"#" * (100_000 - there), headers)
            return line.getresponse().status == 204

    wait_until(go_on, "the rest is taken")
    assert offset(port, path) == 100_000


def test_of_a_part_that_is_too_long_the_beginning_is_kept(port: int) -> None:
    path, head = part(port, LIMIT + 1_000_000)
    with closing(connect(port)) as line:
        line.sendall(head + b"#" * (LIMIT + 1000))
        response = answer(line)
        assert response.status == 204
        kept = int(response.headers["Upload-Offset"])
        assert LIMIT <= kept <= LIMIT + 1000
    assert offset(port, path) == kept


def part(port: int, length: int) -> tuple[str, bytes]:
    """The address of an upload in parts, and the head of a part that is all of it."""
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as line:
        headers = TUS | {"Upload-Length": str(length)}
        line.request("POST", "/api/v1/uploads/resumable", headers=headers)
        begun = line.getresponse()
        begun.read()
    path = begun.headers["Location"]
    said = TUS | {"Upload-Offset": "0", "Content-Type": TUS_TYPE}
    head = [f"PATCH {path} HTTP/1.1", "Host: localhost", f"Content-Length: {length}"]
    head += [f"{name}: {value}" for name, value in said.items()]
    return path, "\r\n".join([*head, "", ""]).encode()


def offset(port: int, path: str) -> int:
    """How much of it the server has."""
    told = ask(f"http://127.0.0.1:{port}{path}", method="HEAD", Tus_Resumable="1.0.0")
    return int(told.headers["Upload-Offset"])


def test_requests_in_pieces_and_several_at_once(port: int) -> None:
    live = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    sent = whole(text(1).encode())
    with closing(connect(port)) as line:
        for piece in (live[:7], live[7:] + live + sent[:300], sent[300:] + live):
            line.sendall(piece)
        assert statuses(line, 4) == [b"200", b"200", b"202", b"200"]
        line.sendall(sent[:100])
        line.sendall(sent[100:])
        assert statuses(line, 1) == [b"202"]


def statuses(line: socket.socket, count: int) -> list[bytes]:
    """Those of the answers that come, until there are so many."""
    found: list[bytes] = []
    told = b""
    while len(found) < count:
        more = line.recv(65536)
        assert more, f"the connection ended after {told[-300:]!r}"
        told += more
        found = re.findall(rb"HTTP/1\.1 (\d{3}) ", told)
    return found


@pytest.mark.parametrize("size", [1000, 300_000])
def test_a_body_in_chunks(port: int, size: int) -> None:
    body = b"%x\r\n%s\r\n0\r\n\r\n" % (size, b"#" * size)
    with closing(connect(port)) as line:
        line.sendall(whole(body, Transfer_Encoding="chunked"))
        assert answer(line).status == 202


def test_who_waits_for_our_word_gets_it(port: int) -> None:
    sent = whole(b"#" * 300_000, Expect="100-continue")
    head, body = sent[:-300_000], sent[-300_000:]
    with closing(connect(port)) as line:
        line.sendall(head)
        assert line.recv(100).startswith(b"HTTP/1.1 100 ")
        line.sendall(body)
        assert answer(line).status == 202


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
def test_what_is_no_request_gets_a_problem(port: int, lines: list[str], status: int) -> None:
    with closing(connect(port)) as line:
        line.sendall("\r\n".join([*lines, "", ""]).encode("latin-1"))
        response = answer(line)
        problem = json.load(response)
    assert (response.status, problem["status"]) == (status, status)
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["X-Request-ID"] == problem["request_id"]


def test_refusals_are_logged_without_address_or_content(
    hana: Hana, hana_env: Callable[..., Environment], capfd: pytest.CaptureFixture[str]
) -> None:
    port = start_hasty(hana, hana_env(HANA_LOG_FORMAT="JSON"))
    with closing(connect(port)) as line:
        line.sendall(b"SECRET\r\n\r\n")
        told = json.load(answer(line))["request_id"]
    hana.end()
    said = capfd.readouterr().err
    assert "SECRET" not in said and "127.0.0.1:" not in said.split("refused")[1]
    [entry] = [json.loads(line) for line in said.splitlines() if '"refused"' in line]
    assert entry["request_id"] == told and entry["status"] == 400


@pytest.mark.parametrize("path", [LARGE, "/cards/"], ids=["file", "made"])
def test_slow_readers_stop_nobody(port: int, path: str) -> None:
    """Far more of them than there are threads; some read nothing, some a little now and then.

    Each asks for more than the kernel takes off the server's hands.
    """
    with ExitStack() as stack:
        lines = [stack.enter_context(closing(socket.socket())) for _ in range(300)]
        for line in lines:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.connect(("127.0.0.1", port))
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 20)
        for line in lines[::2]:
            assert line.recv(400)
        for asked in ("/health/live", "/games/", "/api/v1/records"):
            assert ask(f"http://127.0.0.1:{port}{asked}").status == 200


def test_who_reads_nothing_is_hung_up_on(port: int) -> None:
    with closing(socket.socket()) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", port))
        line.sendall(f"GET {LARGE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 20)
        line.setblocking(False)
        error = (socket.SOL_SOCKET, socket.SO_ERROR)
        wait_until(lambda: line.getsockopt(*error) == errno.ECONNRESET, "the server hangs up")


def test_bodies_that_are_held_are_bounded(port: int) -> None:
    """Beyond that, large ones are asked to come again; small ones never."""
    with ExitStack() as stack:
        lines = [stack.enter_context(closing(connect(port))) for _ in range(40)]
        for line in lines:
            line.sendall(HEAD.format(host="localhost").encode() + b"#" * 900_000)
        refused = [one for one in map(answer, lines) if one.status == 503]
        assert refused and refused[0].headers["Retry-After"] == "60"
        url = f"http://127.0.0.1:{port}/api/v1/uploads"
        assert ask(url, data=text(1).encode(), Content_Type=KAFU).status == 202


def test_head_is_a_head(port: int) -> None:
    with closing(connect(port)) as line:
        for _ in range(2):  # one after the other: a response reads on as far as anything came
            line.sendall(b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            response = http.client.HTTPResponse(line, method="HEAD")
            response.begin()
            assert response.status == 200 and int(response.headers["Content-Length"]) > 1000


def test_an_answer_is_read_by_those_who_still_send(port: int) -> None:
    """Nobody waits for the end of what will not be looked at."""
    url = f"http://127.0.0.1:{port}"
    with ExitStack() as stack:
        for _ in range(20):
            line = stack.enter_context(closing(connect(port)))
            line.sendall(b"nonsense\r\n\r\nand more" * 10)
            assert answer(line).status == 400
        assert ask(f"{url}/health/live").status == 200
