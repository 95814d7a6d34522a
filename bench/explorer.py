"""Games with the same situation: bytes and work a game of the index, and how fast it answers.

    python -m bench.explorer [--games 100000] [--distinct 1000] [--runs 200]

Some simulated games go through the real pipeline and into the index, on a PostgreSQL started for
it. Then their rows, and their places in the index, are multiplied: a situation that one of them has
alone has as many places as it has copies, which is more than real games would give it. Each answer
is of another step, and none is kept. It should take less than 50 ms, on a machine that does nothing
else.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import django
from django.core.management import call_command

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate

RULESETS = ("koikoi", "hachihachi", "hachihachi-bga", "hanaawase", "ten-five-one")
#: Games whose places are written together, as the job does.
BATCH = 1000


def sample_files(count: int) -> list[bytes]:
    """Different games, of each ruleset in turn, some hundred in a file."""
    found = [write(simulate(RULESETS[n % len(RULESETS)], seed=n)) for n in range(count)]
    return ["\n".join(found[at : at + 500]).encode() for at in range(0, count, 500)]


def build(distinct: int, count: int) -> None:
    """Fill an empty archive and its index, and print what the index takes."""
    # Models can be imported only now, when Django is set up.
    from django.db import connection, transaction

    from records.base.bulk import columns_of
    from records.explorer import following
    from records.intake.receiving import Part, receive
    from records.models import Listing, Record
    from records.work import sweeping
    from records.work.kinds import Lane
    from records.work.tasks import do_next
    from records.work.worker import work_off

    parts = [Part(f"{n}.kafu", [text]) for n, text in enumerate(sample_files(distinct))]
    work_off(receive(parts=parts, via="command"), lambda _: None)
    begun = time.process_time()
    sweeping.schedule()
    while do_next(Lane.IDLE):
        pass
    rows = list(Record.objects.order_by("pk").values_list("pk", "text"))
    done = time.process_time() - begun
    print(f"all that is done when idle, the index too: {done / len(rows) * 1e3:.2f} ms a game")
    begun = time.process_time()
    places = {pk: following.places_of(pk, text) for pk, text in rows}
    done = time.process_time() - begun
    print(f"of it reading and replaying: {done / len(rows) * 1e3:.2f} ms a game")
    _size("of different games", len(rows))

    columns = [name for name in columns_of(Record) if name not in ("key", "identity", "change_id")]
    listed = [name for name in columns_of(Listing) if name != "record_id"]
    with connection.cursor() as cursor:
        first = rows[-1][0] + 1
        cursor.execute(
            f"INSERT INTO records_record (id, key, identity, {', '.join(columns)})"
            f" SELECT %s + row_number() OVER () - 1, 'copy' || n || 'x' || id,"
            f" md5(n || key) || md5(key || n), {', '.join(columns)}"
            " FROM records_record, generate_series(1, %s) AS n ORDER BY n, id LIMIT %s",
            [first, count // len(rows) + 1, count - len(rows)],
        )
        cursor.execute(
            f"INSERT INTO records_listing (record_id, {', '.join(listed)})"
            f" SELECT copy.id, {', '.join(f'l.{name}' for name in listed)} FROM records_record copy"
            " JOIN records_listing l ON l.record_id = split_part(copy.key, 'x', 2)::bigint"
            " WHERE copy.id >= %s",
            [first],
        )
        cursor.execute(
            "SELECT id, split_part(key, 'x', 2)::bigint FROM records_record"
            " WHERE id >= %s ORDER BY id",
            [first],
        )
        copies = cursor.fetchall()
    for at in range(0, len(copies), BATCH):
        found: following.Shelves = defaultdict(list)
        for pk, model in copies[at : at + BATCH]:
            for shelf, (rest, place) in places[model]:
                found[shelf].append((rest, place._replace(game=pk)))
        with transaction.atomic():
            following._store(found)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    _size("of all", count)


def _size(name: str, games: int) -> None:
    """Print how much of the database the index takes."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL records_situationpart")
        cursor.execute(
            "SELECT pg_total_relation_size('records_situationpart'), SUM(size)"
            " FROM records_situationpart"
        )
        taken, places = cursor.fetchone()
    print(
        f"the index {name}: {taken / games:,.0f} bytes a game, {places / games:.1f} places a game, "
        f"{taken / places:.1f} bytes a place",
        flush=True,
    )


def measure(distinct: int, runs: int) -> None:
    """Print how long answers take, by what is compared."""
    from django.conf import settings
    from django.test import Client

    from records.explorer.asking import compared_of
    from records.models import Record

    settings.ALLOWED_HOSTS = ["*"]
    client, chance = Client(), random.Random(1)
    times: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    most: defaultdict[str, int] = defaultdict(int)
    # Whole ones would be a million objects for the search for garbage to go through.
    records = list(Record.objects.order_by("pk").only("key", "text")[:distinct])
    for run in range(runs + 1):
        record = chance.choice(records)
        steps = compared_of(record.text)
        by_aspect: dict[str, list[Any]] = defaultdict(list)
        for step in steps:
            by_aspect[step.situation.kind.name.lower()].append(step.situation)
        for aspect, found in by_aspect.items():
            at = chance.choice(found)
            address = f"/api/v1/records/{record.key}/situations?at={at.deal}.{at.step}&page_size=20"
            begun = time.perf_counter(), time.process_time()
            response = client.get(address)
            took = time.perf_counter() - begun[0], time.process_time() - begun[1]
            assert response.status_code == 200, (address, response.status_code)
            if run:  # the first fills caches
                times[aspect].append(took)
                most[aspect] = max(most[aspect], response.json()["situation"]["n"])
    for aspect, seconds in times.items():
        print(f"{aspect:10} {_figures(seconds)}   the most places {most[aspect]:,}")
    print(f"{'all':10} {_figures([one for some in times.values() for one in some])}")


def _figures(seconds: Sequence[tuple[float, float]]) -> str:
    texts = []
    for name, some in zip(("by the clock", "of a core"), zip(*seconds, strict=True), strict=True):
        ordered = sorted(some)
        p50, p95 = (ordered[min(len(ordered) - 1, round(of * len(ordered)))] for of in (0.5, 0.95))
        texts.append(f"{name}: p50 {p50 * 1e3:6.1f}  p95 {p95 * 1e3:6.1f} ms")
    return "   ".join(texts)


def main() -> None:
    """Build the archive, and print what its index costs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=100_000, help="games of the archive")
    parser.add_argument("--distinct", type=int, default=1_000, help="different ones among them")
    parser.add_argument("--runs", type=int, default=200, help="games that are asked about")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        from tests.services import postgres_server

        var = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ |= {"HANA_ENV": "development", "HANA_VAR": var, "HANA_LOG_LEVEL": "WARNING"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "hanaarchive.settings"
        server = stack.enter_context(postgres_server())
        os.environ["DATABASE_URL"] = server.url(server.create())
        django.setup()
        call_command("migrate", verbosity=0)
        build(arguments.distinct, arguments.games)
        gc.collect()
        gc.freeze()  # a web process has not what building leaves, and does not look through it
        measure(arguments.distinct, arguments.runs)
        from django.db import connections

        connections.close_all()


if __name__ == "__main__":
    main()
