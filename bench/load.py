"""Many readers at once while an upload is worked off: errors, and how long an answer takes.

    python -m bench.load [--readers 200] [--pause 5] [--seconds 60] [--games 3000] [--ingest 10000]

On PostgreSQL and Redis with the web server of production (two processes of eight threads) and two
workers, all on this machine, and so are the readers. Each reader asks for one page after the other:
lists, searches, games, replays and the API, with a pause of so many seconds on average to look at
it; with ``--pause 0`` they take all that the server can do. Figures depend on the machine.
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

from bench.bulk import ingest
from bench.corpus import corpus
from bench.site import ROOT, archive

#: What is asked, by kind; ``{}`` is the key of a game.
PAGES = {
    "list": ("/games/", "/games/?ruleset=koikoi", "/games/?sort=-turns", "/games/?player=Player+3"),
    "replay": ("/games/{}/",),
    "replay data": ("/games/{}/replay.json",),
    "API": ("/api/v1/records", "/api/v1/records/{}"),
}


class Reader:
    """One connection that is kept, one request after the other."""

    def __init__(self, port: int, keys: Sequence[str], seed: int, pause: float) -> None:
        self.port = port
        self.pause = pause
        self.keys = keys
        self.random = random.Random(seed)
        self.times: dict[str, list[float]] = defaultdict(list)
        self.errors: Counter[str] = Counter()

    async def read(self, until: float) -> None:
        """Ask until then."""
        await asyncio.sleep(self.random.uniform(0, self.pause))  # they do not come all at once
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
                request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
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


def told(readers: Sequence[Reader], seconds: float) -> None:
    """Print what they met."""
    errors = sum((reader.errors for reader in readers), Counter[str]())
    every = [t for reader in readers for times in reader.times.values() for t in times]
    print(f"{len(every):,} answers, {len(every) / seconds:,.0f} a second, {errors.total()} errors")
    for what, count in errors.most_common(10):
        print(f"  {what}: {count}")
    for kind in PAGES:
        times = [t for reader in readers for t in reader.times[kind]]
        if len(times) > 1:
            cuts = statistics.quantiles(times, n=100)
            p50, p99 = cuts[49] * 1000, cuts[98] * 1000
            print(f"  {kind}: {len(times):,}, p50 {p50:,.0f} ms, p99 {p99:,.0f} ms")


async def work_off(readers: Sequence[Reader], seconds: float, path: Path | None) -> None:
    """Let them read, and an upload be worked off meanwhile."""
    until = time.monotonic() + seconds
    reading = asyncio.gather(*(reader.read(until) for reader in readers))
    if path is not None:
        spent, counts = await asyncio.to_thread(ingest, path)
        print(f"ingest meanwhile: {counts['read'] / spent:,.0f} games/s ({spent:,.0f} s)")
    await reading


def main() -> None:
    """Print the figures: readers alone, then with an ingest beside."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--pause", type=float, default=5.0, help="seconds between two pages")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--games", type=int, default=3000, help="in the archive already")
    parser.add_argument("--ingest", type=int, default=10_000, help="that come in meanwhile")
    parser.add_argument("--cache", type=Path, default=ROOT / "var" / "bench")
    arguments = parser.parse_args()
    first, then = (corpus(n, arguments.cache) for n in (arguments.games, arguments.ingest))
    with archive(2) as site:
        ingest(first)
        from records.models import Record

        keys = list(Record.objects.order_by("key").values_list("key", flat=True)[:500])
        for name, path in (("readers alone", None), ("with an ingest beside", then)):
            readers = [
                Reader(site.port, keys, seed, arguments.pause) for seed in range(arguments.readers)
            ]
            print(f"{arguments.readers} readers, {name}:", flush=True)
            began = time.monotonic()
            asyncio.run(work_off(readers, arguments.seconds, path))
            told(readers, time.monotonic() - began)


if __name__ == "__main__":
    main()
