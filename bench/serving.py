"""Throughput of one warm web process, by kind of request, and response times.

    python -m bench.serving [--seconds 4] [--readers 8,50] [--postgres] [--only WORD]

The sample games and some more on SQLite, or on PostgreSQL and Redis; one process of the web server
with its threads; readers on persistent connections, each with one request after the other
without a pause, or at a rate. Kinds are named in `KINDS`; "304" sends the ETag of the first
response, "verify" a game. Prints, for each kind and number of readers: responses a second, p50 and
p99 in ms, ms of a core per response, responses a second of a whole core. The readers are a process
on the same machine, and times depend on its load, so compare the work per response.
"""

from __future__ import annotations

import argparse
import heapq
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import django
from django.core.management import call_command

from bench.corpus import games
from bench.processes import cpu_seconds
from tests import services

ROOT = Path(__file__).resolve().parent.parent
#: Games in addition to the samples.
GAMES = 200
#: Number of different requested games.
KEYS = 16
#: Addresses by kind; ``{}`` is the key of a game.
KINDS = {
    "game": "/games/{}/",
    "replay.json": "/games/{}/replay.json",
    "moves": "/games/{}/moves/",
    "API record": "/api/v1/records/{}",
    "API replay": "/api/v1/records/{}/replay",
    "API list": "/api/v1/records",
    "list": "/games/",
    "home": "/",
    "statistics": "/statistics/koikoi/",
    "API statistics": "/api/v1/statistics/seats?ruleset=koikoi",
    "rules": "/rules/koikoi/",
    "health": "/health/live",
}
#: Kinds that are also measured with a conditional request.
CONDITIONAL = ("game", "replay.json", "API replay", "statistics")
#: Kinds that are also measured at a fixed rate, and this rate and its number of readers.
STEADY = ("game", "replay.json")
RATE, MANY = 500.0, 50
#: The address that returns the verdict on a game.
VERIFY = "/api/v1/verify"
ENCODINGS = "gzip, deflate, br, zstd"


@dataclass(order=True)
class Connection:
    """A reader: the time of its next or current request, the socket, and the received data."""

    due: float
    number: int
    socket: socket.socket = field(compare=False)
    data: bytes = field(default=b"", compare=False)
    needed: int = field(default=0, compare=False)


@dataclass
class Measured:
    """The measurements of readers.

    They are the seconds of each response, unexpected statuses, and the count of closed connections.
    """

    times: list[float] = field(default_factory=list)
    wrong: int = 0
    closed: int = 0

    def quantile(self, share: float) -> float:
        """Return a quantile of the times in ms; 0 without responses."""
        ordered = sorted(self.times) or [0.0]
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000


class Crowd:
    """Readers on persistent connections.

    Each sends the next request after the previous response, or, with an ``interval``, that many
    seconds after the previous request was due. Response times are measured from the due time of the
    request.
    """

    def __init__(
        self, port: int, requests: list[bytes], status: int, interval: float = 0.0
    ) -> None:
        self.port, self.requests, self.interval = port, requests, interval
        self.status = f"HTTP/1.1 {status}".encode()
        self.selector = selectors.DefaultSelector()
        self.waiting: list[Connection] = []
        self.measured = Measured()

    def read(self, readers: int, seconds: float) -> Measured:
        """Read with ``readers`` connections for ``seconds`` and return the measurements."""
        began = time.perf_counter()
        for number in range(readers):
            self._connect(began + self.interval * number / readers, number)
        while (now := time.perf_counter()) < began + seconds:
            while self.waiting and self.waiting[0].due <= now:
                self._ask(heapq.heappop(self.waiting))
            timeout = self.waiting[0].due - now if self.waiting else 0.5
            for event, _mask in self.selector.select(timeout):
                self._receive(event.data)
        for event in list(self.selector.get_map().values()):
            event.data.socket.close()
        self.selector.close()
        return self.measured

    def _connect(self, due: float, number: int) -> None:
        connection = Connection(due, number, socket.create_connection(("127.0.0.1", self.port)))
        connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.selector.register(connection.socket, selectors.EVENT_READ, connection)
        heapq.heappush(self.waiting, connection)

    def _ask(self, connection: Connection) -> None:
        connection.data, connection.needed = b"", 0
        connection.socket.sendall(self.requests[connection.number % len(self.requests)])

    def _receive(self, connection: Connection) -> None:
        piece = connection.socket.recv(1 << 18)
        connection.data += piece
        if not connection.needed and (end := connection.data.find(b"\r\n\r\n")) >= 0:
            connection.needed = end + 4 + _parse_content_length(connection.data[:end])
        if not connection.needed or len(connection.data) < connection.needed:
            if not piece:
                raise ConnectionError("the server closed a connection")
            return
        now = time.perf_counter()
        self.measured.times.append(now - connection.due)
        self.measured.wrong += not connection.data.startswith(self.status)
        due = max(now, connection.due + self.interval) if self.interval else now
        if b"\r\nConnection: close\r\n" in connection.data[: connection.needed]:
            self.measured.closed += 1
            self.selector.unregister(connection.socket)
            connection.socket.close()
            self._connect(due, connection.number + 1)
            return
        connection.due, connection.number = due, connection.number + 1
        heapq.heappush(self.waiting, connection)


def requests(path: str, keys: list[str], headers: dict[str, dict[str, str]]) -> list[bytes]:
    """Return the requests of a kind, one for each game."""
    requests_of_kind = []
    for address in dict.fromkeys(path.format(key) for key in keys):
        lines = [f"GET {address} HTTP/1.1", "Host: 127.0.0.1", f"Accept-Encoding: {ENCODINGS}"]
        lines += [f"{name}: {value}" for name, value in headers.get(address, {}).items()]
        requests_of_kind.append("\r\n".join([*lines, "", ""]).encode())
    return requests_of_kind


def verify_request() -> bytes:
    """Return a request for the verdict on a game of koi-koi."""
    body = next(iter(games(1))).encode()
    head = f"POST {VERIFY} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/x-kafu\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def _parse_content_length(head: bytes) -> int:
    place = head.lower().find(b"content-length:")
    return int(head[place + 15 :].split(b"\r\n", 1)[0]) if place >= 0 else 0


def fetch(port: int, request: bytes) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers (names in lower case) and body of a response."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(request)
        data = b""
        while (end := data.find(b"\r\n\r\n")) < 0 or len(data) < end + 4 + _parse_content_length(
            data[:end]
        ):
            data += connection.recv(1 << 18)
    first, *lines = data[:end].decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (a.partition(":") for a in lines)}
    return int(first.split()[1]), headers, data[end + 4 :]


def take_in_games() -> list[str]:
    """Store games and return the keys of some of each ruleset."""
    # Models can be imported only now, when Django is set up.
    from records.ingest.receiving import Part, receive
    from records.jobs.executor import work_off
    from records.models import Record
    from records.operations.samples import load

    samples = load()
    assert samples is not None
    work_off(samples, lambda _: None)
    more = "\n".join(games(GAMES)).encode()
    work_off(receive(parts=[Part("more.kafu", [more])], via="command"), lambda _: None)
    keys = list(Record.objects.order_by("-pk").values_list("key", flat=True))
    return keys[:: max(1, len(keys) // KEYS)][:KEYS]


@contextmanager
def site(
    postgres: bool, fill: Callable[[], list[str]] = take_in_games
) -> Iterator[tuple[int, int, list[str]]]:
    """Run one web process over an archive filled by ``fill``.

    Yields the port, the process id, and the keys returned by ``fill``.
    """
    with ExitStack() as stack:
        var = stack.enter_context(tempfile.TemporaryDirectory(prefix="hana-bench-"))
        os.environ |= {
            "HANA_ENV": "development",
            "HANA_VAR": var,
            "HANA_LOG_LEVEL": "WARNING",
            # All readers count as one sender here.
            "HANA_RATES": ",".join(
                f"{name}=100000000/60" for name in ("read", "positions", "verify", "work")
            ),
            "DJANGO_SETTINGS_MODULE": "hanaarchive.settings",
            "PROMETHEUS_MULTIPROC_DIR": stack.enter_context(tempfile.TemporaryDirectory()),
        }
        if postgres:
            database = stack.enter_context(services.postgres_server(""))
            os.environ["DATABASE_URL"] = database.url(database.create())
            os.environ["REDIS_URL"] = stack.enter_context(services.redis_server()).url
        django.setup()
        call_command("migrate", verbosity=0)
        keys = fill()
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        number = listener.fileno()
        command = [sys.executable, "manage.py", "web", f"--fd={number}"]
        process = subprocess.Popen(command, cwd=ROOT, pass_fds=(number,))
        try:
            yield listener.getsockname()[1], process.pid, keys
        finally:
            process.terminate()
            process.wait()
            listener.close()


def measure(port: int, pid: int, keys: list[str], arguments: argparse.Namespace) -> None:
    """Print the figures of each kind."""
    columns = ("a second", "p50 ms", "p99 ms", "core ms", "a core")
    print(f"{'':24}{'readers':>8}", *(f"{column:>9}" for column in columns), sep="")
    for kind, path in KINDS.items():
        if arguments.only not in kind:
            continue
        plain = requests(path, keys, {})
        responses = [fetch(port, request) for request in plain]
        assert all(status == 200 for status, _, _ in responses), (
            kind,
            [response[0] for response in responses],
        )
        tags = {
            request.split(b" ")[1].decode(): {"If-None-Match": headers["etag"]}
            for request, (_, headers, _) in zip(plain, responses, strict=True)
            if "etag" in headers
        }
        for readers in arguments.readers:
            show(kind, pid, Crowd(port, plain, 200), readers, arguments.seconds)
        if kind in STEADY:
            steady = Crowd(port, plain, 200, interval=MANY / RATE)
            show(f"{kind}, {RATE:.0f}/s", pid, steady, MANY, arguments.seconds)
        if kind in CONDITIONAL:
            held = requests(path, keys, tags)
            for readers in arguments.readers:
                show(f"{kind}, 304", pid, Crowd(port, held, 304), readers, arguments.seconds)

    if arguments.only in "verify":
        fetch(port, verify_request())  # The server may still be starting.
        for readers in (1, *arguments.readers):
            show("verify", pid, Crowd(port, [verify_request()], 200), readers, arguments.seconds)


def show(kind: str, pid: int, crowd: Crowd, readers: int, seconds: float) -> None:
    """Measure one kind with ``readers`` connections, and print the line."""
    before, began = cpu_seconds(pid), time.perf_counter()
    measured = crowd.read(readers, seconds)
    elapsed, worked = time.perf_counter() - began, cpu_seconds(pid) - before
    count = len(measured.times) or 1
    note = f"  {measured.wrong} other statuses" if measured.wrong else ""
    note += f"  {measured.closed} connections closed" if measured.closed else ""
    print(
        f"{kind:24}{readers:8}{count / elapsed:9,.0f}{measured.quantile(0.5):9.1f}"
        f"{measured.quantile(0.99):9.1f}{worked / count * 1000:9.2f}{count / worked:9,.0f}{note}",
        flush=True,
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=4.0, help="for each line")
    parser.add_argument(
        "--readers", default=[8, 50], type=lambda text: [int(number) for number in text.split(",")]
    )
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL and Redis")
    parser.add_argument("--only", default="", help="only kinds whose name contains the word")
    arguments = parser.parse_args()
    with site(arguments.postgres) as (port, pid, keys):
        measure(port, pid, keys, arguments)


if __name__ == "__main__":
    main()
