"""Memory of the archive's processes as the archive grows, as in docs/operations.md (on Linux).

    python -m bench.memory [--games 200,3000,12000] [--rounds 3]

A temporary archive on PostgreSQL and Redis takes in games. At each size, readers request pages and
statistics of all rulesets and the computing processes check games. Then a table says the resident
memory of each process and, in parentheses, its proportional share.
"""

from __future__ import annotations

import argparse
import http.client
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

from bench.corpus import games, table
from bench.ingest import ingest, write_uploads
from bench.site import Site, archive
from kafu.notation.vocabulary import RULES

#: Concurrent readers of games and lists: every thread of the web server works. Of pages that are
#: computed, few: the server would refuse others.
READERS, FEW_READERS = 20, 3
#: Names of the processes by role, and by number of processes above them.
NAMES = {
    "web": ("web process", "keeper", "computing process"),
    "worker": ("first process of a worker", "parent of jobs", "child with jobs"),
    "sweep": ("sweep",),
}
PATHS = ("/", "/games/", "/api/v1/records", "/games/{key}/", "/games/{key}/replay.json")
PATHS_OF_RULES = (
    "/statistics/{rules}/",
    "/rules/{rules}/",
    "/games/?ruleset={rules}",
    "/api/v1/statistics/seats?ruleset={rules}",
    "/statistics/insights/?ruleset={rules}",
)


def measure(site: Site) -> dict[str, tuple[float, float]]:
    """Return the largest resident MB and the largest share of memory of each kind of process."""
    sizes: dict[str, tuple[float, float]] = {}
    children = defaultdict(list)
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = path.read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        children[int(parent)].append(int(path.parent.name))
    for role, root in site.roots.items():
        level = [root]
        total = 0.0
        for name in NAMES.get(role.split()[0], ()):
            for pid in level:
                resident, share = _read_memory(pid)
                old = sizes.get(name, (0.0, 0.0))
                sizes[name] = (max(old[0], resident), max(old[1], share))
                total += share
            level = [child for pid in level for child in children[pid]]
        if total:
            sizes[f"all of {role}"] = (total, total)
    return sizes


def _read_memory(pid: int) -> tuple[float, float]:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0, 0.0
    values = {line.split(":")[0]: line.split()[1] for line in lines[1:]}
    return int(values["Rss"]) * 1024 / 1e6, int(values["Pss"]) * 1024 / 1e6


def read_pages(port: int, rounds: int) -> Counter[int]:
    """Request every kind of page, and let games be checked. Return the counts of statuses."""
    # Models can be imported only after `archive` has set up Django.
    from records.models import Record

    keys = list(Record.objects.order_by("?").values_list("key", flat=True)[: READERS * 5])
    computed = [path.format(rules=rules) for rules in RULES for path in PATHS_OF_RULES]
    checked = "\n\n".join(games(10)).encode()
    statuses: Counter[int] = Counter()

    def read(reader: int, paths: Sequence[str]) -> None:
        connection = http.client.HTTPConnection(
            "127.0.0.1", port, timeout=60, source_address=(f"127.0.1.{reader + 1}", 0)
        )
        for path in paths:
            connection.request("GET", path)
            response = connection.getresponse()
            response.read()
            statuses[response.status] += 1
        connection.request("POST", "/api/v1/verify", checked, {"Content-Type": "text/x-kafu"})
        response = connection.getresponse()
        response.read()
        statuses[response.status] += 1

    for _ in range(rounds):
        with ThreadPoolExecutor(READERS) as pool:
            list(pool.map(read, range(FEW_READERS), [computed] * FEW_READERS))
            pages = [
                [path.format(key=key) for key in keys[reader::READERS] for path in PATHS]
                for reader in range(READERS)
            ]
            list(pool.map(read, range(READERS), pages))
    return statuses


def grow(site: Site, sizes: Sequence[int], rounds: int) -> Iterator[dict[str, tuple[float, float]]]:
    """Yield the memory of all kinds of processes at each number of games."""
    with tempfile.TemporaryDirectory() as directory:
        counts = [after - before for before, after in pairwise([0, *sizes])]
        for path in write_uploads(counts, Path(directory)):
            ingest(path)
            print(dict(read_pages(site.port, rounds)), flush=True)
            time.sleep(40)  # Facts are written, and the sweep passes.
            yield measure(site)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", default="200,3000,12000", help="sizes of the archive")
    parser.add_argument("--rounds", type=int, default=3, help="times that readers read all pages")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.games.split(",")]
    with archive(1, processes=4) as site:
        columns = []
        for size, column in zip(sizes, grow(site, sizes, arguments.rounds), strict=True):
            columns.append(column)
            print(size, {name: tuple(map(round, mb)) for name, mb in column.items()}, flush=True)
        rows = [
            [name, *(f"{column[name][0]:.0f} ({column[name][1]:.0f})" for column in columns)]
            for name in columns[0]
        ]
        print(table(["process, MB", *(f"{size:,} games" for size in sizes)], rows))


if __name__ == "__main__":
    main()
