"""Speed of statistics, depending on the number of games.

    python -m bench.statistics [--sizes 1000 10000 100000] [--runs 20] [--only sqlite]

Archives on SQLite and on a PostgreSQL started for it, in temporary directories, are grown step by
step (`bench.archive`). At each size every resource is requested several times without an ETag,
first with an empty cache, then again, by Django's test client: the network would add the same to
all. Prints tables in Markdown with the ratio of the largest archive to the smallest, which should
be at most 1.5.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import django
from django.conf import settings
from django.core.management import call_command

from bench import grown

#: Answers computed from the sums, and answers from the cache.
COMPUTED: Final = "computed"
WAYS: Final = (COMPUTED, "asked again")
#: Up to this size a check of all sums against the games takes little time.
CHECKED: Final = 1_000


def latencies(runs: int) -> dict[str, dict[str, list[float]]]:
    """By way of answering, and question: median and p95 in ms."""
    from django.test import Client

    from bench.archive import questions

    client: Any = Client()
    found: dict[str, dict[str, list[float]]] = {way: {} for way in WAYS}
    for name, id, query in questions():
        for way in WAYS:
            times = []
            for run in range(runs + 1):
                if way == COMPUTED:
                    grown.forget()
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


def table(database: str, steps: Sequence[dict[str, Any]]) -> str:
    """The results of a database, in Markdown."""
    lines = []
    for way in WAYS:
        heads = "".join(f" {step['size']:,} |" for step in steps)
        lines.append(f"\n{database}, {way}: median (p95) in ms, by games in the archive\n")
        lines += [f"| question |{heads} ratio |", "|---|" + "---:|" * (len(steps) + 1)]
        for name in steps[0]["asked"][way]:
            rows = [step["asked"][way][name] for step in steps]
            cells = "".join(f" {median:.1f} ({p95:.1f}) |" for median, p95 in rows)
            lines.append(f"| {name} |{cells} {rows[-1][0] / rows[0][0]:.2f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    grown.main("bench.statistics", __doc__ or "", 20, measure, table)
