"""Speed of exports: `python -m bench.export [--games 100000]`.

On PostgreSQL, through the web server, in each format; then the dump of open data. The games are one
year of koi-koi over and over (some 8 kB of text), each a row of its own.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time

import requests
from django.utils import timezone

from bench import ROOT
from bench.processes import Watch
from bench.site import archive

PIECE = 1 << 16


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=100_000)
    games: int = parser.parse_args().games
    with archive(workers=1) as site:
        from tests.records.opendata.many import fill

        fill(games - 1, months=11)
        print(f"{games:,} games on PostgreSQL\n\n| file | games/s | MB/s | web process, MB |")
        print("|---|---|---|---|")
        for form in ("kafu", "ndjson", "csv"):
            with Watch({"web": site.roots["web"]}) as watch:
                began = time.perf_counter()
                size = fetch(f"http://127.0.0.1:{site.port}/api/v1/records?format={form}")
                seconds = time.perf_counter() - began
            peak = watch.found()["web"][0]
            print(f"| {form} | {games / seconds:,.0f} | {size / seconds / 1e6:.1f} | {peak:.0f} |")
        began = time.perf_counter()
        month = timezone.now().strftime("%Y-%m")
        subprocess.run(
            [sys.executable, "manage.py", "dump", "--month", month],
            cwd=ROOT,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        seconds = time.perf_counter() - began
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6
        print(f"\ndump: {games / seconds:,.0f} games/s, at most {peak:.0f} MB")


def fetch(address: str) -> int:
    """Read an answer to its end; returns its bytes."""
    with requests.get(address, stream=True, timeout=60) as answer:
        answer.raise_for_status()
        return sum(len(piece) for piece in answer.iter_content(PIECE))


if __name__ == "__main__":
    main()
