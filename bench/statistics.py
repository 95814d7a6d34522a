"""Speed of statistics, depending on the number of games.

    python -m bench.statistics [--sizes 1000 10000 100000] [--runs 20] [--only sqlite]

Archives on SQLite and on a PostgreSQL started for it, in temporary directories, are grown step by
step (`bench.archive`). At each size every resource is requested several times without an ETag,
first with an empty cache, then again, by Django's test client: the network would add the same to
all. Prints tables in Markdown with the ratio of the largest archive to the smallest, which should
be at most 1.5.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import django
from django.conf import settings
from django.core.management import call_command

ROOT: Final = Path(__file__).resolve().parent.parent
SIZES: Final = (1_000, 10_000, 100_000)
DATABASES: Final = ("sqlite", "postgresql")
#: Answers computed from the sums, and answers from the cache.
COMPUTED: Final = "computed"
WAYS: Final = (COMPUTED, "asked again")
#: Up to this size a check of all sums against the games takes little time.
CHECKED: Final = 1_000


def latencies(runs: int) -> dict[str, dict[str, list[float]]]:
    """By way of answering, and question: median and p95 in ms."""
    from django.core.cache import cache
    from django.test import Client

    from bench.archive import questions

    client: Any = Client()
    found: dict[str, dict[str, list[float]]] = {way: {} for way in WAYS}
    for name, id, query in questions():
        for way in WAYS:
            times = []
            for run in range(runs + 1):
                if way == COMPUTED:
                    cache.clear()
                begun = time.perf_counter()
                response = client.get(f"/api/v1/statistics/{id}", query)
                took = time.perf_counter() - begun
                assert response.status_code == 200, (id, query, response.content)
                if run:  # the first computes odds and the like, and caches its answer
                    times.append(1e3 * took)
            times.sort()
            found[way][name] = [statistics.median(times), times[round(0.95 * (runs - 1))]]
    return found


def measure(sizes: list[int], runs: int, cache: Path) -> None:
    """Grow the archive of this process; the results at each size, a line of JSON each."""
    from bench.archive import Archive, tallies

    django.setup()
    settings.ALLOWED_HOSTS = ["*"]
    call_command("migrate", verbosity=0)
    pool = tallies(cache)
    archive = Archive(pool)
    for size in sizes:
        begun = time.perf_counter()
        archive.grow(size)
        if size <= CHECKED:
            call_command("statistics", check=True, stdout=sys.stderr)
        built = time.perf_counter() - begun
        found = {"size": size, "built": built, "asked": latencies(runs)}
        print(json.dumps(found), flush=True)


def run(database: str, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure in a process of its own, so that no memory or cache is shared."""
    with ExitStack() as stack:
        var = stack.enter_context(tempfile.TemporaryDirectory(prefix="hana-bench-"))
        env = os.environ | {
            "HANA_ENV": "development",
            "HANA_VAR": var,
            "HANA_LOG_LEVEL": "WARNING",
            "HANA_RATES": "read=1000000/60",
            "DJANGO_SETTINGS_MODULE": "hanaarchive.settings",
        }
        env.pop("DATABASE_URL", None)
        if database == "postgresql":
            from tests.services import postgres_server

            server = stack.enter_context(postgres_server())
            env["DATABASE_URL"] = server.url(server.create())
        sizes = map(str, arguments.sizes)
        command = [sys.executable, "-m", "bench.statistics", "--measure", "--sizes", *sizes]
        command += ["--runs", str(arguments.runs), "--cache", str(arguments.cache)]
        process = stack.enter_context(
            subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
        )
        assert process.stdout is not None
        found = []
        for line in process.stdout:
            found.append(json.loads(line))
            summary = (
                f"{database}: {found[-1]['size']:,} games built in {found[-1]['built']:,.0f} s"
            )
            print(summary, file=sys.stderr, flush=True)
    if process.returncode:
        raise SystemExit(process.returncode)
    return found


def tables(found: dict[str, list[dict[str, Any]]]) -> str:
    """The results, in Markdown."""
    lines = []
    for database, steps in found.items():
        for way in WAYS:
            heads = "".join(f" {step['size']:,} |" for step in steps)
            lines.append(f"\n{database}, {way}: median (p95) in ms, by games in the archive\n")
            lines += [f"| question |{heads} ratio |", "|---|" + "---:|" * (len(steps) + 1)]
            for name in steps[0]["asked"][way]:
                rows = [step["asked"][way][name] for step in steps]
                cells = "".join(f" {median:.1f} ({p95:.1f}) |" for median, p95 in rows)
                lines.append(f"| {name} |{cells} {rows[-1][0] / rows[0][0]:.2f} |")
    return "\n".join(lines)


def main() -> None:
    """Measure each database, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="games")
    parser.add_argument("--runs", type=int, default=20, help="times that each is asked")
    parser.add_argument("--only", choices=DATABASES, help="one database")
    parser.add_argument("--cache", type=Path, default=ROOT / "var" / "bench")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.sizes, arguments.runs, arguments.cache)
        return
    names = (arguments.only,) if arguments.only else DATABASES
    print(tables({name: run(name, arguments) for name in names}))


if __name__ == "__main__":
    main()
