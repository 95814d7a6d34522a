"""Latency of the lists of a large archive: each filter alone and in pairs, orders, deep pages.

    python -m bench.browse [--games 1000000] [--postgres] [--keep DIRECTORY]

Some hundred simulated games go through the real pipeline, then SQL multiplies their rows, with
dates, players, events and verdicts of many kinds. On SQLite in a temporary directory, on the
database of DATABASE_URL, or on a PostgreSQL started for it. Prints p50 and p95 in ms: of all
database queries of a page, and of the whole page. All queries of a page should take 50 ms at most.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from itertools import cycle
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import django
from django.core.management import call_command

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate

SEEDS: Final = {
    **{"koikoi": 150, "hachihachi": 40, "hachihachi-bga": 30},
    **{"hanaawase": 50, "ten-five-one": 30},
}
#: A yaku of 3 % of the games, of which one ruleset gets 1 game in 120,000; and one of none.
RARE_YAKU, NO_YAKU = "goko", "tsukisante"
PLAYERS: Final = 5000
#: Rows of a statement that multiplies.
BATCH: Final = 100_000
RUNS: Final = 15


def games() -> str:
    """Return the games to multiply, as one file."""
    return "\n".join(
        write(simulate(rules, seed=seed, player=("sensible", "random")[seed % 2]))
        for rules, seeds in SEEDS.items()
        for seed in range(seeds)
    )


def mixed(salt: int) -> str:
    """Return SQL of a number from 0 to 2**31 - 2 that looks random, another one by row and salt."""
    step = f"((n + {salt}) * {48_271 + 2 * salt} % 2147483647)"
    return f"({step} * {step} % 2147483647)"


#: A day from 2003 on. Most games arrived in the order in which they were played.
DAY: Final = (
    f"CASE WHEN {mixed(1)} % 10 < 2 THEN 0 WHEN {mixed(1)} % 10 < 4"
    f" THEN 731000 + {mixed(2)} % 8000 ELSE 731000 + n * 8000 / {{count}} END"
)
#: Events of a season, events of all seasons, and one season of 3 % of all games.
EVENT: Final = (
    "CASE WHEN n % 20000 = 11 THEN 'rare cup'"
    f" WHEN n * 100 / {{count}} BETWEEN 5 AND 8 AND {mixed(3)} % 4 > 0 THEN 'old league'"
    f" WHEN {mixed(4)} % 100 < 50 THEN ''"
    " WHEN {mixed} % 100 < 80 THEN 'tournament ' || CAST(n * 300 / {count} AS varchar)"
    f" WHEN {{mixed}} % 100 < 95 THEN 'spring open ' || CAST({mixed(5)} % 1000 AS varchar)"
    " ELSE 'autumn meeting' END"
).replace("{mixed}", mixed(4))
STATUS: Final = (
    "CASE WHEN n % 50 = 1 THEN 'mismatch' WHEN n % 200 = 2 THEN 'illegal'"
    " WHEN n % 10000 = 4 THEN 'unfinished' ELSE status END"
)
#: Columns of the copies that differ from their model's, as SQL; ``n`` is the number of the copy.
RECORD: Final = {
    "id": "{first} + n",
    "key": "'X' || CAST(n AS varchar)",
    "identity": "'X' || CAST(n AS varchar)",
    "visibility": "CASE WHEN n % 20 = 0 THEN 1 ELSE 3 END",
    "change_id": "NULL",
    "text": "{nothing}",
    "verdict": "{nothing}",
    "event": EVENT,
    "status": STATUS,
    "sheet": "n % 30 = 9",
}
LISTING: Final = {
    **{name: RECORD[name] for name in ("visibility", "event", "status", "sheet")},
    "record_id": "{first} + n",
    "day_from": DAY,
    "day_to": DAY,
    "turns": f"turns + {mixed(6)} % 30",
    "best": f"CASE WHEN best < -1000000 THEN best ELSE best + {mixed(7)} % 60 END",
    "yaku": f"CASE WHEN n % 20000 = 3 THEN ' {RARE_YAKU}' || yaku ELSE yaku END",
}
#: The product of three numbers: few players have many games, and most have few.
SEAT: Final = {
    "record_id": "{first} + n",
    "player_id": (
        f"{{player}} + ({mixed(8)} + number * 7919) % 1000"
        f" * (({mixed(9)} + number * 104729) % 1000)"
        f" * (({mixed(10)} + number) % 1000) / 1000000 * {PLAYERS} / 1000"
    ),
}


def build(count: int) -> None:
    """Fill an empty archive with so many games."""
    # Models can be imported only now, when Django is set up.
    from django.apps import apps
    from django.db import connection

    from records.base.keys import player_key, searched
    from records.intake.receiving import Part, receive
    from records.models import ListedFeature, Listing, Player, Record, Seat
    from records.work.worker import work_off

    work_off(receive(parts=[Part("b.kafu", [games().encode()])], via="command"), lambda _: None)
    names = [f"Player {number}" for number in range(PLAYERS)]
    Player.objects.bulk_create(
        (
            Player(key=player_key(name), origin=player_key(name), name=name, folded=searched(name))
            for name in names
        ),
        batch_size=1000,
    )
    ListedFeature.objects.all().delete()
    models = list(Record.objects.order_by("pk").values_list("pk", flat=True))
    values = {
        "count": count,
        "first": models[-1],
        "player": Player.objects.get(name=names[0]).pk,
        "nothing": "CAST('' AS bytea)" if connection.vendor == "postgresql" else "x''",
    }
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE model (place bigint PRIMARY KEY, record_id bigint)")
        cursor.executemany("INSERT INTO model VALUES (%s, %s)", list(enumerate(models)))
    for start in range(0, count, BATCH):
        numbers = range(start + 1, min(start + BATCH, count) + 1)
        for model, changes, key in (
            (Record, RECORD, "id"),
            (Listing, LISTING, "record_id"),
            (Seat, SEAT, "record_id"),
        ):
            multiply(
                model,
                {name: sql.format_map(values) for name, sql in changes.items()},
                key,
                numbers,
                len(models),
            )
    import_module("records.migrations.0014_listed_features").fill(apps, None)
    finish()


def multiply(model: Any, changes: dict[str, str], key: str, numbers: range, models: int) -> None:
    """Insert copies of the models' rows of a table, with these columns changed."""
    from django.db import connection

    quote = connection.ops.quote_name
    columns = [
        field.column
        for field in model._meta.concrete_fields
        if not field.primary_key or field.column in changes
    ]
    values = ", ".join(changes.get(column, quote(column)) for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH RECURSIVE copy(n) AS (SELECT CAST({numbers[0]} AS bigint)"
            f" UNION ALL SELECT n + 1 FROM copy WHERE n < {numbers[-1]})"
            f" INSERT INTO {quote(model._meta.db_table)} ({', '.join(map(quote, columns))})"
            f" SELECT {values} FROM copy JOIN model ON place = {mixed(0)} % {models}"
            f" JOIN {quote(model._meta.db_table)} row ON row.{quote(key)} = model.record_id"
        )


def finish() -> None:
    """Count the games of players, and let PostgreSQL see what the tables contain."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE records_player SET games = (SELECT count(DISTINCT seat.record_id)"
            " FROM records_seat seat JOIN records_listing row ON row.record_id = seat.record_id"
            " WHERE seat.player_id = records_player.id AND row.visibility = 3)"
        )
        if connection.vendor == "postgresql":
            cursor.execute("VACUUM ANALYZE")


#: Filters by name. A pair of them is measured where it can have games.
FILTERS: Final[dict[str, dict[str, str]]] = {
    "ruleset of a sixth": {"ruleset": "hanaawase"},
    "profile, none": {"profile": "koikoi-ai"},
    "player, busy": {"player": "Player 0"},
    "player, rare": {"player": "Player 4000"},
    "event, many": {"event": "spring"},
    "event, old": {"event": "old league"},
    "event, some": {"event": "tournament 7"},
    "event, few": {"event": "rare"},
    "event, none": {"event": "championship"},
    "three years": {"from": "2010", "to": "2012"},
    "a day": {"from": "2015-05-05", "to": "2015-05-05"},
    "yaku, most": {"yaku": "kasu"},
    "yaku, some": {"yaku": "akatan"},
    "yaku, rare": {"yaku": RARE_YAKU},
    "yaku, few": {"yaku": RARE_YAKU, "ruleset": "ten-five-one"},
    "yaku, none": {"yaku": NO_YAKU},
    "grade": {"grade": "absolute"},
    "mismatch": {"status": "mismatch"},
    "unfinished": {"status": "unfinished"},
    "unsupported": {"status": "unsupported"},
    "sheets": {"form": "sheet"},
    "long": {"deals_min": "13", "turns_max": "150"},
    "score": {"score_min": "110", "score_max": "111"},
}
ORDERS: Final = ("newest", "oldest", "played", "longest", "score")


def queries() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield queries of the list by name: no filter, each filter in each order, pairs."""
    for order in ORDERS:
        yield f"all, {order}", {"sort": order}
    for name, query in FILTERS.items():
        for order in ORDERS:
            yield f"{name}, {order}", {**query, "sort": order}
    pairs = list(FILTERS.items())
    for place, (name, query) in enumerate(pairs):
        for other, added in pairs[place + 1 :]:
            if not query.keys() & added.keys():
                yield f"{name} + {other}", {**query, **added}
                yield f"{name} + {other}, played", {**query, **added, "sort": "played"}


def measure(runs: int, only: str) -> None:
    """Print the figures of every list, then those of whole pages."""
    from django.conf import settings
    from django.test import Client

    settings.ALLOWED_HOSTS = ["*"]
    client = Client()
    seconds = core_seconds()
    by_name: dict[str, list[float]] = {}

    def run(name: str, request: Callable[[], object]) -> None:
        if not re.search(only, name):
            return
        request()  # fills caches
        by_name[name] = []
        for _ in range(runs):
            begun = seconds()
            request()
            by_name[name].append(seconds() - begun)
        print(f"{name:44} {_figures(by_name[name])}", flush=True)

    for name, request in lists():
        run(name, request)
    for name, path in pages().items():
        run(name, partial(_get, client, path))
    slowest = {name: p95(times) for name, times in by_name.items()}
    over = sum(worst > 0.05 for worst in slowest.values())
    print(
        f"{len(slowest)} requests, {over} with a p95 above 50 ms;"
        f" the slowest {max(slowest.values()) * 1e3:.0f} ms"
    )


def core_seconds() -> Callable[[], float]:
    """Return a clock of the time that this process and its database connection had a core: other
    work of the machine does not count.
    """
    from django.db import connection

    if connection.vendor != "postgresql":
        return time.process_time
    with connection.cursor() as cursor:
        cursor.execute("SET max_parallel_workers_per_gather = 0")
        cursor.execute("SELECT pg_backend_pid()")
        backend = Path(f"/proc/{cursor.fetchone()[0]}/schedstat")
    return lambda: time.process_time() + int(backend.read_text().split()[0]) / 1e9


def _get(client: Any, path: str) -> None:
    # Nothing else makes each request another one for pages and API: no cached response is wanted.
    size = f"page_size={next(_SIZES)}" if path.startswith("/api/") else f"run={next(_SIZES)}"
    response = client.get(f"{path}{'&' if '?' in path else '?'}{size}")
    assert response.status_code == 200, (path, response.status_code)


_SIZES: Final = cycle(range(40, 200))


def lists() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what the page of games reads from the database, by name of the query."""
    from records.models import Listing
    from records.search.selection import SORTS

    for name, query in queries():
        yield name, partial(_read, query, {})
    chance = random.Random(2)
    total = Listing.objects.count()
    for order in ORDERS:
        ordered = Listing.objects.order_by(*SORTS[order]).filter(visibility=3)
        keys = ordered.values_list("record__key", flat=True)
        for way in ("after", "before"):
            key = keys[chance.randrange(total * 9 // 10)]
            yield f"deep, {order}, {way}", partial(_read, {"sort": order}, {way: key})


def pages() -> dict[str, str]:
    """Return paths of whole pages, by name."""
    from records.models import Player

    busy = Player.objects.get(name="Player 0")
    rare = Player.objects.filter(games__gt=0).earliest("games")
    return {
        "page of games": "/games/",
        "page of games, yaku and ruleset": "/games/?ruleset=koikoi&yaku=akatan&sort=score",
        "API, yaku by score": "/api/v1/records?yaku=akatan&sort=score",
        "API, yaku of few games": f"/api/v1/records?yaku={RARE_YAKU}&ruleset=ten-five-one",
        "feed, yaku of no game": f"/games/feed.atom?yaku={NO_YAKU}",
        "home": "/",
        f"page of a player of {busy.games:,} games": f"/players/{busy.key}/",
        f"page of a player of {rare.games:,} games": f"/players/{rare.key}/",
        "players": "/players/",
        "players by name": "/players/?q=49",
        "suggestions of players": "/players/suggest?q=play",
        "suggestions of events": "/events/suggest?q=tourn",
    }


def _read(query: dict[str, str], place: dict[str, str]) -> None:
    from dataclasses import replace

    from django.http import QueryDict

    from records.pages.lists.paging import page_of
    from records.search import filters
    from records.search.selection import SOUND, find

    selection, faults = filters.read(QueryDict(urlencode(query)))
    assert not faults, faults
    selection = replace(selection, status=selection.status or SOUND)
    listed = find(selection)
    listed.count()
    page_of(listed.rows, place, 50)


def p95(seconds: list[float]) -> float:
    """Return the 95th percentile."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]


def _figures(seconds: list[float]) -> str:
    return f"p50 {statistics.median(seconds) * 1e3:6.1f}  p95 {p95(seconds) * 1e3:6.1f} ms"


def main() -> None:
    """Build the archive, and print how fast it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=1_000_000, help="games of the archive")
    parser.add_argument("--runs", type=int, default=RUNS, help="times that each page is requested")
    parser.add_argument("--only", default="", help="requests whose name matches this")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL")
    parser.add_argument("--keep", help="a directory for SQLite's archive, used again if it is one")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        var = arguments.keep or stack.enter_context(tempfile.TemporaryDirectory())
        os.environ |= {"HANA_ENV": "development", "HANA_VAR": var, "HANA_LOG_LEVEL": "WARNING"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "hanaarchive.settings"
        if arguments.postgres:
            from tests.services import postgres_server

            server = stack.enter_context(postgres_server())
            os.environ["DATABASE_URL"] = server.url(server.create())
        django.setup()
        from django.db import connections

        from records.models import Listing

        begun = time.perf_counter()
        call_command("migrate", verbosity=0)
        print(f"migrated in {time.perf_counter() - begun:,.0f} s", flush=True)
        if not Listing.objects.exists():
            begun = time.perf_counter()
            build(arguments.games)
            print(
                f"{arguments.games:,} games built in {time.perf_counter() - begun:,.0f} s",
                flush=True,
            )
        measure(arguments.runs, arguments.only)
        connections.close_all()


if __name__ == "__main__":
    main()
