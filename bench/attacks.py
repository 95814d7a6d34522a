"""Limited attacks on a running archive, to check that it withstands them.

    python -m bench.attacks NAME|all [--url http://127.0.0.1:8000] [--pid N]

- ``heads``: unusual heads and bodies in chunks (`bench.heads`), each by three senders; they have to
  get the given statuses. Without a proxy.
- ``memory``: 60 MB of escapes in a form, and deep and wide JSON, eight at a time.
- ``slow``: 300 senders who send a byte now and then, and 300 readers who hardly read.
- ``costly``: statistics, pictures, positions with thousands of actions, and the report of an upload
  of large illegal games, each by many clients without a pause.
- ``places``: 2, 5 and 20 addresses with six requests for uncached statistics in flight each; a
  visitor without other requests in flight should wait for less than a second, and is never refused.
- ``inputs``: each of `bench.costly_inputs` by three senders; ``/health/live`` is requested too.
- ``uploads``: a ZIP of 240 MB of newlines, and a small ZIP of a million invalid games.

Meanwhile another visitor, from the address 127.0.0.2, requests the first page, and the times are
printed; ``--pid`` of a web process adds its peak memory and CPU time. Only for a site of your own:
the uploads remain in it.
"""

from __future__ import annotations

import argparse
import http.client
import io
import json
import os
import random
import socket
import statistics
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote_plus, urlsplit

from bench import costly_inputs
from bench.heads import HEADS, send
from bench.processes import cpu_seconds
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate

MIB: Final = 1 << 20
SLOW: Final = 300
SECONDS: Final = 15.0
LARGE: Final = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
FORM: Final = "application/x-www-form-urlencoded"
JSON: Final = {"Content-Type": "application/json"}
#: The address of the visitor, and the addresses of the senders of costly inputs.
VISITOR: Final = "127.0.0.2"
SENDERS: Final = ("127.0.0.3", "127.0.0.4", "127.0.0.5")
#: Numbers of senders of ``places``, and their requests in flight.
ATTACKERS: Final = (2, 5, 20)
IN_FLIGHT: Final = 6
#: Seconds between two pages of the visitor.
READING: Final = 0.5
#: Seconds for which each costly input is sent.
SECONDS_PER_INPUT: Final = 5.0
#: Maximum seconds to wait for a response.
TIMEOUT_SECONDS: Final = 60.0
#: Seconds after which rate limits per minute are certainly over.
RECOVERY_SECONDS: Final = 90.0
READING_SECONDS: Final = 300.0


class Site:
    """An archive at an address."""

    def __init__(self, url: str, pid: int | None) -> None:
        parts = urlsplit(url)
        self.address = (parts.hostname or "127.0.0.1", parts.port or 80)
        self.pid = pid

    def request(
        self,
        method: str,
        path: str,
        body: Iterator[bytes] | bytes | None = None,
        headers: dict[str, str] | None = None,
        sender: str = "127.0.0.1",
    ) -> tuple[int, bytes]:
        """Return status and body of a response, status 0 without one. ``sender`` is our address."""
        connection = http.client.HTTPConnection(
            *self.address, timeout=TIMEOUT_SECONDS, source_address=(sender, 0)
        )
        try:
            connection.request(method, path, body, headers or {})
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

    def upload(self, body: bytes, media: str) -> dict[str, Any]:
        """Upload games and wait until they are read. Return the state of the upload."""
        headers = {"Content-Type": media}
        status, response = self.request("POST", "/api/v1/uploads", body, headers)
        if status != 202:
            raise SystemExit(f"the status of an upload is {status}: {response[:200]!r}")
        upload: dict[str, Any] = json.loads(response)
        until = time.monotonic() + READING_SECONDS
        while upload["state"] != "done" and time.monotonic() < until:
            time.sleep(0.5)
            upload |= json.loads(self.request("GET", urlsplit(upload["url"]).path)[1] or b"{}")
        return upload

    def memory(self) -> float:
        """Return the MB of the given process, 0 without a process."""
        if self.pid is None:
            return 0.0
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * 4096 / 1e6


@contextmanager
def watch(site: Site, name: str) -> Iterator[Counter[int]]:
    """Request the first page and ``/health/live`` until the attack ends, and print the result."""
    over = threading.Event()
    times: list[float] = []
    statuses: Counter[int] = Counter()
    peak = before = site.memory()
    worked = cpu_seconds(site.pid) if site.pid else 0.0

    def visit() -> None:
        nonlocal peak
        for path in cycle(("/", "/health/live")):
            if over.is_set():
                break
            began = time.monotonic()
            status, _body = site.request("GET", path, sender=VISITOR)
            times.append(time.monotonic() - began)
            statuses[status] += 1
            peak = max(peak, site.memory())
            over.wait(0.05)

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
        if site.pid:
            worked = cpu_seconds(site.pid) - worked
            line += f"; memory +{peak - before:,.0f} MB, {worked:.2f} s of CPU"
        print(line, flush=True)


def heads(site: Site) -> None:
    """Send each unusual request by three senders."""
    for name, (status, request) in HEADS.items():
        with watch(site, f"heads, {name}") as responses, ThreadPoolExecutor(3) as pool:
            responses.update(pool.map(send, [site.address] * 3, [request] * 3))
        if set(responses) != {status}:
            print(f"  expected {status}", flush=True)


def memory(site: Site) -> None:
    """Send large bodies to addresses that expect a few words."""
    for method, path, media, piece in (
        ("POST", "/language/", FORM, b"%41" * 20_000),
        ("POST", "/check/", FORM, b"%41" * 20_000),
        ("PATCH", "/api/v1/uploads/x", "application/json", b"{}," * 20_000),
        ("POST", "/api/v1/verify", "application/json", b"[" * 60_000),
    ):
        count = 60 * MIB // len(piece)
        headers = {"Content-Type": media, "Content-Length": str(count * len(piece))}
        with watch(site, f"memory {path}") as responses, ThreadPoolExecutor(8) as pool:
            bodies = [(piece for _ in range(count)) for _ in range(8)]
            sent = [pool.submit(site.request, method, path, body, headers) for body in bodies]
            responses.update(response.result()[0] for response in sent)


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
                with suppress(OSError):  # nothing is there yet, or the server hung up
                    sender.send(b"#")
                with suppress(OSError):
                    reader.recv(400)
            time.sleep(0.5)


def costly(site: Site) -> None:
    """Request slow responses, each different, by many clients without a pause."""
    records = json.loads(site.request("GET", "/api/v1/records?page_size=200")[1])["results"]
    path = "/api/v1/statistics/players?ruleset=koikoi&games_min=1&page_size=200"
    names = [row["player"] for row in json.loads(site.request("GET", path)[1])["rows"]]
    if len(names) < 2 or not records:
        raise SystemExit("costly: expected a site with games of koikoi")
    game = simulate("koikoi", seed=1)
    number = next(number for number, month in enumerate(game.months, start=1) if month.turns)
    month = game.months[number - 1]
    turn = month.hands[month.dealer][0] + "/B" * 49
    deal = {"kafu": write(game), "at": f"{number}.0"}
    # The first turn is illegal, and the text is large: the report replays some of the games.
    turn_of_another: Any = month.turns[0]
    turn_of_another.play, turn_of_another.take = month.hands[3 - month.dealer][0], ""
    illegal = write(game) + "{" + "large " * 150_000 + "}\n"
    report = site.upload("\n".join([illegal] * 20).encode(), "text/x-kafu")["key"]

    def statistics_of_two(random: random.Random) -> int:
        player, opponent = map(quote_plus, random.sample(names, 2))
        query = f"ruleset=koikoi&player={player}&opponent={opponent}"
        host = {"Host": f"localhost:{random.randrange(65536)}"}
        return site.request("GET", f"/api/v1/statistics/scores?{query}", None, host)[0]

    def picture(random: random.Random) -> int:
        key = random.choice(records)["key"]
        return site.request("GET", f"/games/{key}/1.{random.randrange(9)}.png")[0]

    def position(random: random.Random) -> int:
        body = json.dumps(deal | {"do": [turn] * random.choice((4, 200))}).encode()
        return site.request("POST", "/api/v1/positions", body, JSON)[0]

    def page_of_report(random: random.Random) -> int:
        return site.request("GET", f"/uploads/{report}/?page={random.randrange(10**9)}")[0]

    for clients, request in (
        (16, statistics_of_two),
        (60, picture),
        (20, position),
        (20, page_of_report),
    ):
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
    while site.request("GET", "/api/v1/records?page_size=1")[0] != 200:
        if time.monotonic() > until:
            raise SystemExit(f"{site.address} does not respond any more")
        time.sleep(1)


def places(site: Site) -> None:
    """Request uncached statistics by many senders, while a visitor requests uncached pages.

    The senders run in a process of the lowest priority, because they would be on other machines.
    """
    for senders in ATTACKERS:
        wait_for_recovery(site)
        with ProcessPoolExecutor(1, get_context("spawn"), os.nice, (19,)) as pool:
            flood = pool.submit(request_statistics, site, senders)
            times, statuses = visit_uncached_pages(site, f"127.0.2.{senders}")
            responses = flood.result()
        cuts = [1000 * cut for cut in statistics.quantiles(times, n=100)]
        print(
            f"places, {senders} senders {dict(responses)}: visitor {dict(statuses)}, "
            f"p50 {cuts[49]:,.0f} ms, p95 {cuts[94]:,.0f} ms, most {max(times) * 1000:,.0f} ms",
            flush=True,
        )


def request_statistics(site: Site, senders: int) -> Counter[int]:
    """Request uncached statistics by ``senders`` addresses for `SECONDS`; return the statuses."""

    def request(numbers: random.Random) -> int:
        last, year = numbers.randrange(1, 1000), numbers.randrange(1000, 2100)
        sender = f"127.0.1.{numbers.randrange(senders) + 1}"
        path = f"/statistics/koikoi/?last={last}&from={year}"
        return site.request("GET", path, sender=sender)[0]

    responses: Counter[int] = Counter()
    repeat(IN_FLIGHT * senders, request, responses)
    return responses


def visit_uncached_pages(site: Site, sender: str) -> tuple[list[float], Counter[int]]:
    """Request lists of games for `SECONDS`, one at a time; return times and statuses."""
    times: list[float] = []
    statuses: Counter[int] = Counter()
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        began = time.monotonic()
        address = f"/games/?turns_max={random.randrange(1000, 10**9)}"
        statuses[site.request("GET", address, sender=sender)[0]] += 1
        times.append(time.monotonic() - began)
        time.sleep(READING)
    return times, statuses


def inputs(site: Site) -> None:
    """Send each costly input by `SENDERS`, without a pause; print the longest response too."""
    for attack in costly_inputs.requests():
        send = partial(send_repeatedly, site, attack)
        longest = 0.0
        with watch(site, f"inputs, {attack.name}") as statuses, ThreadPoolExecutor() as pool:
            for responses in pool.map(send, SENDERS):
                statuses.update(status for status, _seconds in responses)
                longest = max(longest, *(seconds for _status, seconds in responses))
        print(f"  longest response {longest:.1f} s", flush=True)


def send_repeatedly(
    site: Site, attack: costly_inputs.Request, sender: str
) -> list[tuple[int, float]]:
    """Send a request for `SECONDS_PER_INPUT`. Return the status and seconds of each response."""
    responses = []
    until = time.monotonic() + SECONDS_PER_INPUT
    while time.monotonic() < until:
        began = time.monotonic()
        status, _body = site.request(
            attack.method, attack.path, attack.body, attack.headers, sender
        )
        responses.append((status, time.monotonic() - began))
    return responses


def uploads(site: Site) -> None:
    """Upload small archives with large contents; print the addresses."""
    for name, member in (
        ("newlines", b"\n" * (240 * 1_000_000)),
        ("a million invalid games", b"[Kafu]\n\n" * 1_000_000),
    ):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            archive.writestr("a.kafu", member)
        with watch(site, f"uploads, {name}: {len(packed.getvalue()):,} bytes"):
            upload = site.upload(packed.getvalue(), "application/zip")
        print(f"  {upload['url']}: {upload['state']}, {upload['games']}", flush=True)


ATTACKS: Final = {
    "heads": heads,
    "memory": memory,
    "slow": slow,
    "costly": costly,
    "places": places,
    "inputs": inputs,
    "uploads": uploads,
}


def main() -> None:
    """Run one attack, or all of them in sequence."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("attack", choices=(*ATTACKS, "all"))
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--pid", type=int, help="of a web process, to watch its memory")
    arguments = parser.parse_args()
    site = Site(arguments.url, arguments.pid)
    for name in ATTACKS if arguments.attack == "all" else (arguments.attack,):
        wait_for_recovery(site)
        ATTACKS[name](site)


if __name__ == "__main__":
    main()
