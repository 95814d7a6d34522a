"""Games with the same situation: bytes a game of the fact table, and how fast a query is.

    python -m bench.situations [--games 100000] [--distinct 2000] [--runs 200]

The rows of some simulated koi-koi games are multiplied and written in parts of `PART` games. A
situation that occurs once among the simulated games is another one in each copy, else it would
have as many places as there are copies. A query counts the choices and lists a page of places; a
hundred games are hidden.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime

import django

from kafu.comparing.situations import Compared, Match
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate

RULESET = "koikoi"
#: Games of a part.
PART = 50_000
HIDDEN = 100

#: The rows of all simulated games, numbered from ``$first`` on.
COPY_ROWS = """
    SELECT
        game + $first AS game,
        revision, ruleset,
        CASE WHEN cases > 1 OR stop <> 0 OR $first = 0 THEN key
            ELSE (hash(key, $first) >> 17)::BIGINT END AS key,
        * EXCLUDE (game, revision, ruleset, key, cases)
    FROM (SELECT *, count(*) OVER (PARTITION BY key) AS cases FROM base)
"""


def build(distinct: int, count: int) -> tuple[list[str], list[list[Compared]], int]:
    """Write parts of so many games; return their names, the simulated games and the bytes."""
    # These need Django to be set up.
    from kafu.judging.verify import verify
    from kafu.notation.reading.reader import read
    from records.facts.database import open_cursor
    from records.facts.parts import add_file, begin_part, select_typed
    from records.facts.rows import GameInfo, RowBatch, collect_rows
    from records.facts.tables import TABLES
    from records.statistics.situations import compare_text

    texts = [write(simulate(RULESET, seed=seed)) for seed in range(distinct)]
    batch = RowBatch(RULESET)
    for game, text in enumerate(texts):
        rows = collect_rows(verify(read(text), facts=True))
        assert rows is not None, "simulated games count"
        info = GameInfo(game, 0, RULESET, "", False, (1, 2), None, None, 0, None)
        batch.add(info, rows)
    columns = dict(batch.tables())["situations"]
    print(f"situations a game: {len(columns['game']) / distinct:.1f}", flush=True)
    names, size, table = [], 0, TABLES["situations"]
    with open_cursor(3600) as cursor:
        cursor.register("rows", columns)
        cursor.execute(f"CREATE TEMP TABLE base AS {select_typed(table)}")
        for part in range(0, count, PART):
            copies = [
                COPY_ROWS.replace("$first", str(first))
                for first in range(part, min(part + PART, count), distinct)
            ]
            row = begin_part(RULESET)
            order = ", ".join(table.sort)
            select = f"SELECT * FROM ({' UNION ALL '.join(copies)}) ORDER BY {order}"
            add_file(row, cursor, "situations", select)
            names.append(row.name)
            size += row.size
    return names, [compare_text(text) for text in texts], size


def measure(names: Sequence[str], games: Sequence[Sequence[Compared]], runs: int) -> None:
    """Print how long queries take, by what is compared and how much of it."""
    from django.conf import settings

    from records.facts.snapshot import Snapshot
    from records.statistics.situations import SituationQuery

    settings.FACTS_QUERY_SECONDS = 600
    parts = tuple((RULESET, name, frozenset(("situations",))) for name in names)
    hidden = tuple((game, 0) for game in range(HIDDEN))
    snapshot = Snapshot(parts, hidden, datetime.now(UTC), "bench")
    chance = random.Random(1)
    times: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    most: defaultdict[str, int] = defaultdict(int)
    for run in range(runs + 1):
        for compared in chance.sample(chance.choice(games), 6):
            kind = compared.situation.kind.name.lower()
            for match in Match if compared.decisive else (Match.EXACT,):
                query = SituationQuery(compared, RULESET, match, snapshot)
                begun = time.perf_counter(), time.process_time()
                counts = query.count()
                query.list_places(20)
                if run:  # the first one reads the metadata of the files
                    name = f"{kind} {match}" if compared.decisive else kind
                    taken = time.perf_counter() - begun[0], time.process_time() - begun[1]
                    times[name].append(taken)
                    most[name] = max(most[name], counts.cases)
    for name, rows in sorted(times.items()):
        clock, core = (describe_times(column) for column in zip(*rows, strict=True))
        print(f"{name:16} by the clock {clock}   of cores {core}   most cases {most[name]:,}")


def describe_times(seconds: Sequence[float]) -> str:
    """Return quantiles of times in milliseconds as text."""
    ordered = sorted(seconds)
    shown = (ordered[int(of * (len(ordered) - 1))] * 1e3 for of in (0.5, 0.95, 1))
    return "p50 {:.0f} p95 {:.0f} longest {:.0f} ms".format(*shown)


def main() -> None:
    """Write the parts and print what they cost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=100_000, help="games of the archive")
    parser.add_argument("--distinct", type=int, default=2_000, help="simulated ones among them")
    parser.add_argument("--runs", type=int, default=200, help="games with queries")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as var:
        os.environ |= {"HANA_ENV": "development", "HANA_VAR": var, "HANA_LOG_LEVEL": "WARNING"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "hanaarchive.settings"
        django.setup()
        names, games, size = build(arguments.distinct, arguments.games)
        print(f"{size / arguments.games:,.0f} bytes a game in {len(names)} parts", flush=True)
        measure(names, games, arguments.runs)


if __name__ == "__main__":
    main()
