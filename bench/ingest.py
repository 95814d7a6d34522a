"""Speed of taking games in: from an upload's bytes to rows, on PostgreSQL and Redis.

    python -m bench.ingest [--games 2400] [--workers 2] [--json]
    python -m bench.ingest --against PATH [--rounds 5]

Uploads of so many different games of all five rulesets, one after the other, each worked off by
workers of one process each, in a temporary archive. The seconds of a core, of the workers and of
PostgreSQL, are those to compare: games a second depend on what else the machine does.

``--against`` measures another checkout as well, with this bench and its own application, by turns,
and prints how much faster this one is: the median of pairs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median

from bench import ROOT, figures
from bench.bulk import database_bytes, ingest
from bench.corpus import games
from bench.figures import Figure, Ratio, Row
from bench.processes import Watch, cpu_seconds
from bench.site import archive

#: Without the working directory's own bench.
BENCH = (sys.executable, "-P", "-m", "bench.ingest", "--json", "--rounds=1")
WORK = "ms of a core a game"
SIZE = "kB a game"
#: MB of a worker at most, kB a game at most, times as fast as before.
MEMORY, SMALL, FASTER = 200.0, 10.0, 3.0


def uploads(count: int, rounds: int, directory: Path) -> list[Path]:
    """Files of so many games each, all different."""
    texts = games(count * rounds)
    paths = [directory / f"{number}.kafu" for number in range(rounds)]
    for path in paths:
        path.write_text("".join(f"{text}\n" for text in islice(texts, count)), encoding="utf-8")
    return paths


def measure(count: int, workers: int, rounds: int) -> Iterator[Figure]:
    """One row: medians of the uploads, the first of which warms up and is not counted."""
    rates, works, of_database = [], [], []
    with tempfile.TemporaryDirectory() as var, archive(workers) as site:
        first, *rest = uploads(count, rounds + 1, Path(var))
        empty = database_bytes()["database"]
        ingest(first)
        roots = {role: pid for role, pid in site.roots.items() if role.startswith("worker")}
        with Watch(roots) as watch:
            for path in rest:
                before, rows_before = _work(roots), cpu_seconds(site.roots["postgres"])
                seconds, counts = ingest(path)
                assert counts.get("verified") == count, counts
                rates.append(count / seconds)
                works.append((_work(roots) - before) / count * 1e3)
                took = cpu_seconds(site.roots["postgres"]) - rows_before
                of_database.append(took / count * 1e3)
            watch.stop()
        stored = (database_bytes()["database"] - empty) / (count * (rounds + 1)) / 1e3
        peak = max(memory for memory, _ in watch.found().values())
    values = {
        "games/s": median(rates),
        f"{WORK}, workers": median(works),
        f"{WORK}, PostgreSQL": median(of_database),
        "MB of a worker": peak,
        SIZE: stored,
    }
    yield Row("Intake", f"{workers} workers, {rounds} uploads of {count:,} games", values)
    yield Ratio("memory of a worker, MB", peak, MEMORY, most=True)
    yield Ratio("database, kB a game", stored, SMALL, most=True)


def _work(roots: dict[str, int]) -> float:
    return sum(map(cpu_seconds, roots.values()))


def measured_in(checkout: Path, count: int, workers: int) -> dict[str, float]:
    """The same of another checkout: this bench in it."""
    with tempfile.TemporaryDirectory() as benches:
        shutil.copytree(Path(__file__).parent, Path(benches) / "bench")
        paths = (benches, str(checkout), str(checkout / "kafu" / "src"))
        done = subprocess.run(
            [*BENCH, f"--games={count}", f"--workers={workers}"],
            cwd=checkout,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    found = figures.of_lines(done.stdout.splitlines())
    return next(one.values for one in found if isinstance(one, Row))


def against(other: Path, count: int, workers: int, rounds: int) -> Iterator[Figure]:
    """This checkout and another by turns."""
    pairs = [
        (measured_in(ROOT, count, workers), measured_in(other, count, workers))
        for _ in range(rounds)
    ]
    rate = median(ours["games/s"] / theirs["games/s"] for ours, theirs in pairs)
    name = f"{WORK}, workers"
    work = median(theirs[name] / ours[name] for ours, theirs in pairs)
    yield Ratio("intake, games/s to the other checkout's", rate, FASTER)
    yield Ratio("intake, games for the same work of the workers", work, FASTER)
    for place, which in enumerate(("this checkout", "the other")):
        yield Row(
            "Intake",
            which,
            {column: median(pair[place][column] for pair in pairs) for column in pairs[0][place]},
        )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=2400, help="games of an upload")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=figures.ROUNDS, help="uploads, or pairs")
    parser.add_argument("--against", type=Path, help="another checkout")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each figure")
    given = parser.parse_args()
    found = (
        against(given.against.resolve(), given.games, given.workers, given.rounds)
        if given.against
        else measure(given.games, given.workers, given.rounds)
    )
    figures.publish(found, as_json=given.json)


if __name__ == "__main__":
    main()
