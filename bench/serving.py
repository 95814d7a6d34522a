"""Throughput of one warm web process, by kind of request, and response times.

    python -m bench.serving [--seconds 4] [--readers 8,50] [--postgres] [--only WORD]

The sample games and some more on SQLite, or on PostgreSQL and Redis; one process of the web server
with its threads; readers on persistent connections, each with one request after the other without
a pause. Kinds are named in `KINDS`; "304" sends the ETag of the first response, "verify" a game.
The readers are threads of this process on the same machine, so compare the work per response.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from http.client import HTTPConnection
from typing import Final, NamedTuple

from bench.corpus import games, number, table
from bench.sites import running, temporary_archive
from tests.processes import cpu_seconds

#: Games in addition to the samples, and the number of different requested games.
GAMES: Final = 200
KEYS: Final = 16
#: Addresses by kind; ``{}`` is the key of a game.
KINDS: Final = {
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
CONDITIONAL: Final = ("game", "replay.json", "API replay", "statistics")
HEADERS: Final = {"Accept-Encoding": "gzip, deflate, br, zstd"}


class Request(NamedTuple):
    """A request of a reader."""

    path: str
    headers: dict[str, str] = HEADERS
    method: str = "GET"
    body: bytes | None = None


def store_games() -> list[str]:
    """Store games and return the keys of some of each ruleset."""
    # Models can be imported only after Django is set up.
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


def list_requests(port: int, keys: Sequence[str], only: str) -> Iterator[tuple[str, list[Request]]]:
    """Yield the kinds whose names contain a word, with a request for each game."""
    for kind, path in KINDS.items():
        if only not in kind:
            continue
        requests = [Request(path) for path in dict.fromkeys(path.format(key) for key in keys)]
        yield kind, requests
        if kind in CONDITIONAL:
            with closing(HTTPConnection("127.0.0.1", port)) as connection:
                tags = [fetch(connection, request)[1] for request in requests]
            yield (
                f"{kind}, 304",
                [
                    request._replace(headers=HEADERS | {"If-None-Match": tag})
                    for request, tag in zip(requests, tags, strict=True)
                ],
            )
    if only in "verify":
        headers = HEADERS | {"Content-Type": "text/x-kafu"}
        yield "verify", [Request("/api/v1/verify", headers, "POST", next(games(1)).encode())]


def fetch(connection: HTTPConnection, request: Request) -> tuple[int, str]:
    """Return status and ETag of a response."""
    connection.request(request.method, request.path, request.body, request.headers)
    response = connection.getresponse()
    response.read()
    return response.status, response.getheader("ETag", "")


def read(port: int, requests: Sequence[Request], seconds: float, first: int) -> list[float]:
    """Send requests one after the other; return the seconds of each response."""
    times: list[float] = []
    until = time.perf_counter() + seconds
    with closing(HTTPConnection("127.0.0.1", port)) as connection:
        while (began := time.perf_counter()) < until:
            request = requests[(first + len(times)) % len(requests)]
            status, _tag = fetch(connection, request)
            assert status == (304 if "If-None-Match" in request.headers else 200), request.path
            times.append(time.perf_counter() - began)
    return times


def measure(
    port: int, pid: int, requests: Sequence[Request], readers: int, seconds: float
) -> list[str]:
    """Return the figures of a kind with a number of readers."""
    read(port, requests, 0.2, 0)  # The first responses import modules and fill caches.
    before, began = cpu_seconds(pid), time.perf_counter()
    with ThreadPoolExecutor(readers) as pool:
        lists = pool.map(partial(read, port, requests, seconds), range(readers))
        times = sorted(second for times in lists for second in times)
    elapsed, worked = time.perf_counter() - began, cpu_seconds(pid) - before
    quantiles = (times[int(share * len(times))] * 1000 for share in (0.5, 0.99))
    core = (worked / len(times) * 1000, len(times) / worked)
    return [number(value) for value in (len(times) / elapsed, *quantiles, *core)]


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
    with temporary_archive(on_postgres=arguments.postgres):
        keys = store_games()
        with running() as (port, [pid]):
            rows = [
                [f"{kind}; {n} readers", *measure(port, pid, requests, n, arguments.seconds)]
                for kind, requests in list_requests(port, keys, arguments.only)
                for n in arguments.readers
            ]
    head = ["Serving", "responses/s", "p50 ms", "p99 ms", "ms of a core", "responses/s of a core"]
    print(table(head, rows))


if __name__ == "__main__":
    main()
