"""Limited attacks on a running archive, to check that it withstands them.

    python -m bench.attacks NAME|all [--url http://127.0.0.1:8000]

- ``slow``: 300 senders who send a byte now and then, and 300 readers who hardly read.
- ``costly``: statistics and pictures, each by many clients without a pause.
- ``places``: 2, 5 and 20 addresses with six requests for uncached statistics in flight each; a
  visitor without other requests in flight should wait for less than a second, and is never refused.

Meanwhile another visitor, from the address 127.0.0.2, requests the first page, or in ``places``
uncached lists of games, and the times are printed. Only for a site of your own. Memory, unusual
heads and costly inputs are tested (`tests`, `kafu/tests`).
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import socket
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from itertools import count, cycle
from multiprocessing import get_context
from typing import Final
from urllib.parse import quote_plus, urlsplit

SLOW: Final = 300
SECONDS: Final = 15.0
LARGE: Final = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
VISITOR: Final = "127.0.0.2"
#: Numbers of senders of ``places``, and their requests in flight.
ATTACKERS: Final = (2, 5, 20)
IN_FLIGHT: Final = 6
#: Seconds between two pages of the visitor.
READING: Final = 0.5
#: Maximum seconds to wait for a response.
TIMEOUT_SECONDS: Final = 60.0
#: Seconds after which rate limits per minute are certainly over.
RECOVERY_SECONDS: Final = 90.0


class Site:
    """An archive at an address."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.address = (parts.hostname or "127.0.0.1", parts.port or 80)

    def request(
        self,
        path: str,
        headers: dict[str, str] | None = None,
        sender: str = "127.0.0.1",
    ) -> tuple[int, bytes]:
        """Return status and body of a response, status 0 without one. ``sender`` is our address."""
        connection = http.client.HTTPConnection(
            *self.address, timeout=TIMEOUT_SECONDS, source_address=(sender, 0)
        )
        try:
            connection.request("GET", path, headers=headers or {})
            response = connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            connection.close()

    def connect(self, data: bytes) -> socket.socket:
        """Return a connection after sending ``data``, with a small receive buffer."""
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(TIMEOUT_SECONDS)
        line.connect(self.address)
        line.sendall(data)
        line.setblocking(False)
        return line


@contextmanager
def watch(
    site: Site, name: str, paths: Iterable[str] = cycle(("/", "/health/live")), pause: float = 0.05
) -> Iterator[Counter[int]]:
    """Request paths one after the other until the attack ends, and print the result."""
    over = threading.Event()
    times: list[float] = []
    statuses: Counter[int] = Counter()

    def visit() -> None:
        for path in paths:
            if over.is_set():
                break
            began = time.monotonic()
            status, _body = site.request(path, sender=VISITOR)
            times.append(time.monotonic() - began)
            statuses[status] += 1
            over.wait(pause)

    visitor = threading.Thread(target=visit)
    visitor.start()
    responses: Counter[int] = Counter()
    began = time.monotonic()
    try:
        yield responses
    finally:
        seconds = time.monotonic() - began
        over.set()
        visitor.join()
        cuts = statistics.quantiles(times, n=100) if len(times) > 1 else times * 99
        line = f"{name}: {seconds:.0f} s; responses {dict(responses)}; visitor {dict(statuses)}"
        line += "".join(f", p{n} {cuts[n - 1] * 1000:,.0f} ms" for n in (50, 95, 99))
        line += f", most {max(times, default=0) * 1000:,.0f} ms"
        print(line, flush=True)


def slow(site: Site) -> None:
    """Send and read slowly on many connections.

    The visitor starts when all are connected, since connecting would distort the times.
    """
    head = "POST /api/v1/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-kafu\r\n"
    sent = f"{head}Content-Length: 1000000\r\n\r\n".encode() + b"#" * 70_000
    read = f"GET {LARGE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 8
    with ExitStack() as stack:
        senders = [stack.enter_context(site.connect(sent)) for _ in range(SLOW)]
        readers = [stack.enter_context(site.connect(read)) for _ in range(SLOW)]
        stack.enter_context(watch(site, f"slow, {SLOW} + {SLOW}"))
        until = time.monotonic() + 2 * SECONDS
        while time.monotonic() < until:
            for sender, reader in zip(senders, readers, strict=True):
                with suppress(OSError):  # the page has no content yet, or the server hung up
                    sender.send(b"#")
                with suppress(OSError):
                    reader.recv(400)
            time.sleep(0.5)


def costly(site: Site) -> None:
    """Request slow responses, each different, by many clients without a pause."""
    records = json.loads(site.request("/api/v1/records?page_size=200")[1])["results"]
    path = "/api/v1/statistics/players?ruleset=koikoi&games_min=1&page_size=200"
    names = [row["player"] for row in json.loads(site.request(path)[1])["rows"]]
    if len(names) < 2 or not records:
        raise SystemExit("costly: expected a site with games of koikoi")

    def statistics_of_two(random: random.Random) -> int:
        player, opponent = map(quote_plus, random.sample(names, 2))
        query = f"ruleset=koikoi&player={player}&opponent={opponent}"
        host = {"Host": f"localhost:{random.randrange(65536)}"}
        return site.request(f"/api/v1/statistics/scores?{query}", host)[0]

    def picture(random: random.Random) -> int:
        key = random.choice(records)["key"]
        return site.request(f"/games/{key}/1.{random.randrange(9)}.png")[0]

    for clients, request in ((16, statistics_of_two), (60, picture)):
        wait_for_recovery(site)
        with watch(site, f"{request.__name__}, {clients} clients") as responses:
            repeat(clients, request, responses)


def repeat(clients: int, request: Callable[[random.Random], int], responses: Counter[int]) -> None:
    """Send requests by ``clients`` clients, without a pause; add up the statuses."""
    until = time.monotonic() + SECONDS

    def send(seed: int) -> Counter[int]:
        numbers, statuses = random.Random(seed), Counter[int]()
        while time.monotonic() < until:
            statuses[request(numbers)] += 1
        return statuses

    with ThreadPoolExecutor(clients) as pool:
        for statuses in pool.map(send, range(clients)):
            responses.update(statuses)


def wait_for_recovery(site: Site) -> None:
    """Wait until requests are allowed again: a limit lasts a minute."""
    until = time.monotonic() + RECOVERY_SECONDS
    while site.request("/api/v1/records?page_size=1")[0] != 200:
        if time.monotonic() > until:
            raise SystemExit(f"{site.address} does not respond any more")
        time.sleep(1)


def places(site: Site) -> None:
    """Request uncached statistics by many senders, while the visitor requests uncached lists.

    The senders run in a process of the lowest priority, because they would be on other machines.
    """
    for senders in ATTACKERS:
        wait_for_recovery(site)
        lists = (f"/games/?turns_max={random.randrange(1000, 10**9)}" for _ in count())
        with (
            ProcessPoolExecutor(1, get_context("spawn"), os.nice, (19,)) as pool,
            watch(site, f"places, {senders} senders", lists, READING) as responses,
        ):
            responses.update(pool.submit(request_statistics, site, senders).result())


def request_statistics(site: Site, senders: int) -> Counter[int]:
    """Request uncached statistics by ``senders`` addresses for `SECONDS`; return the statuses."""

    def request(numbers: random.Random) -> int:
        last, year = numbers.randrange(1, 1000), numbers.randrange(1000, 2100)
        sender = f"127.0.1.{numbers.randrange(senders) + 1}"
        path = f"/statistics/koikoi/?last={last}&from={year}"
        return site.request(path, sender=sender)[0]

    responses: Counter[int] = Counter()
    repeat(IN_FLIGHT * senders, request, responses)
    return responses


ATTACKS: Final = {"slow": slow, "costly": costly, "places": places}


def main() -> None:
    """Run one attack, or all of them in sequence."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("attack", choices=(*ATTACKS, "all"))
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    arguments = parser.parse_args()
    site = Site(arguments.url)
    for name in ATTACKS if arguments.attack == "all" else (arguments.attack,):
        wait_for_recovery(site)
        ATTACKS[name](site)


if __name__ == "__main__":
    main()
