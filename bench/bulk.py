"""A hundred thousand games in one upload, on PostgreSQL and Redis: speed, memory, size, shares.

    python -m bench.bulk [--games 100000] [--workers 2] [--cache DIRECTORY] [--no-verify]

Starts a PostgreSQL (which writes to disk as in production), a Redis, the web server, so many
workers of one process each, and the sweep, in a temporary directory. The games are of all five
rulesets, simulated once and cached; each deal is played by many players, so that every game is
different and is read, replayed and stored in full. `verify --jobs` with as many processes on the
same file is the baseline. Figures depend on the machine: to compare two versions, run both on the
same one, with nothing else to do.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from bench import ROOT
from bench.corpus import corpus
from bench.processes import Watch
from bench.site import archive

SAMPLE_CHUNKS = 12


def ingest(path: Path) -> tuple[float, dict[str, int]]:
    """Upload one file and wait until it is stored; seconds, and the counts by verdict."""
    from records.intake.receiving import Part, receive
    from records.models import Upload

    began = time.perf_counter()
    with path.open("rb") as stream:
        pieces = iter(lambda: stream.read(1 << 20), b"")
        upload: Upload = receive(parts=[Part(path.name, pieces)], via="command", limit=sys.maxsize)
    while (progress := upload.progress())["state"] != "done":
        time.sleep(0.05)
    counts = {name: n for name, n in progress["games"].items() if n and name != "total"}
    return time.perf_counter() - began, counts


def verified(path: Path, jobs: int) -> float:
    """Seconds of `kafu verify --jobs` on the same file."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "kafu", "verify", "--json", f"--jobs={jobs}", str(path)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    assert done.returncode in (0, 1)
    return time.perf_counter() - began


def shares() -> dict[str, float]:
    """Seconds of each stage for some chunks of the upload, one after the other, in this process.

    Writing is measured in a transaction that is rolled back, without the games stored before.
    """
    from django.db import transaction
    from django.utils import timezone

    from records.intake import judging
    from records.models import Chunk, Job, Record, Submission
    from records.store.judged import judge_piece
    from records.store.pieces import pieces
    from records.work.ledger import claim

    by_stage = {"unpacking": 0.0, "judging": 0.0, "writing": 0.0}
    step = max(1, Chunk.objects.count() // SAMPLE_CHUNKS)
    for chunk in Chunk.objects.select_related("file").order_by("pk")[::step]:
        began = time.perf_counter()
        found = list(pieces(chunk))
        read = time.perf_counter()
        judged = [judge_piece(piece, chunk.file.name) for piece in found]
        judged_at = time.perf_counter()
        with transaction.atomic():
            Submission.objects.filter(chunk=chunk).delete()
            Record.objects.filter(first_chunk=chunk).delete()
            Job.objects.filter(pk=chunk.pk).update(
                state=Job.State.WAITING, attempts=0, due_at=timezone.now()
            )
            job = claim(chunk.pk)
            assert job is not None
            ready = time.perf_counter()
            judging.store_chunk(job, judged)
            stored = time.perf_counter()
            transaction.set_rollback(True)
        for name, seconds in zip(
            by_stage, (read - began, judged_at - read, stored - ready), strict=True
        ):
            by_stage[name] += seconds
    return by_stage


def database_bytes() -> dict[str, int]:
    """Size of the whole database, and of its tables with their indexes."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        sizes = {"database": cursor.fetchone()[0]}
        cursor.execute(
            "SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class"
            " WHERE relkind = 'r' AND relname LIKE 'records_%'"
            " ORDER BY pg_total_relation_size(oid) DESC LIMIT 10"
        )
        for name, table, indexes in cursor.fetchall():
            sizes[f"  {name}"] = table
            sizes[f"  {name}, indexes"] = indexes
    return sizes


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cache", type=Path, default=ROOT / "var" / "bench")
    parser.add_argument("--no-verify", action="store_true", help="do not measure verify")
    arguments = parser.parse_args()
    path = corpus(arguments.games, arguments.cache)
    print(f"{arguments.games:,} games, {path.stat().st_size / 1e6:,.0f} MB", flush=True)
    alone = 0.0
    if not arguments.no_verify:
        alone = arguments.games / verified(path, arguments.workers)
        print(f"verify --jobs {arguments.workers} alone: {alone:,.0f} games/s", flush=True)
    with archive(arguments.workers) as site, Watch(site.roots) as watch:
        seconds, counts = ingest(path)
        watch.stop()
        rate = arguments.games / seconds
        print(
            f"ingest, {arguments.workers} workers: {rate:,.0f} games/s, {seconds:,.1f} s; {counts}"
        )
        if alone:
            print(f"  {rate / alone:.0%} of verify alone")
        for role, (peak, cpu) in watch.found().items():
            print(f"  {role}: {peak:,.0f} MB at most, {cpu:,.1f} s of a core ({cpu / seconds:.0%})")
        sizes = database_bytes()
        print(f"database: {sizes['database'] / arguments.games:,.0f} bytes a game")
        for name, size in list(sizes.items())[1:]:
            print(f"{name}: {size / arguments.games:,.0f} bytes a game")
        by_stage = shares()
        whole = sum(by_stage.values())
        parts = ", ".join(f"{name} {part / whole:.0%}" for name, part in by_stage.items())
        print(f"time of a chunk, alone: {parts}")


if __name__ == "__main__":
    main()
