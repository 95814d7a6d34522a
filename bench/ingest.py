"""Speed of intake: from an upload's bytes to rows, on PostgreSQL and Redis.

    python -m bench.ingest [--games 2400] [--workers 2] [--rounds 5]
    python -m bench.ingest --against PATH [--games 100000 --rounds 3]

Uploads of different games of all rulesets, one after the other, each processed by workers with one
process each, in a temporary archive. Compare the seconds of a core, of the workers and of
PostgreSQL: games a second depend on the load of the machine.

``--against`` measures another checkout too, with this bench and the other application, alternately,
and prints the ratio of both: medians of pairs.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median

from bench import ROOT
from bench.corpus import games, number, table
from bench.processes import Watch, cpu_seconds
from bench.site import archive

#: Without the working directory's own bench.
BENCH = (sys.executable, "-P", "-m", "bench.ingest", "--json", "--rounds=1")
#: Games of the first upload, which is not measured.
WARM_UP = 2000
RATE, WORK = "games/s", "ms of a core a game, workers"


def write_uploads(counts: Sequence[int], directory: Path) -> list[Path]:
    """Write a file for each count of games, all different, and return the paths."""
    texts = games(sum(counts))
    paths = [directory / f"{upload}.kafu" for upload in range(len(counts))]
    for path, count in zip(paths, counts, strict=True):
        path.write_text("".join(f"{text}\n" for text in islice(texts, count)), encoding="utf-8")
    return paths


def ingest(path: Path) -> tuple[float, dict[str, int]]:
    """Upload a file and wait until it is stored. Return seconds, and the counts by verdict."""
    # Models can be imported only after `archive` has set up Django.
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
    from django.db import connection  # as above

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        size: int = cursor.fetchone()[0]
    return size


def measure(count: int, workers: int, rounds: int) -> dict[str, float]:
    """Return medians over the uploads; before them a smaller one warms up."""
    rates, works, of_database = [], [], []
    with tempfile.TemporaryDirectory() as var, archive(workers) as site:
        warm_up, *measured_paths = write_uploads(
            [min(count, WARM_UP), *[count] * rounds], Path(var)
        )
        ingest(warm_up)
        empty = database_bytes()
        roots = {role: pid for role, pid in site.roots.items() if role.startswith("worker")}
        with Watch(roots) as watch:
            for path in measured_paths:
                before, rows_before = (
                    _sum_worker_seconds(roots),
                    cpu_seconds(site.roots["postgres"]),
                )
                seconds, counts = ingest(path)
                assert counts.get("verified") == count, counts
                rates.append(count / seconds)
                works.append((_sum_worker_seconds(roots) - before) / count * 1e3)
                took = cpu_seconds(site.roots["postgres"]) - rows_before
                of_database.append(took / count * 1e3)
            watch.stop()
        stored = (database_bytes() - empty) / (count * rounds) / 1e3
        peak = max(memory for memory, _ in watch.totals().values())
    return {
        RATE: median(rates),
        WORK: median(works),
        "ms of a core a game, PostgreSQL": median(of_database),
        "MB of a worker": peak,
        "kB a game": stored,
    }


def _sum_worker_seconds(roots: dict[str, int]) -> float:
    return sum(map(cpu_seconds, roots.values()))


def measure_checkout(checkout: Path, count: int, workers: int) -> dict[str, float]:
    """Return the figures of a checkout, measured by this bench."""
    with tempfile.TemporaryDirectory() as benches:
        shutil.copytree(Path(__file__).parent, Path(benches) / "bench")
        paths = (benches, str(checkout), str(checkout / "kafu" / "src"))
        result = subprocess.run(
            [*BENCH, f"--games={count}", f"--workers={workers}"],
            cwd=checkout,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    # Processes of the checkout may print before the figures.
    figures: dict[str, float] = json.loads(result.stdout.splitlines()[-1])
    return figures


def compare(other_checkout: Path, count: int, workers: int, rounds: int) -> str:
    """Return a table of this checkout and another, and the ratios of their speeds."""
    pairs = [
        (measure_checkout(ROOT, count, workers), measure_checkout(other_checkout, count, workers))
        for _ in range(rounds)
    ]
    columns = list(pairs[0][0])
    rows = [
        [name, *(number(median(pair[place][column] for pair in pairs)) for column in columns)]
        for place, name in enumerate(("this checkout", "the other"))
    ]
    rate = median(ours[RATE] / theirs[RATE] for ours, theirs in pairs)
    work = median(theirs[WORK] / ours[WORK] for ours, theirs in pairs)
    return (
        f"{table(['Intake', *columns], rows)}\n\n"
        f"This checkout takes in {number(rate)} times as many games a second, and "
        f"{number(work)} times as many for the same work of the workers."
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=2400, help="games of an upload")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5, help="uploads, or pairs")
    parser.add_argument("--against", type=Path, help="another checkout")
    parser.add_argument("--json", action="store_true", help="a line of JSON instead of a table")
    arguments = parser.parse_args()
    if arguments.against:
        print(
            compare(
                arguments.against.resolve(), arguments.games, arguments.workers, arguments.rounds
            )
        )
        return
    figures = measure(arguments.games, arguments.workers, arguments.rounds)
    if arguments.json:
        print(json.dumps(figures))
    else:
        name = (
            f"{arguments.workers} workers, {arguments.rounds} uploads of {arguments.games:,} games"
        )
        print(table(["Intake", *figures], [[name, *map(number, figures.values())]]))


if __name__ == "__main__":
    main()
