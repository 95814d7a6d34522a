"""Connections of the web server, stepped by hand: what real time would seldom show."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Any

import pytest
from waitress import wasyncore

from hanaarchive.web import connections
from hanaarchive.web.connections import Server
from hanaarchive.web.listening import listen
from tests.ops.slow import connect

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def hello(_environ: dict[str, Any], respond: Callable[..., Any]) -> Iterable[bytes]:
    """An application."""
    respond("200 OK", [("Content-Length", "5")])
    return [b"hello"]


@pytest.mark.parametrize("first", [0, 10], ids=["new", "half-a-head"])
def test_nobody_pays_for_a_server_that_stood_still(
    monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """What arrived in the meantime is read before anybody is hung up on."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", 1.0)
    with listen("127.0.0.1", 0) as listener:
        server = Server(hello, listener, threads=1)
        with closing(connect(listener.getsockname()[1])) as line:
            line.sendall(REQUEST[:first])
            for _ in range(2):  # it is accepted, then read from
                wasyncore.loop(timeout=0.1, use_poll=True, map=server._map, count=1)
            assert len(server.active_channels) == 1
            time.sleep(2.2)
            line.sendall(REQUEST[first:])
            wasyncore.loop(timeout=0.1, use_poll=True, map=server._map, count=10)
            assert line.recv(100).startswith(b"HTTP/1.1 200 ")
        server.end(0.0)
        server.run()
