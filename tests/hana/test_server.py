"""Requests are retried if a retry can help; a token is sent to its own server only."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hana.server import FIRST_TIMEOUT, MAX_ATTEMPTS, MAX_FIRST_ATTEMPTS, Refused, Server
from hana.state import Failed
from tests.services import free_port


class Scripted(ThreadingHTTPServer):
    """A server that sends scripted statuses and headers in order, the last one repeatedly."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[tuple[int, dict[str, str]]] = []
        self.heads: list[dict[str, str]] = []


class Handler(BaseHTTPRequestHandler):
    """The handler of a request."""

    server: Scripted

    def do_GET(self) -> None:
        """Send the next response of the script."""
        self.server.heads.append(dict(self.headers))
        script = self.server.script
        status, headers = script.pop(0) if len(script) > 1 else script[0]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    """Yield a server that follows a script."""
    server = Scripted()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Record pauses instead of making them."""
    seconds: list[float] = []
    monkeypatch.setattr("hana.server.time.sleep", seconds.append)
    return seconds


def make_client(scripted: Scripted, token: str = "") -> Server:
    """Return a client of the scripted server."""
    return Server(f"http://127.0.0.1:{scripted.server_port}", token)


def test_retry_after_is_honoured(scripted: Scripted, pauses: list[float]) -> None:
    scripted.script = [(429, {"Retry-After": "7"}), (503, {}), (200, {})]
    assert make_client(scripted).get("names").status_code == 200
    assert pauses[0] == 7
    assert 0 < pauses[1] < 7


def test_unavailable_server_is_retried_with_growing_pauses(
    scripted: Scripted, pauses: list[float]
) -> None:
    scripted.script = [(503, {})]
    with pytest.raises(Refused, match="503"):
        make_client(scripted).get("names")
    assert len(scripted.heads) == MAX_ATTEMPTS
    assert pauses[-1] > pauses[0]


def test_not_found_is_not_retried(scripted: Scripted, pauses: list[float]) -> None:
    scripted.script = [(404, {})]
    with pytest.raises(Refused, match="404: Not Found"):
        make_client(scripted).get("names")
    assert (len(scripted.heads), pauses) == (1, [])


def test_long_retry_after_is_not_waited_for(scripted: Scripted, pauses: list[float]) -> None:
    scripted.script = [(429, {"Retry-After": "40000"})]
    with pytest.raises(Refused, match="429"):
        make_client(scripted).get("names")
    assert (len(scripted.heads), pauses) == (1, [])


def test_refused_connection_is_reported(pauses: list[float]) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(Failed, match=f"{address} cannot be reached: .*refused"):
        Server(address).get("names")
    assert len(pauses) == MAX_FIRST_ATTEMPTS - 1


def test_silent_server_times_out(pauses: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Test a request that may take long, such as many games to verify."""
    assert sum(FIRST_TIMEOUT) * MAX_FIRST_ATTEMPTS <= 20
    monkeypatch.setattr("hana.server.FIRST_TIMEOUT", (0.2, 0.2))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(Failed, match=f"{address} cannot be reached: .*timed out"):
            Server(address).send("POST", "verify", data=b"games")
    assert len(pauses) == MAX_FIRST_ATTEMPTS - 1


def test_token_is_sent_to_its_server_only(scripted: Scripted, pauses: list[float]) -> None:
    server = make_client(scripted, "hana_secret")
    scripted.script = [(200, {})]
    server.get("https://elsewhere.example/api/v1/names?x=1")
    assert scripted.heads[0]["Authorization"] == "Bearer hana_secret"
    scripted.script = [(302, {"Location": "https://elsewhere.example/"})]
    with pytest.raises(Failed, match=r"sends us on to https://elsewhere\.example/"):
        server.get("names")


def test_archive_below_a_path_is_addressed() -> None:
    for address in ("https://example.org/hana/", "example.org/hana/api/v1/"):
        server = Server(address)
        assert server.address == "https://example.org/hana"
        assert server.url("names") == "https://example.org/hana/api/v1/names"
        assert server.url("/api/v1/names?x=1") == "https://example.org/hana/api/v1/names?x=1"
        assert server.url("https://example.org/hana/games/K/") == f"{server.address}/games/K/"
    assert Server("https://hana.example/api/v1").address == "https://hana.example"
