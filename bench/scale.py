"""Size of PostgreSQL's tables, and speed of lists and pages, depending on the number of games.

    python -m bench.scale 100000 1000000

Some simulated games go through the real pipeline, in a temporary archive on PostgreSQL and Redis.
SQL copies their rows until the archive has the requested number of games: with further ids, keys,
days and players, and with all indexes in place. Prints tables in Markdown: bytes a game by table;
and the work of uncached responses with the plan of their slowest query. A million games take 7 GB
below the temporary directory.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bench.corpus import games, number, table
from bench.sites import temporary_archive
from tests.processes import cpu_seconds

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper

#: Games that go through the pipeline, and copies of their players.
DIFFERENT: Final = 2_000
PLAYER_COPIES: Final = 50
#: Copies of one statement.
STEP: Final = 25
#: Requests of an address: PostgreSQL's CPU time is known to a hundredth of a second.
RUNS: Final = 20
#: Tables that grow with the games, in the order of their references.
TABLES: Final = (
    *("records_gamechange", "records_job", "records_chunk", "records_record", "records_listing"),
    *("records_listedfeature", "records_player", "records_seat", "records_ownership"),
    "records_submission",
)
ADDRESSES: Final = {
    "games": "/games/",
    "games of a ruleset": "/games/?ruleset=koikoi",
    "games by score": "/games/?sort=score",
    "games by day": "/games/?sort=played",
    "games of two days": "/games/?from=2023-01-10&to=2023-01-11",
    "games with a yaku": "/games/?ruleset=koikoi&yaku=goko",
    "games with a common yaku, by length": "/games/?yaku=tan&sort=longest",
    "games of an event": "/games/?event=Cup+17",
    "games of a rare status": "/games/?status=unfinished",
    "games of a player": "/games/?player=Player+1007",
    "games of two players": "/games/?player=Player+1007&player=Player+1014",
    "players": "/players/",
    "players by name": "/players/?q=Player+12",
    "a game": "/games/{game}/",
    "a player": "/players/{player}/",
    "API: records": "/api/v1/records",
    "API: records, the oldest": "/api/v1/records?sort=oldest",
    "sitemap": "/sitemap.xml",
}


class Work(NamedTuple):
    """The work of a response: ms of a core of the process and of PostgreSQL; queries, plan."""

    process: float
    postgres: float
    queries: int
    plan: str


def store_games() -> None:
    """Send the different games, and process their jobs."""
    from records.ingest.receiving import Part, receive
    from records.jobs.executor import work_off

    text = "\n".join(islice(games(DIFFERENT), DIFFERENT)).encode()
    work_off(receive(parts=[Part("games.kafu", [text])], via="command"), lambda _: None)


def changed_columns(last: Mapping[str, int]) -> dict[str, dict[str, str]]:
    """Return the columns that differ between copies, as SQL over a row and its copy's number n.

    last: The largest id of the different games' rows by table.
    """

    def shift(column: str, name: str) -> str:
        return f"{column} + n * {last[name]}"

    def rename(column: str) -> str:
        digest = f"encode(sha256(convert_to({column} || n, 'UTF8')), 'hex')"
        return f"substr({digest}, 1, length({column}))"

    return {
        "records_gamechange": {
            "id": shift("id", "records_gamechange"),
            "number": f"number + n * {last['records_gamechange']}",
            "made": "made + n * interval '10 minutes'",
        },
        "records_job": {"id": shift("id", "records_job")},
        "records_chunk": {
            "job_id": shift("job_id", "records_job"),
            "first_game": f"first_game + n * {DIFFERENT}",
        },
        "records_record": {
            "id": shift("id", "records_record"),
            "key": rename("key"),
            "identity": rename("identity"),
            "created": "created + n * interval '10 minutes'",
            "first_chunk_id": shift("first_chunk_id", "records_job"),
            "change_id": shift("change_id", "records_gamechange"),
            "first_deal": "first_deal # (n::bigint << 20)",
            "event": "'Cup ' || n % 500",
            # The different games repeat deals, so that most of them count as copies.
            "copy_of_id": "NULL",
        },
        "records_listing": {
            "record_id": shift("record_id", "records_record"),
            "day_from": "737000 + (n * 37 + record_id) % 2000",
            "day_to": "737000 + (n * 37 + record_id) % 2000",
            "event": "'cup ' || n % 500",
        },
        "records_listedfeature": {"listing_id": shift("listing_id", "records_record")},
        "records_player": {
            "id": shift("id", "records_player"),
            "key": rename("key"),
            "origin": rename("origin"),
            "name": "name || ' of ' || n",
            "folded": "folded || ' of ' || n",
        },
        "records_seat": {
            "id": shift("id", "records_seat"),
            "record_id": shift("record_id", "records_record"),
            "player_id": f"player_id + n % {PLAYER_COPIES} * {last['records_player']}",
        },
        "records_ownership": {
            "id": shift("id", "records_ownership"),
            "record_id": shift("record_id", "records_record"),
        },
        "records_submission": {
            "id": shift("id", "records_submission"),
            "number": f"number + n * {DIFFERENT}",
            "chunk_id": shift("chunk_id", "records_job"),
            "record_id": shift("record_id", "records_record"),
        },
    }


class Copier:
    """Copies of the rows of the different games, with all indexes in place."""

    def __init__(self, cursor: CursorWrapper) -> None:
        """Find the rows to copy. Foreign keys are not checked."""
        self.cursor = cursor
        self.copies = 0
        cursor.execute("SET session_replication_role = replica; SET synchronous_commit = off")
        self.keys = {name: self._find_key(name) for name in TABLES}
        self.last = {name: self._value(f"max({key})", name) for name, key in self.keys.items()}
        self.columns = changed_columns(self.last)

    def grow(self, size: int) -> None:
        """Copy until the archive has ``size`` games."""
        while self.copies < size // DIFFERENT - 1:
            first, self.copies = (
                self.copies + 1,
                min(self.copies + STEP, size // DIFFERENT - 1),
            )
            for name in TABLES:
                end = (
                    min(self.copies, PLAYER_COPIES - 1) if name == "records_player" else self.copies
                )
                self._copy(name, first, end)
        self.cursor.execute("VACUUM (ANALYZE)")

    def _copy(self, name: str, first: int, end: int) -> None:
        columns = self._columns(name)
        values = ", ".join(self.columns[name].get(column, f'"{column}"') for column in columns)
        names = ", ".join(f'"{column}"' for column in columns)
        self.cursor.execute(
            f"INSERT INTO {name} ({names}) SELECT {values} "
            f"FROM generate_series({first}, {end}) AS n, {name} "
            f"WHERE {self.keys[name]} <= {self.last[name]} ORDER BY n, {self.keys[name]}"
        )

    def _columns(self, name: str) -> list[str]:
        self.cursor.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 "
            "AND NOT attisdropped",
            [name],
        )
        return [column for (column,) in self.cursor.fetchall()]

    def _find_key(self, name: str) -> str:
        """Return the column that numbers the rows of a table."""
        columns = self._columns(name)
        return next(key for key in ("id", "job_id", "record_id", "listing_id") if key in columns)

    def _value(self, expression: str, name: str) -> int:
        self.cursor.execute(f"SELECT {expression} FROM {name}")
        value: int = self.cursor.fetchone()[0]
        return value


def measure_tables(cursor: CursorWrapper, size: int) -> list[list[str]]:
    """Return a row a table: rows and bytes a game, of the rows with long values, and of indexes."""
    cursor.execute(
        "SELECT relname, n_live_tup, pg_table_size(relid), pg_indexes_size(relid) "
        "FROM pg_stat_user_tables WHERE relname = ANY(%s) "
        "UNION ALL SELECT 'database', 0, pg_database_size(current_database()), 0 ORDER BY 3 DESC",
        [list(TABLES)],
    )
    return [
        [name, *(number(value / size) for value in (count, rows, indexes, rows + indexes))]
        for name, count, rows, indexes in cursor.fetchall()
    ]


def measure_responses(cursor: CursorWrapper) -> Iterator[tuple[str, Work]]:
    """Yield the work of the response at each address, without cached responses."""
    from django.core.cache import caches
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from records.models import Player, Record

    cursor.execute("SET max_parallel_workers_per_gather = 0")
    cursor.execute("SELECT pg_backend_pid()")
    pid = cursor.fetchone()[0]
    client = Client(SERVER_NAME="localhost")
    keys = {
        "game": Record.objects.values_list("key", flat=True)[0],
        "player": Player.objects.order_by("-games").values_list("key", flat=True)[0],
    }

    def request(path: str) -> None:
        for cache in caches.all():
            cache.clear()
        response = client.get(path.format(**keys))
        assert response.status_code == 200, (path, response.status_code)

    for name, path in ADDRESSES.items():
        request(path)
        with CaptureQueriesContext(connection) as captured:
            request(path)
        queries = captured.captured_queries
        slowest = max(queries, key=lambda query: float(query["time"]))
        began = time.process_time(), cpu_seconds(pid)
        for _ in range(RUNS):
            request(path)
        ended = time.process_time(), cpu_seconds(pid)
        process, postgres = (
            1000 * (end - begin) / RUNS for begin, end in zip(began, ended, strict=True)
        )
        cursor.execute(f"EXPLAIN (FORMAT JSON) {slowest['sql']}")
        plan = cursor.fetchone()[0]
        yield name, Work(process, postgres, len(queries), describe(plan))


def describe(plan: Any) -> str:
    """Return the scans of a plan: ``Index Only Scan listing_newest``."""
    if isinstance(plan, str):
        plan = json.loads(plan)
    scans: list[str] = []

    def walk(node: dict[str, Any]) -> None:
        if "Scan" in node["Node Type"]:
            target = node.get("Index Name") or node.get("Relation Name", "")
            scans.append(f"{node['Node Type']} {target}".strip())
        for child in node.get("Plans", ()):
            walk(child)

    walk(plan[0]["Plan"])
    return ", ".join(dict.fromkeys(scans))


def main(sizes: Sequence[int]) -> None:
    """Print the tables of every size."""
    with temporary_archive(on_postgres=True):
        from django.db import connection

        store_games()
        with connection.cursor() as cursor:
            cursor.execute("ALTER SYSTEM SET max_wal_size = '2GB'")
            cursor.execute("SELECT pg_reload_conf()")
            copier = Copier(cursor)
            for size in sorted(sizes):
                began = time.perf_counter()
                copier.grow(size)
                print(f"{size:,} games after {time.perf_counter() - began:.0f} s\n", flush=True)
                head = ("table", "rows a game", "bytes of rows", "bytes of indexes", "bytes a game")
                print(table(head, measure_tables(cursor, size)), flush=True)
                head = ("response", "ms of a core, process", "PostgreSQL", "queries", "plan")
                rows = [
                    [
                        name,
                        number(work.process),
                        number(work.postgres),
                        str(work.queries),
                        work.plan,
                    ]
                    for name, work in measure_responses(cursor)
                ]
                print(f"\n{table(head, rows)}\n", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sizes", type=int, nargs="+", metavar="GAMES")
    main(parser.parse_args().sizes)
