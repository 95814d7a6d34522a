"""Speed of statistics over facts, depending on the number of games.

    python -m bench.facts 2000 100000 1000000

Some simulated games go through the real pipeline, on SQLite in a temporary directory. Their facts
are multiplied: parts with shifted ids of games are written, of `PART` games each, as compaction
leaves them. Prints a table in Markdown: ms of a core for every query of figures over one ruleset
with nothing cached, for queries about a player with a tenth of all games, and for pages and
responses.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial
from typing import Any, Final

#: Different games of each ruleset, and games of a part.
DIFFERENT: Final = 200
PART: Final = 10_000
PLAYERS: Final = 60
BUSY: Final = "Busy"
RUNS: Final = 5
#: The ruleset that is measured; another where that has no such facts.
RULESET: Final = "koikoi"
OTHERS: Final = {"grades": "hachihachi", "hatto": "hachihachi"}


def simulate_texts(ruleset: str) -> Iterator[str]:
    """Yield games of a ruleset; one player sits in a tenth of them."""
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
    from kafu.rules.rulesets import RULESETS
    from records.intake.receiving import Part, receive
    from records.work.worker import work_off

    text = "\n".join(text for ruleset in RULESETS for text in simulate_texts(ruleset))
    work_off(receive(parts=[Part("games.kafu", [text.encode()])], via="command"), lambda _: None)


def multiply_facts(size: int) -> None:
    """Replace all parts by copies of the facts of the different games, ``size`` games together."""
    from django.core.cache import cache
    from django.db.models import Max

    from kafu.rules.rulesets import RULESETS
    from records.facts.snapshot import current_snapshot
    from records.models import FactPart, Record

    base = current_snapshot()
    old = list(FactPart.objects.values_list("pk", flat=True))
    last = Record.objects.aggregate(last=Max("pk"))["last"]
    for ruleset in RULESETS:
        copies = size // len(RULESETS) // DIFFERENT
        for first in range(0, copies, PART // DIFFERENT):
            numbers = range(first, min(copies, first + PART // DIFFERENT))
            write_copies(base, ruleset, numbers, last)
    FactPart.objects.filter(pk__in=old).delete()
    cache.clear()


def write_copies(base: Any, ruleset: str, numbers: range, last: int) -> None:
    """Write a part with copies of the facts of a ruleset, their games shifted by ``last`` each."""
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


def time_call(call: Callable[[], object], runs: int = RUNS) -> float:
    """Return the median time of a core that a call takes, in ms.

    Time by the clock depends on what else the machine does.
    """
    times = []
    for _ in range(runs):
        begun = time.process_time()
        call()
        times.append(1e3 * (time.process_time() - begun))
    return statistics.median(times)


def forget_responses() -> None:
    """Remove every cached response and all cached sums."""
    from django.core.cache import caches

    caches["responses"].clear()


def time_queries() -> dict[str, float]:
    """Return the ms of each query, by its name."""
    from records.statistics.questions import Question
    from records.statistics.registry import FIGURES
    from records.statistics.selection import Selection
    from records.statistics.sums import QUERIES, compute_sums

    times = {}
    for name, query in QUERIES.items():
        whole = Selection(Question(OTHERS.get(name, RULESET)))
        times[f"{name}, one ruleset"] = time_call(partial(compute_sums, whole, query))
    for name in ("games", "deals", "cards", "choices", "yaku", "openings"):
        query = QUERIES[name]
        player = Selection(Question(RULESET, player=BUSY))
        times[f"{name}, a player with a tenth of all games"] = time_call(
            partial(compute_sums, player, query)
        )
    figure = FIGURES["decisions"]
    for words, name in (("one ruleset", ""), ("a player with a tenth of all games", BUSY)):
        question = figure.question({"by": "yaku,left,opp"}, ruleset=RULESET, player=name)
        compute = partial(figure.compute, question, figure.gather(question))
        times[f"decisions, {words}"] = time_call(compute)
    last = Selection(Question(RULESET, player=BUSY, last=1000))
    times["cards, the player's last 1,000 games"] = time_call(
        lambda: compute_sums(last, QUERIES["cards"])
    )
    return times


def time_responses() -> dict[str, float]:
    """Return the ms of pages and responses, with nothing cached and from the cache."""
    from django.test import Client

    client: Any = Client()
    pages = {
        "page of a ruleset": f"/statistics/{RULESET}/",
        "page of a player": f"/statistics/{RULESET}/?player={BUSY}",
        "overview": "/statistics/",
        "API: cards": f"/api/v1/statistics/cards?ruleset={RULESET}",
        "API: seats": f"/api/v1/statistics/seats?ruleset={RULESET}",
    }
    times = {}
    for name, address in pages.items():

        def respond(address: str = address) -> None:
            response = client.get(address)
            assert response.status_code == 200, (address, response.content)

        def respond_anew(address: str = address) -> None:
            forget_responses()
            respond(address)

        respond()
        times[f"{name}, nothing cached"] = time_call(respond_anew)
        times[f"{name}, cached"] = time_call(respond)
    return times


def measure(size: int) -> dict[str, float]:
    """Return all times of an archive of this many games, in ms."""
    begun = time.perf_counter()
    multiply_facts(size)
    print(f"{size:,} games: {time.perf_counter() - begun:,.0f} s to write", file=sys.stderr)
    times = time_queries() | time_responses()
    for name, value in times.items():
        print(f"{size:,} games: {name}: {value:,.1f}", file=sys.stderr)
    return times


def main() -> None:
    """Print the table of the sizes on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sizes", type=int, nargs="+", help="games, smallest first")
    sizes = parser.parse_args().sizes
    with tempfile.TemporaryDirectory(prefix="hana-bench-") as var:
        os.environ |= {
            "HANA_ENV": "development",
            "HANA_VAR": var,
            "HANA_LOG_LEVEL": "WARNING",
            "HANA_RATES": "read=1000000/60,work=100000000/60",
            "HANA_FACTS_SECONDS": "0",
            "DJANGO_SETTINGS_MODULE": "hanaarchive.settings",
        }
        import django
        from django.conf import settings
        from django.core.management import call_command

        django.setup()
        settings.ALLOWED_HOSTS = ["*"]
        call_command("migrate", verbosity=0)
        store_games()
        columns = [measure(size) for size in sizes]
    print("| |" + "".join(f" {size:,} |" for size in sizes))
    print("|---|" + "---:|" * len(sizes))
    for name in columns[0]:
        print(f"| {name} |" + "".join(f" {column[name]:,.1f} |" for column in columns))


if __name__ == "__main__":
    main()
