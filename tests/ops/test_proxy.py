"""The Caddyfile in a real Caddy, before the web server or a server that echoes its requests."""

from __future__ import annotations

import http.client
import json
import re
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from django.urls import resolve

from lengths import LONG
from records.serving.limits import limit_of
from tests.conftest import ROOT, Hana, bare_env
from tests.ops.caddy import HOST, Proxy, caddy
from tests.ops.conftest import KEY, Answer
from tests.ops.slow import connect, slow_clients
from tests.records.makers import text
from tests.services import free_port, wait_until

HASTY = {"read_header 10s": "read_header 1s", "lb_try_duration 10s": "lb_try_duration 100ms"}
TUS = "1.0.0"
MIB = 1 << 20
#: Slow clients of a kind: far more than the eight threads of the server.
CLIENTS = 200 if LONG else 30
#: A body of this size is visible in the memory of a proxy with full buffering.
LARGE_BYTES = 300 * MIB


class Echo(BaseHTTPRequestHandler):
    """Responds with the headers of the request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Send the headers of the request as JSON."""
        body = json.dumps(dict(self.headers.items())).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def echo() -> Iterator[Proxy]:
    """Run Caddy before a server that echoes its requests."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with caddy(server.server_port, HASTY) as proxy:
        yield proxy
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def recorder() -> Iterator[tuple[Proxy, bytearray]]:
    """Run Caddy before a server that never responds; yield the bytes that reach the server."""
    received = bytearray()

    class Recorder(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            while data := self.request.recv(65536):
                received.extend(data)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Recorder) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with caddy(server.server_address[1], HASTY) as proxy:
            yield proxy, received
        server.shutdown()


@pytest.fixture(scope="module")
def away() -> Iterator[Proxy]:
    """Run Caddy before a port without a listener."""
    with caddy(free_port(), HASTY) as proxy:
        yield proxy


@pytest.fixture(scope="module")
def site(new_var: Callable[[], Path]) -> Iterator[Proxy]:
    """Run Caddy before the web server, in production mode."""
    env = bare_env(
        HANA_ENV="production",
        SECRET_KEY=KEY,
        ALLOWED_HOSTS=HOST,
        HANA_VAR=str(new_var()),
        HANA_PROXIES="1",
        HANA_ANONYMOUS_UPLOAD="1",
        HANA_RATES="uploads=10000/60,parts=10000/60",
    )
    runner = Hana()
    with caddy(runner.web(env)[1], HASTY) as proxy:
        yield proxy
    runner.end()


def test_forged_forwarding_headers_are_replaced(echo: Proxy) -> None:
    forged = "203.0.113.9"
    headers = echo.ask(
        "GET",
        "/",
        X_Forwarded_For=forged,
        X_Forwarded_Proto="http",
        X_Forwarded_Host=forged,
        Forwarded=f"for={forged}",
        X_Real_IP=forged,
    ).json()
    assert forged not in json.dumps(headers)
    assert headers["X-Forwarded-For"] == "127.0.0.1"
    assert headers["X-Forwarded-Proto"] == "https"
    assert headers["X-Forwarded-Host"].startswith(HOST)


def test_http_is_redirected_to_https(echo: Proxy) -> None:
    with closing(http.client.HTTPConnection(HOST, echo.plain)) as line:
        line.request("GET", "/games/?page=2")
        response = line.getresponse()
    assert response.status == 308
    assert response.headers["Location"] == f"https://{HOST}/games/?page=2"


@pytest.mark.parametrize("path", ["/metrics", "/metrics/", "/%6detrics", "/METRICS"])
def test_metrics_are_not_served_outside(echo: Proxy, path: str) -> None:
    answer = echo.ask("GET", path)
    assert answer.status == 404 and "何もありません" in answer.body.decode()


def read_limits() -> dict[str, int]:
    """Return the maximum bytes of a body in the Caddyfile, by matcher."""
    caddyfile = (ROOT / "deploy/proxy/Caddyfile").read_text()
    limits = re.findall(r"request_body @(\w+) {\s+max_size (\d+)MiB", caddyfile)
    return {name: int(size) * MIB for name, size in limits}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/upload/", "uploads"),
        ("/api/v1/uploads", "uploads"),
        ("/api/v1/uploads/resumable", "others"),
        ("/api/v1/uploads/resumable/x", "parts"),
        ("/api/v1/verify", "others"),
        ("/check/", "others"),
    ],
)
def test_too_large_body_is_refused_before_it_is_sent(echo: Proxy, path: str, kind: str) -> None:
    limit = read_limits()[kind]
    assert limit > limit_of(resolve(path).func).bytes
    head = f"POST {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {limit + 1}\r\n\r\n"
    with closing(connect(echo.port, echo.tls)) as line:
        line.sendall(head.encode())
        response = http.client.HTTPResponse(line)
        response.begin()
        answer = Answer(response.status, response.headers, response.read())
    assert answer.status == 413
    check_error(answer, path, f"larger than {limit} bytes")
    assert not path.startswith("/api/") or answer.json()["limit"] == limit


def check_error(answer: Answer, path: str, message: str) -> None:
    """Check an error of the proxy: a problem for programs, a line for people."""
    kind = answer.headers["Content-Type"]
    if path.startswith("/api/"):
        problem = answer.json()
        assert kind == "application/problem+json"
        assert problem["status"] == answer.status and message in problem["detail"]
    else:
        assert kind == "text/plain; charset=utf-8"
        assert message in answer.body.decode() and re.search("[ぁ-ん]", answer.body.decode())


@pytest.mark.parametrize(
    ("start", "repeated", "is_refused"),
    [
        (b"5;", b"e" * MIB, True),
        (b"5\r\nhello\r\n0\r\nA: ", b"t" * MIB, True),
        (b"5\r\nhello\r\n0\r\n", b"A: t\r\n" * (MIB // 6), True),
        # Caddy built with Go 1.19 only drops the extensions; later ones refuse the request.
        (b"", (b"1;" + b"e" * 4000 + b"\r\nx\r\n") * 256, False),
    ],
    ids=["chunk-extension", "trailer", "many-trailers", "many-extensions"],
)
def test_chunk_overhead_does_not_pass_the_proxy(
    recorder: tuple[Proxy, bytearray], start: bytes, repeated: bytes, is_refused: bool
) -> None:
    """Caddy itself limits chunk lines and trailers: hardly any of 97 MB reaches us."""
    proxy, received = recorder
    received.clear()
    head = f"POST /upload/ HTTP/1.1\r\nHost: {HOST}\r\nTransfer-Encoding: chunked\r\n\r\n"
    sent = 0
    with closing(connect(proxy.port, proxy.tls)) as line, suppress(OSError):
        line.sendall(head.encode() + start)
        while sent < 97 * MIB:
            line.sendall(repeated)
            sent += len(repeated)
    assert sent < 97 * MIB or not is_refused
    assert len(received) < MIB and b"eeee" not in received and b"tttt" not in received


@pytest.mark.parametrize("path", ["/games/", "/api/v1/records"])
def test_unreachable_archive_gets_an_error_for_programs_and_people(away: Proxy, path: str) -> None:
    answer = away.ask("GET", path)
    assert answer.status in (502, 503) and answer.headers["Retry-After"] == "60"
    check_error(answer, path, "cannot be reached")


def test_failed_request_is_logged_without_its_address_and_headers() -> None:
    secret = "Xk3-s3cr3t_of-an-upload"
    page = f"/uploads/KEY/mine/{secret}/"
    # Caddy's versions differ in the level of this failure, an error or a debug message.
    with caddy(free_port(), HASTY | {"log {": "log {\n\t\tlevel DEBUG"}) as proxy:
        answer = proxy.ask("GET", page, Referer=f"https://{HOST}{page}", Upload_Secret=secret)
        assert answer.status in (502, 503)
        wait_until(lambda: '"request":{' in proxy.log.read_text(), "the failure is logged", 10)
        assert secret not in proxy.log.read_text()


def test_slow_senders_block_no_other_client(site: Proxy) -> None:
    with slow_clients(site.port, heads=CLIENTS, bodies=CLIENTS, first=200_000, tls=site.tls):
        for path in ("/health/live", "/games/", "/api/v1/records"):
            assert site.ask("GET", path).status == 200
        for body in (text(1).encode(), b"#" * 2_000_000):
            sent = site.ask("POST", "/api/v1/uploads", body, Content_Type="text/x-kafu")
            assert sent.status == 202


def test_head_that_passes_the_proxy_is_accepted_by_the_archive(site: Proxy) -> None:
    statuses = {}
    for size in (10_000, *range(11_000, 17_000, 500), 30_000):
        answer = site.ask("GET", "/health/live", X_Long="x" * size)
        statuses[size] = answer.status
        assert answer.status == 200 or b"max_header" not in answer.body, "Waitress refuses it"
    assert (statuses[10_000], statuses[30_000]) == (200, 431)


def test_half_a_head_is_closed(echo: Proxy) -> None:
    with closing(connect(echo.port, echo.tls)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half")
        # Read to the end; the response of a few versions of Caddy is empty.
        response = line.makefile("rb").read()
    assert not response or response.startswith(b"HTTP/1.1 4")


@pytest.mark.long_only  # tests/security/test_memory.py measures the server without the proxy
def test_large_body_passes_through_without_being_held_in_memory(site: Proxy) -> None:
    size = LARGE_BYTES
    begun = site.ask(
        "POST", "/api/v1/uploads/resumable", Tus_Resumable=TUS, Upload_Length=str(size)
    )
    assert begun.status == 201
    path = begun.headers["Location"].removeprefix(f"https://{HOST}").removeprefix(f":{site.port}")
    before = peak_memory(site.pid)
    part = site.ask(
        "PATCH",
        path,
        (b"#" * MIB for _ in range(size // MIB)),
        Tus_Resumable=TUS,
        Upload_Offset="0",
        Content_Length=str(size),
        Content_Type="application/offset+octet-stream",
    )
    assert part.status == 204 and part.headers["Upload-Offset"] == str(size)
    assert peak_memory(site.pid) - before < 64 * MIB


def peak_memory(pid: int) -> int:
    """Return the peak memory of a process in bytes."""
    peak = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert peak is not None
    return int(peak[1]) * 1024
