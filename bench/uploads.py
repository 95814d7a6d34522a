"""Cost of small uploads: many uploads of one game, their facts, and the list of parts.

    python -m bench.uploads [--postgres] [--uploads 10000] [--between 20]

All work runs in this process, in a temporary archive on SQLite, or on PostgreSQL: an upload, its
jobs, and after every ``--between`` uploads a pass of the sweep with its background jobs, as on a
site with so many uploads in the seconds between two passes. At last the bench adds rows of parts
without files, and reads the list. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from statistics import median

from bench.corpus import games, number, table
from bench.sites import temporary_archive
from tests.processes import cpu_seconds

#: Uploads before the measurement: imports, and the first use of DuckDB.
WARM_UP = 20
#: Uploads after the measurement, each followed by a reading of the list of parts.
READINGS = 20
#: Parts and stale rows of the long list.
PARTS = 2_000
STALE = 20_000


def store(text: str) -> None:
    """Upload a game and run its jobs."""
    from records.ingest.receiving import Part, receive
    from records.jobs.executor import run_next

    receive(parts=[Part("game.kafu", [text.encode()])], via="command")
    while run_next():
        pass


def sweep() -> None:
    """Enqueue recurring jobs, and run all due jobs."""
    from records.jobs import sweeping
    from records.jobs.executor import run_next
    from records.jobs.kinds import BACKGROUND, WORK

    sweeping.schedule()
    while run_next(WORK) or run_next(BACKGROUND):
        pass


def read_list(texts: Iterator[str]) -> Iterator[float]:
    """Yield the ms of a core to read the list of parts after each of some uploads."""
    from records.facts.current import current_snapshot

    current_snapshot()
    for text in texts:
        store(text)
        begun = time.process_time()
        current_snapshot()
        yield (time.process_time() - begun) * 1e3


def add_rows(parts: int, revisions: range) -> None:
    """List parts without files, and stale rows of a game's revisions."""
    from records.base.bulk import BATCH
    from records.facts.parts import begin_part
    from records.facts.tables import TABLES
    from records.models import Record, StaleFacts

    game = Record.objects.latest("pk").pk
    for _ in range(parts):
        part = begin_part("koikoi")
        part.games, part.first_game, part.last_game = 1, game, game
        part.rows, part.digests = dict.fromkeys(TABLES, 1), dict.fromkeys(TABLES, "0" * 64)
        part.save()
    rows = [StaleFacts(game=game, revision=revision) for revision in revisions]
    StaleFacts.objects.bulk_create(rows, BATCH)


def measure_list() -> dict[str, float]:
    """Return the ms of a core to read a long list: whole, and again after changes."""
    from records.facts.current import SnapshotReader, find_newest

    def time_reading(reader: SnapshotReader) -> float:
        newest = find_newest()
        begun = time.process_time()
        reader.read(newest)
        return (time.process_time() - begun) * 1e3

    add_rows(PARTS, range(1, STALE + 1))
    reader = SnapshotReader()
    time_reading(reader)
    whole, with_part, with_stale_row = [], [], []
    for revision in range(STALE + 1, STALE + 6):
        whole.append(time_reading(SnapshotReader()))
        add_rows(1, range(0))
        with_part.append(time_reading(reader))
        add_rows(1, range(revision, revision + 1))
        with_stale_row.append(time_reading(reader))
    return {
        f"{PARTS:,} parts and {STALE:,} stale rows: ms to read the list": median(whole),
        "the same, after a new part": median(with_part),
        "the same, after a new part and a stale row": median(with_stale_row),
    }


def measure(uploads: int, between: int, *, on_postgres: bool) -> dict[str, float]:
    """Return the figures by name."""
    # New parts count from the next second on: each reading of the list finds new ones.
    with temporary_archive(on_postgres=on_postgres, HANA_FACTS_SECONDS="1") as pids:
        from records.facts.parts import find_live
        from records.models import FactPart

        texts = games(WARM_UP + uploads + READINGS, share=1)
        for _ in range(WARM_UP):
            store(next(texts))
        sweep()
        made = FactPart.objects.count()
        works = []
        database = cpu_seconds(pids["postgres"]) if pids else 0.0
        for count in range(1, uploads + 1):
            begun = time.process_time()
            store(next(texts))
            if count % between == 0 or count == uploads:
                sweep()
            works.append(time.process_time() - begun)
            if count % 500 == 0:
                recent = sum(works[-500:]) / 500 * 1e3
                print(f"{count:,}: {recent:.1f} ms of a core an upload", file=sys.stderr)
        database = (cpu_seconds(pids["postgres"]) - database) if pids else 0.0
        parts = list(FactPart.objects.order_by("pk")[made:])
        live = list(find_live())
        return {
            "uploads": uploads,
            "ms of a core an upload": sum(works) / uploads * 1e3,
            "of the last 500": sum(works[-500:]) / len(works[-500:]) * 1e3,
            "of PostgreSQL": database / uploads * 1e3,
            "parts written": len(parts),
            "files written": sum(len(part.rows) for part in parts),
            "MB written": sum(part.size for part in parts) / 1e6,
            "live parts": len(live),
            "MB of live parts": sum(part.size for part in live) / 1e6,
            "ms to read the list": median(read_list(texts)),
            **measure_list(),
        }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--uploads", type=int, default=10_000)
    parser.add_argument("--between", type=int, default=20, help="uploads between two passes")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL")
    arguments = parser.parse_args()
    figures = measure(arguments.uploads, arguments.between, on_postgres=arguments.postgres)
    print(table(["", "figure"], [[name, number(value)] for name, value in figures.items()]))


if __name__ == "__main__":
    main()
