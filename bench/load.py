"""Many readers at once while an upload is processed: errors, and response times.

    python -m bench.load [--readers 200] [--pause 5] [--seconds 60] [--games 7400] [--ingest 10000]

On PostgreSQL and Redis with the web server of production (two processes of eight threads) and two
workers, all on this machine, and so are the readers. Each reader requests one page after the other:
the first page, lists, games, replays, statistics, pictures and the API, with a pause of so many
seconds on average; with ``--pause 0`` they take all that the server can do. Before that one reader
alone requests each kind, to measure the cost of an answer: made for the first time, and requested
again. Figures depend on the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from bench import ROOT
from bench.bulk import ingest
from bench.corpus import corpus
from bench.processes import cpu_seconds
from bench.site import Site, archive

#: Addresses by kind; ``{}`` is the key of a game.
PAGES = {
    "home": ("/",),
    "list": ("/games/", "/games/?ruleset=koikoi", "/games/?sort=-turns", "/games/?player=Player+3"),
    "replay": ("/games/{}/",),
    "replay data": ("/games/{}/replay.json",),
    "statistics": ("/statistics/koikoi/", "/statistics/hachihachi/", "/statistics/"),
    "picture": ("/games/{}/1.3.png",),
    "API": ("/api/v1/records", "/api/v1/records/{}", "/api/v1/statistics/seats?ruleset=koikoi"),
}
#: Games of which one reader requests each kind of page before.
ALONE = 8


HEAD = "GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n"


class Reader:
    """One persistent connection, one request after the other."""

    def __init__(self, port: int, keys: Sequence[str], seed: int, pause: float) -> None:
        self.port = port
        self.pause = pause
        self.keys = keys
        self.random = random.Random(seed)
        self.times: dict[str, list[float]] = defaultdict(list)
        self.errors: Counter[str] = Counter()

    async def read(self, until: float) -> None:
        """Send requests until then."""
        await asyncio.sleep(self.random.uniform(0, self.pause))  # they do not start all at once
        while time.monotonic() < until:
            try:
                await self._on_one_connection(until)
            except (TimeoutError, OSError, asyncio.IncompleteReadError) as error:
                self.errors[type(error).__name__] += 1

    async def _on_one_connection(self, until: float) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            while time.monotonic() < until:
                kind = self.random.choice(list(PAGES))
                path = self.random.choice(PAGES[kind]).format(self.random.choice(self.keys))
                began = time.monotonic()
                request = HEAD.format(path)
                writer.write(request.encode())
                status, keep = await asyncio.wait_for(_answer(reader), 60)
                self.times[kind].append(time.monotonic() - began)
                if status != 200:
                    self.errors[f"{status} {path}"] += 1
                if not keep:
                    return
                await asyncio.sleep(self.random.uniform(0, 2 * self.pause))
        finally:
            writer.close()


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bool]:
    """Read one answer to its end; its status, and whether the connection goes on."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    lines = head.split("\r\n")
    headers = {
        name.lower(): value.strip()
        for name, _, value in (line.partition(":") for line in lines[1:] if line)
    }
    if headers.get("transfer-encoding") == "chunked":
        while size := int(await reader.readline(), 16):
            await reader.readexactly(size + 2)
        await reader.readline()
    else:
        await reader.readexactly(int(headers.get("content-length", 0)))
    return int(lines[0].split()[1]), headers.get("connection") != "close"


def print_figures(readers: Sequence[Reader], seconds: float) -> None:
    """Print the statuses and times."""
    errors = sum((reader.errors for reader in readers), Counter[str]())
    every = [t for reader in readers for times in reader.times.values() for t in times]
    print(f"{len(every):,} answers, {len(every) / seconds:,.0f} a second, {errors.total()} errors")
    for what, count in errors.most_common(10):
        print(f"  {what}: {count}")
    for kind in PAGES:
        times = [t for reader in readers for t in reader.times[kind]]
        if len(times) > 1:
            cuts = statistics.quantiles(times, n=100)
            p50, p95, p99 = (cuts[n] * 1000 for n in (49, 94, 98))
            print(f"  {kind}: {len(times):,}, p50 {p50:,.0f}, p95 {p95:,.0f}, p99 {p99:,.0f} ms")


async def alone(port: int, path: str) -> None:
    """One answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(HEAD.format(path).encode())
    status, _keep = await asyncio.wait_for(_answer(reader), 60)
    assert status == 200, (status, path)
    writer.close()


def costs(site: Site, keys: Sequence[str]) -> None:
    """Print the cost of an answer of each kind for the web server's processes."""
    print("ms of a core an answer, made for the first time and asked for again:")
    for kind, pages in PAGES.items():
        paths = list(dict.fromkeys(page.format(key) for page in pages for key in keys[-ALONE:]))
        times = []
        for _ in range(2):
            before = cpu_seconds(site.roots["web"])
            for path in paths:
                asyncio.run(alone(site.port, path))
            times.append((cpu_seconds(site.roots["web"]) - before) / len(paths) * 1000)
        print(f"  {kind}: {times[0]:,.1f}, {times[1]:,.1f}", flush=True)


async def work_off(readers: Sequence[Reader], seconds: float, path: Path | None) -> None:
    """Let them read while an upload is processed."""
    until = time.monotonic() + seconds
    reading = asyncio.gather(*(reader.read(until) for reader in readers))
    if path is not None:
        took, counts = await asyncio.to_thread(ingest, path)
        print(f"ingest meanwhile: {counts['read'] / took:,.0f} games/s ({took:,.0f} s)")
    await reading


def main() -> None:
    """Print the figures: readers alone, then with an ingest at the same time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--pause", type=float, default=5.0, help="seconds between two pages")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--games", type=int, default=7400, help="in the archive already")
    parser.add_argument("--ingest", type=int, default=10_000, help="that come in meanwhile")
    parser.add_argument("--cache", type=Path, default=ROOT / "var" / "bench")
    arguments = parser.parse_args()
    first, then = (corpus(n, arguments.cache) for n in (arguments.games, arguments.ingest))
    with archive(2) as site:
        ingest(first)
        from records.models import Record

        keys = list(Record.objects.order_by("key").values_list("key", flat=True)[:500])
        costs(site, keys)
        for name, path in (("readers alone", None), ("with an ingest beside", then)):
            readers = [
                Reader(site.port, keys, seed, arguments.pause) for seed in range(arguments.readers)
            ]
            print(f"{arguments.readers} readers, {name}:", flush=True)
            began = time.monotonic()
            asyncio.run(work_off(readers, arguments.seconds, path))
            print_figures(readers, time.monotonic() - began)


if __name__ == "__main__":
    main()
