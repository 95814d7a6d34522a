"""Speed of the lists of a large archive: every filter and order, deep pages, players.

    python -m bench.browse [--games 100000] [--postgres] [--keep DIRECTORY]

Some hundred simulated games go through the real pipeline, then their rows are multiplied, with
dates, players and events of many kinds. On SQLite in a temporary directory, or on a PostgreSQL
started for it. Prints p50 and p95 in ms of whole pages, with their database queries. A page should
take less than 200 ms, its queries less than 100.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate

SEEDS = {"koikoi": 60, "hachihachi": 15, "hachihachi-bga": 10, "hanaawase": 15, "ten-five-one": 10}
#: One game in ten is the busiest player's.
BUSY, RARE = "Busy", "Player 4990"
PLAYERS, EVENTS = 5000, 300
BATCH = 1000
RUNS = 15


def games() -> str:
    """The games to multiply, as one file."""
    texts = []
    for rules, seeds in SEEDS.items():
        for seed in range(seeds):
            texts.append(write(simulate(rules, seed=seed, player=("sensible", "random")[seed % 2])))
    return "\n".join(texts)


def build(count: int) -> None:
    """Fill an empty archive with so many games."""
    # Models can be imported only now, when Django is set up.
    from django.db import connection, transaction
    from django.db.models import Count

    from records.base.keys import player_key, searched
    from records.intake.receiving import Part, receive
    from records.models import Listing, Player, Record, Seat
    from records.work.worker import work_off

    work_off(receive(parts=[Part("b.kafu", [games().encode()])], via="command"), lambda _: None)
    models = list(Record.objects.select_related("listing").prefetch_related("seats"))
    chance = random.Random(1)
    names = [BUSY, *(f"Player {number}" for number in range(1, PLAYERS))]
    Player.objects.bulk_create(
        (
            Player(key=player_key(name), origin=player_key(name), name=name, folded=searched(name))
            for name in names
        ),
        batch_size=BATCH,
    )
    keys = dict(Player.objects.values_list("name", "pk"))
    weights = [1 / (3 + place) for place in range(1, PLAYERS)]
    made = len(models)
    while made < count:
        size = min(BATCH, count - made)
        with transaction.atomic():
            pairs = [(_copy(chance.choice(models), chance), chance) for _ in range(size)]
            Record.objects.bulk_create([record for (record, *_), _ in pairs])
            listings, seats = [], []
            for (record, listing, own), _ in pairs:
                listing.record_id = record.pk
                listings.append(listing)
                who = chance.choices(names[1:], weights, k=len(own))
                if chance.random() < 0.1:
                    who[chance.randrange(len(who))] = BUSY
                for seat, name in zip(own, who, strict=True):
                    seat.record_id, seat.name, seat.player_id = record.pk, name, keys[name]
                    seats.append(seat)
            Listing.objects.bulk_create(listings, batch_size=BATCH)
            Seat.objects.bulk_create(seats, batch_size=BATCH)
        made += size
    players = list(Player.objects.annotate(count=Count("seats__record", distinct=True)))
    for player in players:
        player.games = player.count
    Player.objects.bulk_update(players, ["games"], batch_size=BATCH)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def _copy(model: Any, chance: random.Random) -> tuple[Any, Any, list[Any]]:
    """Another game like this one: its record, listing and seats, not saved yet."""
    from records.base.keys import fold, record_key
    from records.models import Listing, Record, Seat

    day = date.fromordinal(date(1990, 1, 1).toordinal() + chance.randrange(13_000))
    dated = chance.random() < 0.8
    event = f"Tournament {int(EVENTS * chance.random() ** 2)} of the club" * (chance.random() < 0.7)
    identity = hashlib.sha256(chance.randbytes(16)).hexdigest()
    changes: dict[str, Any] = {
        "id": None,
        "identity": identity,
        "key": record_key(identity),
        "event": event,
        "date": day.isoformat() if dated else "",
        "date_from": day if dated else None,
        "date_to": day if dated else None,
    }
    record = Record(**_values(model) | changes)
    number = day.toordinal() if dated else 0
    own = {"event": fold(event), "day_from": number, "day_to": number}
    own["best"] = model.listing.best + chance.randrange(-30, 30)
    listing = Listing(**_values(model.listing) | own)
    seats = [Seat(**_values(seat) | {"id": None}) for seat in model.seats.all()]
    return record, listing, seats


def _values(row: Any) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


#: Name -> what follows ``/games/``.
LISTS = {
    "all, newest": "",
    "all, oldest": "?sort=oldest",
    "all, played": "?sort=played",
    "all, longest": "?sort=longest",
    "all, score": "?sort=score",
    "ruleset": "?ruleset=ten-five-one",
    "ruleset and order": "?ruleset=hanaawase&sort=score",
    "status": "?status=verified",
    "status, none": "?status=illegal",
    "profile, none": "?profile=koikoi-ai&sort=longest",
    "player of 10 %": f"?player={BUSY}",
    "the same, score": f"?player={BUSY}&sort=score",
    "the same, played": f"?player={BUSY}&sort=played&ruleset=koikoi",
    "rare player": f"?player={RARE.replace(' ', '+')}",
    "two players": f"?player={BUSY}&player=Player+1&sort=score",
    "two rare players": "?player=Player+4000&player=Player+4001",
    "event": "?event=tournament+7",
    "event, order": "?event=tournament+250&sort=longest",
    "event, none": "?event=championship",
    "dates": "?from=1999&to=2001",
    "one day": "?from=2001-05-05&to=2001-05-05&sort=score",
    "yaku, common": "?yaku=kasu",
    "yaku, rare": "?yaku=goko&sort=played",
    "yaku, none": "?yaku=tsukisante&sort=score",
    "grade": "?grade=absolute&sort=score",
    "sheets, none": "?form=sheet&sort=played",
    "length": "?deals_min=13&turns_max=150",
    "score span": "?score_min=60&score_max=61&sort=longest",
    "everything": (
        f"?player={BUSY}&ruleset=koikoi&yaku=akatan&from=1995&to=2020&deals_min=12"
        "&score_min=40&status=verified&event=tournament&sort=score"
    ),
}
ORDERS = ("newest", "oldest", "played", "longest", "score")


def measure(runs: int) -> None:
    """Print the figures of every page."""
    from django.conf import settings
    from django.db import connection
    from django.test import Client

    from records.models import Listing, Player
    from records.search.selection import SORTS

    settings.ALLOWED_HOSTS = ["*"]
    client = Client()
    times: list[float] = []

    def timed(execute: Any, *arguments: Any) -> Any:
        begun = time.perf_counter()
        found = execute(*arguments)
        times.append(time.perf_counter() - begun)
        return found

    def pages(name: str, address: Callable[[], str]) -> None:
        whole, questions = [], []
        for run in range(runs + 1):
            url = address()
            times.clear()
            begun = time.perf_counter()
            with connection.execute_wrapper(timed):
                response = client.get(url)
            took = time.perf_counter() - begun
            assert response.status_code == 200, (url, response.status_code)
            if run:  # the first fills caches and templates
                whole.append(took)
                questions.append(max(times, default=0.0))
        print(
            f"{name:28} page {_figures(whole)}   slowest question {_figures(questions)}", flush=True
        )

    for name, query in LISTS.items():
        pages(name, partial("/games/{}".format, query))
    chance = random.Random(2)
    total = Listing.objects.count()
    for order in ORDERS:
        ordered = Listing.objects.order_by(*SORTS[order]).values_list("record__key", flat=True)
        for way in ("after", "before"):
            places = [ordered[place] for place in chance.choices(range(total), k=runs + 1)]
            pages(f"deep, {order}, {way}", _deep(order, way, iter(places)))
    pages("API, yaku by score", lambda: "/api/v1/records?yaku=akatan&sort=score")
    busy = Player.objects.get(name=BUSY)
    pages(f"player of {busy.games:,} games", lambda: f"/players/{busy.key}/")
    rare = Player.objects.filter(games__gt=0).earliest("games")
    pages(f"player of {rare.games:,} games", lambda: f"/players/{rare.key}/")
    pages("players", lambda: "/players/")
    pages("players by name", lambda: "/players/?q=49")
    pages("suggestions of players", lambda: "/players/suggest?q=play")
    pages("suggestions of events", lambda: "/events/suggest?q=tourn")


def _deep(order: str, way: str, places: Iterator[str]) -> Callable[[], str]:
    """Addresses of one page after another, each at the next of the places (games' keys)."""
    return lambda: f"/games/?sort={order}&{way}={next(places)}"


def _figures(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return f"p50 {statistics.median(ordered) * 1e3:6.1f}  p95 {p95 * 1e3:6.1f} ms"


def main() -> None:
    """Build the archive, and print how fast it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=100_000, help="games of the archive")
    parser.add_argument("--runs", type=int, default=RUNS, help="times that each page is asked for")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL")
    parser.add_argument("--keep", help="a directory for SQLite's archive, used again if it is one")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        var = arguments.keep or stack.enter_context(tempfile.TemporaryDirectory())
        built = (Path(var) / "hana.sqlite3").exists()
        os.environ |= {"HANA_ENV": "development", "HANA_VAR": var, "HANA_LOG_LEVEL": "WARNING"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "hanaarchive.settings"
        if arguments.postgres:
            from tests.services import postgres_server

            server = stack.enter_context(postgres_server())
            os.environ["DATABASE_URL"] = server.url(server.create())
            built = False
        django.setup()
        if not built:
            call_command("migrate", verbosity=0)
            begun = time.perf_counter()
            build(arguments.games)
            print(f"{arguments.games:,} games built in {time.perf_counter() - begun:,.0f} s")
        measure(arguments.runs)
        from django.db import connections

        connections.close_all()


if __name__ == "__main__":
    main()
