"""Speed of intake: from an upload's bytes to rows, on PostgreSQL and Redis.

    python -m bench.ingest [--games 2400] [--workers 2] [--rounds 5]

Uploads of different games of all rulesets, one after the other, each processed by workers with one
process each, in a temporary archive. Compare the seconds of a core, of the workers and of
PostgreSQL: games a second depend on the load of the machine.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median

from bench.corpus import games, number, table
from bench.sites import running, temporary_archive
from tests.processes import cpu_seconds, peak_memory
from tests.services import wait_until

#: Games of the first upload, which is not measured.
WARM_UP = 2000


def write_uploads(counts: Sequence[int], directory: Path) -> list[Path]:
    """Write a file for each count of games, all different, and return the paths."""
    texts = games(sum(counts))
    paths = [directory / f"{upload}.kafu" for upload in range(len(counts))]
    for path, count in zip(paths, counts, strict=True):
        path.write_text("".join(f"{text}\n" for text in islice(texts, count)), encoding="utf-8")
    return paths


def ingest(path: Path) -> tuple[float, dict[str, int]]:
    """Upload a file and wait until it is stored. Return seconds, and the counts by verdict."""
    # Models can be imported only after Django is set up.
    from records.ingest.receiving import Part, receive
    from records.models import Upload

    began = time.perf_counter()
    with path.open("rb") as stream:
        pieces = iter(lambda: stream.read(1 << 20), b"")
        upload: Upload = receive(parts=[Part(path.name, pieces)], via="command", limit=sys.maxsize)
    while (progress := upload.progress())["state"] != "done":
        time.sleep(0.05)
    counts = {name: n for name, n in progress["games"].items() if n and name != "total"}
    return time.perf_counter() - began, counts


def database_bytes() -> int:
    """Return the size of the whole database."""
    from django.db import connection  # needs the settings of an archive

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        size: int = cursor.fetchone()[0]
    return size


def measure(count: int, workers: int, rounds: int) -> dict[str, float]:
    """Return medians over the uploads; before them a smaller one warms up."""
    rates, works, of_database = [], [], []
    with (
        tempfile.TemporaryDirectory() as directory,
        temporary_archive(on_postgres=True, HANA_WORKERS="1") as pids,
        running("sweep", *["worker"] * workers) as (_port, [_web, _sweep, *worker_pids]),
    ):
        from records.models import Heartbeat  # needs the settings of an archive

        heartbeats = Heartbeat.objects.filter(kind=Heartbeat.Kind.WORKER)
        wait_until(lambda: heartbeats.count() >= workers, "workers", 300)
        warm_up, *paths = write_uploads([min(count, WARM_UP), *[count] * rounds], Path(directory))
        ingest(warm_up)
        empty = database_bytes()
        for path in paths:
            work, database_work = sum(map(cpu_seconds, worker_pids)), cpu_seconds(pids["postgres"])
            seconds, counts = ingest(path)
            assert counts.get("verified") == count, counts
            rates.append(count / seconds)
            works.append((sum(map(cpu_seconds, worker_pids)) - work) / count * 1e3)
            of_database.append((cpu_seconds(pids["postgres"]) - database_work) / count * 1e3)
        stored = (database_bytes() - empty) / (count * rounds) / 1e3
        peak = max(map(peak_memory, worker_pids))
    return {
        "games/s": median(rates),
        "ms of a core a game, workers": median(works),
        "ms of a core a game, PostgreSQL": median(of_database),
        "MB of a worker": peak,
        "kB a game": stored,
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=2400, help="games of an upload")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5, help="uploads")
    arguments = parser.parse_args()
    figures = measure(arguments.games, arguments.workers, arguments.rounds)
    name = f"{arguments.workers} workers, {arguments.rounds} uploads of {arguments.games:,} games"
    print(table(["Intake", *figures], [[name, *map(number, figures.values())]]))


if __name__ == "__main__":
    main()
