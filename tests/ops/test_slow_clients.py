"""Gunicorn behind no proxy: who sends slowly, or nonsense, takes nothing from the others."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.conftest import Environment, Hana, bare_env
from tests.ops.conftest import ask, is_there
from tests.ops.slow import HEAD, connect, slow_clients
from tests.records.makers import text
from tests.services import free_port, wait_until

KAFU = "text/x-kafu"
TUS = {"Tus-Resumable": "1.0.0"}


@pytest.fixture(scope="module")
def port(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A web server as `make run` has it."""
    var = tmp_path_factory.mktemp("var")
    shutil.copy(sqlite_template, var)
    rates = "uploads=10000/60,parts=10000/60"
    env = bare_env(HANA_ENV="development", HANA_VAR=str(var), HANA_RATES=rates)
    runner = Hana()
    number = start_hasty(runner, env)
    yield number
    runner.end()


def start_hasty(hana: Hana, env: Environment) -> int:
    """Start Gunicorn with little patience. Returns its port."""
    number = free_port()
    arguments = ["-m", "gunicorn", "-c", "python:tests.ops.hasty_web", "hanaarchive.wsgi"]
    hana.start_python(*arguments, f"--bind=127.0.0.1:{number}", env=env)
    wait_until(lambda: is_there(f"http://127.0.0.1:{number}/health/live"), "gunicorn answers")
    return number


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
    with slow_clients(port, heads=200, bodies=50, first=first):
        for path in ("/health/live", "/games/", "/api/v1/records"):
            assert ask(url + path).status == 200
        for body in (text(1).encode(), b"#" * 2_000_000):
            assert ask(f"{url}/api/v1/uploads", data=body, Content_Type=KAFU).status == 202


def test_half_a_head_is_told_and_ended(port: int) -> None:
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
def test_a_body_that_stalls_is_answered_by_the_application(port: int, first: int) -> None:
    with closing(connect(port)) as line:
        line.sendall(HEAD.format(host="localhost").encode() + b"#" * first)
        response = answer(line)
        assert response.status == 400 and json.load(response)["code"] == "incomplete-body"


@pytest.mark.parametrize("first", [10, 70_000])
def test_what_came_of_a_part_that_stalls_is_kept(port: int, first: int) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as line:
        line.request("POST", "/api/v1/uploads/resumable", headers=TUS | {"Upload-Length": "100000"})
        begun = line.getresponse()
        begun.read()
        path = begun.headers["Location"].removeprefix(f"http://127.0.0.1:{port}")
    offset = TUS | {"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
    head = [f"PATCH {path} HTTP/1.1", "Host: localhost", "Content-Length: 100000"]
    head += [f"{name}: {value}" for name, value in offset.items()]
    with closing(connect(port)) as line:
        line.sendall("\r\n".join([*head, "", ""]).encode() + b"#" * first)
        answer(line)
    url = f"http://127.0.0.1:{port}{path}"
    told = ask(url, method="HEAD", Tus_Resumable="1.0.0")
    assert told.headers["Upload-Offset"] == str(first)


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
        (["GET / HTTP/1.1", *(f"X-{n}: y" for n in range(200))], 431),
        (["GET / HTTP/1.1", "X: " + "y" * 20_000], 431),
        (["GET / HTTP/1.1", *(f"X-{n}: {'y' * 8000}" for n in range(99))], 431),
        (["GET / HTTP/1.1", "Content-Length: 5", "Content-Length: 6"], 400),
        (["POST / HTTP/1.1", "Content-Length: x"], 400),
        (["POST / HTTP/1.1", "Content-Length: 5", "Transfer-Encoding: chunked"], 400),
        (["GET / HTTP/1.1", "Host: x", " folded"], 400),
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


def test_who_reads_nothing_gets_no_more(port: int) -> None:
    """More of them than there are threads, and what they ask for is large."""
    large = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
    with ExitStack() as stack:
        for _ in range(20):
            line = stack.enter_context(closing(socket.socket()))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.connect(("127.0.0.1", port))
            line.sendall(f"GET {large} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert ask(f"http://127.0.0.1:{port}/health/live").status == 200


def test_an_answer_is_read_by_those_who_still_send(port: int) -> None:
    """Nobody waits for the end of what will not be looked at."""
    url = f"http://127.0.0.1:{port}"
    with ExitStack() as stack:
        for _ in range(20):
            line = stack.enter_context(closing(connect(port)))
            line.sendall(b"nonsense\r\n\r\nand more" * 10)
            assert answer(line).status == 400
        assert ask(f"{url}/health/live").status == 200
