"""Connections of the web server, stepped by hand: what real time would seldom show."""

from __future__ import annotations

import io
import json
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from waitress import wasyncore

from hanaarchive.logs import logging_config
from hanaarchive.web import connections
from hanaarchive.web.connections import Server
from hanaarchive.web.listening import listen
from tests.ops.slow import connect

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def hello(_environ: dict[str, Any], respond: Callable[..., Any]) -> Iterable[bytes]:
    """Respond as the smallest of applications."""
    respond("200 OK", [("Content-Length", "5")])
    return [b"hello"]


@contextmanager
def stopped_server() -> Iterator[tuple[int, Callable[[int], None]]]:
    """A server that runs only when it is stepped; yields its port, and a function of steps."""
    with listen("127.0.0.1", 0) as listener:
        server = Server(hello, listener, threads=1)

        def step(count: int) -> None:
            wasyncore.loop(timeout=0.1, use_poll=True, map=server._map, count=count)

        yield listener.getsockname()[1], step
        server.end(0.0)
        server.run()


@pytest.mark.parametrize("first", [0, 10], ids=["new", "half-a-head"])
def test_server_that_stood_still_reads_before_it_hangs_up(
    monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """The time in which it stood still is not the client's fault."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", 1.0)
    with stopped_server() as (port, step), closing(connect(port)) as line:
        line.sendall(REQUEST[:first])
        step(1)  # it is accepted
        step(1)  # and read from
        time.sleep(2.2)
        line.sendall(REQUEST[first:])
        step(10)
        assert line.recv(100).startswith(b"HTTP/1.1 200 ")


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[io.StringIO]:
    """The log of this process in JSON."""
    config = logging_config(json=True, level="INFO", routine_level="INFO")
    options = dict(config["formatters"]["line"])
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(options.pop("()")(**options))
    root = logging.getLogger()
    root.addHandler(handler)
    with caplog.at_level(logging.INFO):
        yield stream
    root.removeHandler(handler)


def test_refusal_is_logged_without_address_or_content(log: io.StringIO) -> None:
    with stopped_server() as (port, step), closing(connect(port)) as line:
        line.sendall(b"SECRET\r\n\r\n")
        step(10)
        response = line.recv(4096)
    assert b" 400 " in response.splitlines()[0]
    problem = json.loads(response.partition(b"\r\n\r\n")[2])
    assert "SECRET" not in log.getvalue() and "127.0.0.1" not in log.getvalue()
    [entry] = [json.loads(text) for text in log.getvalue().splitlines() if '"refused"' in text]
    assert (entry["request_id"], entry["status"]) == (problem["request_id"], 400)
