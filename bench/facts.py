"""Speed of statistics over facts, depending on the number of games.

    python -m bench.facts [--postgres] 2000 100000 1000000
    python -m bench.facts --engines 1000000

Some simulated games go through the real pipeline, in a temporary archive on SQLite, or on
PostgreSQL and Redis. Their facts are multiplied: the bench writes parts with shifted ids of games,
of `PART` games each, like parts after compaction. Prints a Markdown table of ms of a core and ms of
elapsed time: of each query of figures, in this process, for the slowest ruleset; and of pages and
responses of one web process, first uncached, then cached, and the memory of the process.

With ``--engines`` the table has the queries of a ruleset by DuckDB in this process and by
ClickHouse's engine (chdb behind the server of the tests, one thread, the same files), with the
memory of both. A ruleset has a fifth of the games.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from functools import partial
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.http import QueryDict

from bench.corpus import table
from bench.sites import running, temporary_archive
from kafu.rules.rulesets import RULESETS
from tests import services
from tests.processes import cpu_seconds, peak_memory

if TYPE_CHECKING:
    from records.facts.snapshot import Snapshot

#: Different games of each ruleset, and games of a part.
DIFFERENT: Final = 200
PART: Final = 10_000
PLAYERS: Final = 60
BUSY: Final = "Busy"
RUNS: Final = 3
#: Cached responses measured together: a single one is too short for the clock of processes.
CACHED_RUNS: Final = 100
READERS: Final = 8
#: The ruleset of queries and pages about a player.
RULESET: Final = "koikoi"
INSIGHTS: Final = "/api/v1/statistics/insights?metric="
ADDRESSES: Final = {
    **{f"page of {id}": f"/statistics/{id}/" for id in RULESETS},
    "page of a player": f"/statistics/{RULESET}/?player={BUSY}",
    "overview": "/statistics/",
    "API: cards": f"/api/v1/statistics/cards?ruleset={RULESET}",
    "API: decisions by all": f"/api/v1/statistics/decisions?ruleset={RULESET}&by=yaku,left,opp",
    "API: insight of all rulesets by seat and dealer": f"{INSIGHTS}win_rate&by=seat&by2=dealer",
    "API: insight of all rulesets by player": f"{INSIGHTS}win_rate&by=player",
    "API: insight of all rulesets, a player": f"{INSIGHTS}win_rate&by=ruleset&player={BUSY}",
    "API: insight of all rulesets by year and yaku": f"{INSIGHTS}win_rate&by=year&by2=yaku",
}


#: Insights for the comparison of engines.
COMPARED: Final = (
    "metric=win_rate&by=seat&by2=dealer",
    "metric=win_rate&by=year&by2=yaku",
    "metric=score&by=player&by2=opponent",
    "metric=balance&by=place&by2=payer_place",
)


class Times(NamedTuple):
    """The times of a query or a request: ms of a core, and ms of elapsed time."""

    core: float
    clock: float

    def __str__(self) -> str:
        return f"{self.core:,.1f} / {self.clock:,.1f}"


def simulate_texts(ruleset: str) -> Iterator[str]:
    """Yield games of a ruleset; the busy player sits in a tenth of them."""
    from kafu.notation.writer import write
    from kafu.simulation.simulate import simulate

    chance = random.Random(f"facts {ruleset}")
    for seed in range(DIFFERENT):
        game = simulate(ruleset, seed=seed, player=("sensible", "random")[seed % 4 == 3])
        names = chance.sample([f"Player {number}" for number in range(PLAYERS)], len(game.players))
        game.players = (BUSY, *names[1:]) if seed % 10 == 0 else tuple(names)
        game.tags["Date"] = (date(2024, 1, 1) + timedelta(days=chance.randrange(700))).isoformat()
        game.tags["Event"] = f"Tournament {chance.randrange(20)}"
        yield write(game)


def store_games() -> None:
    """Store the different games."""
    from records.ingest.receiving import Part, receive
    from records.jobs.executor import work_off

    text = "\n".join(text for ruleset in RULESETS for text in simulate_texts(ruleset))
    work_off(receive(parts=[Part("games.kafu", [text.encode()])], via="command"), lambda _: None)


def multiply_facts(base: Snapshot, size: int, rulesets: Iterable[str] = RULESETS) -> None:
    """Replace all parts by copies of the facts of the different games, ``size`` games together.

    Other rulesets than ``rulesets`` get no copies.
    """
    from django.db.models import Max

    from records.models import FactPart, Record

    old = list(FactPart.objects.values_list("pk", flat=True))
    last = Record.objects.aggregate(last=Max("pk"))["last"]
    for ruleset in rulesets:
        copies = size // len(RULESETS) // DIFFERENT
        for first in range(0, copies, PART // DIFFERENT):
            numbers = range(first, min(copies, first + PART // DIFFERENT))
            write_copies(base, ruleset, numbers, last)
    FactPart.objects.filter(pk__in=old).delete()


def write_copies(base: Snapshot, ruleset: str, numbers: range, last: int) -> None:
    """Write a part with copies of the facts of a ruleset, game ids shifted by ``last`` each."""
    from records.facts.database import open_cursor
    from records.facts.parts import WRITE_SECONDS, add_file, begin_part
    from records.facts.tables import TABLES

    part = begin_part(ruleset)
    part.games = DIFFERENT * len(numbers)
    part.first_game, part.last_game = 0, last * (numbers.stop + 1)
    copies = f"range({numbers.start}, {numbers.stop}) AS copies(number)"
    with open_cursor(WRITE_SECONDS) as cursor:
        for name, table in TABLES.items():
            columns = ", ".join(f'"{column.name}"' for column in table.columns)
            select = columns.replace('"game"', f'game + number * {last} AS "game"', 1)
            source = base.source(name, [ruleset])
            order = ", ".join(table.sort)
            statement = f"SELECT {select} FROM {source}, {copies} ORDER BY {order}"
            add_file(part, cursor, name, statement)
    part.save()


class Engine(NamedTuple):
    """An engine: its value of `settings.STATISTICS`, and the server's process id, if any."""

    name: str
    statistics: dict[str, Any] | None = None
    pid: int | None = None

    def cpu_seconds(self) -> float:
        """Return the CPU seconds of this process and of the server."""
        return time.process_time() + (cpu_seconds(self.pid) if self.pid else 0)


#: The engine in this process.
DUCKDB: Final = Engine("DuckDB")


def compare_engines(engines: Sequence[Engine]) -> dict[str, list[str]]:
    """Return the times of queries and insights by each engine, or its refusal, and its memory."""
    from django.conf import settings

    from records.facts.database import QueryTimeout
    from records.statistics.questions import Question
    from records.statistics.registry import FIGURES
    from records.statistics.selection import Selection
    from records.statistics.sums import QUERIES, SumsQuery, compute_sums

    figure = FIGURES["insights"]

    def sum_up(query: SumsQuery) -> object:
        return compute_sums(Selection(Question(RULESET)), query)

    tasks: dict[str, Callable[[], object]] = {
        name: partial(sum_up, query) for name, query in QUERIES.items()
    }
    for text in COMPARED:
        question, _faults = figure.parse(QueryDict(f"ruleset={RULESET}&{text}"))
        tasks[f"insights?{text}"] = partial(figure.answer, question)
    rows: dict[str, list[str]] = {name: [] for name in tasks}
    for engine in engines:
        settings.STATISTICS = engine.statistics
        for name, run in tasks.items():
            try:
                rows[name].append(str(time_task(run, engine)))
            except QueryTimeout as error:
                rows[name].append(str(error))
            print(f"{engine.name}: {name}: {rows[name][-1]}", file=sys.stderr)
        rows.setdefault("MB of the engine's process at most", []).append(
            f"{peak_memory(engine.pid or os.getpid()):,.0f}"
        )
    settings.STATISTICS = None
    return rows


def time_task(run: Callable[[], object], engine: Engine = DUCKDB) -> Times:
    """Return the median times of a task, nothing cached."""
    times = []
    for _ in range(RUNS):
        forget_responses()
        begun = engine.cpu_seconds(), time.perf_counter()
        run()
        times.append((engine.cpu_seconds() - begun[0], time.perf_counter() - begun[1]))
    core, clock = (statistics.median(column) * 1e3 for column in zip(*times, strict=True))
    return Times(core, clock)


def forget_responses() -> None:
    """Remove every cached response and all cached sums, for all processes."""
    from django.core.cache import caches

    caches["responses"].clear()


def time_queries() -> dict[str, Times]:
    """Return the times of each query by name."""
    from records.statistics.questions import Question
    from records.statistics.selection import Selection
    from records.statistics.sums import QUERIES, SumsQuery, compute_sums

    def time_query(query: SumsQuery, ruleset: str) -> Times:
        return time_task(lambda: compute_sums(Selection(Question(ruleset)), query))

    return {name: max(time_query(query, id) for id in RULESETS) for name, query in QUERIES.items()}


def time_responses(port: int, pid: int) -> Iterator[tuple[str, Times]]:
    """Yield the times of pages and responses, with nothing cached and from the cache."""

    def get(address: str, sender: int = 1) -> int:
        # On Linux all addresses of 127.0.0.0/8 exist; each is a separate sender.
        connection = HTTPConnection("127.0.0.1", port, source_address=(f"127.0.0.{sender}", 0))
        connection.request("GET", address.replace(" ", "%20"))
        response = connection.getresponse()
        response.read()
        connection.close()
        return response.status

    def time_requests(address: str, runs: int, prepare: Callable[[], object]) -> Times:
        before, clocks = cpu_seconds(pid), []
        for _ in range(runs):
            prepare()
            begun = time.perf_counter()
            assert get(address) == 200, address
            clocks.append(time.perf_counter() - begun)
        core = (cpu_seconds(pid) - before) / runs
        return Times(core * 1e3, statistics.median(clocks) * 1e3)

    for name, address in ADDRESSES.items():
        yield f"{name}, nothing cached", time_requests(address, RUNS, forget_responses)
        yield f"{name}, cached", time_requests(address, CACHED_RUNS, lambda: None)
    forget_responses()
    with ThreadPoolExecutor(READERS) as pool:
        addresses = [*ADDRESSES.values()] * 2
        statuses = set(pool.map(get, addresses, range(1, len(addresses) + 1)))
        assert statuses <= {200, 503}, statuses


def measure(base: Snapshot, size: int, port: int, pid: int) -> dict[str, str]:
    """Return all figures of an archive with ``size`` games, by name."""
    begun = time.perf_counter()
    multiply_facts(base, size)
    print(f"{size:,} games: {time.perf_counter() - begun:,.0f} s to write", file=sys.stderr)
    times = time_queries() | dict(time_responses(port, pid))
    figures = {name: str(value) for name, value in times.items()}
    figures["MB of the web process at most"] = f"{peak_memory(pid):,.0f}"
    for name, figure in figures.items():
        print(f"{size:,} games: {name}: {figure}", file=sys.stderr)
    return figures


def print_engines(base: Snapshot, sizes: Sequence[int]) -> None:
    """Print a table of engines for each size."""
    from django.conf import settings

    from hanaarchive.environment import parse_statistics

    for size in sizes:
        multiply_facts(base, size, [RULESET])
        with services.clickhouse_server(str(settings.VAR_DIR / "facts")) as server:
            engines = (
                DUCKDB,
                Engine(
                    "ClickHouse", parse_statistics(server.url, has_bucket=True), server.process.pid
                ),
            )
            rows = compare_engines(engines)
        head = [f"{size:,} games", *(engine.name for engine in engines)]
        print(table(head, [[name, *figures] for name, figures in rows.items()]))


def main() -> None:
    """Print the table for the sizes on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sizes", type=int, nargs="+", help="games, smallest first")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL and Redis")
    parser.add_argument("--engines", action="store_true", help="DuckDB and ClickHouse")
    arguments = parser.parse_args()
    # New parts count immediately, and queries are not interrupted on a busy machine.
    os.environ |= {"HANA_FACTS_SECONDS": "0", "HANA_FACTS_QUERY_SECONDS": "600"}
    with services.redis_server() as redis:
        # Both processes use this cache, and the benchmark empties it.
        os.environ["HANA_CACHE_URL"] = redis.url
        with temporary_archive(on_postgres=arguments.postgres):
            from records.facts.current import current_snapshot

            store_games()
            base = current_snapshot()
            if arguments.engines:
                print_engines(base, arguments.sizes)
                return
            with running() as (port, [pid]):
                columns = [measure(base, size, port, pid) for size in arguments.sizes]
    head = ["ms of a core / by the clock", *(f"{size:,}" for size in arguments.sizes)]
    print(table(head, [[name, *(column[name] for column in columns)] for name in columns[0]]))


if __name__ == "__main__":
    main()
