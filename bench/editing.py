"""How long an editor waits for the archive: people write games down at once, a card a second each.

    python -m bench.editing [--editors 20] [--seconds 30] [--pause 1.0] [--postgres] [--json]

One process of the web server over the sample games. Each request of `POST /api/v1/positions` is a
record of its own, of any ruleset, at any place between its first deal and its end, with the next
action. The editors are one more process on the same machine.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from random import Random
from typing import Final

from bench import figures
from bench.figures import Figure, Ratio, Row
from bench.processes import cpu_seconds
from bench.serving import Crowd, answer, site
from kafu.editing.changes import take_back, whole
from kafu.editing.table_at import table_at
from kafu.editing.walked import walk
from kafu.notation.vocabulary import RULES
from kafu.simulation.simulate import simulate

#: Different records that are written at.
RECORDS: Final = 200
#: Milliseconds at the 95th percentile, at most.
MOST: Final = 50.0


def requests(count: int) -> list[bytes]:
    """So many requests, the rulesets in turn."""
    random = Random(16)
    found: list[bytes] = []
    while len(found) < count:
        rules = list(RULES)[len(found) % len(RULES)]
        played = walk(simulate(rules, seed=random.randrange(10**6)))
        deal = random.randint(1, len(played.deals))
        step = random.randrange(len(played.deals[deal - 1]))
        before = take_back(played, deal, step)
        table = table_at(before, *before.last)
        if table is None or not table.moves:
            continue
        text, half = whole(before)
        fields = {"kafu": text, "do": [half, random.choice(table.moves).written][not half :]}
        body = json.dumps(fields).encode()
        head = (
            "POST /api/v1/positions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        found.append(head.encode() + body)
    return found


def measure(
    editors: int, seconds: float, pause: float, *, postgres: bool = False
) -> Iterator[Figure]:
    """One row, and what is aimed at."""
    wanted = requests(RECORDS)
    with site(postgres) as (port, pid, _keys):
        for one in wanted[: len(RULES)]:
            status, _, body = answer(port, one)
            assert status == 200, body
        crowd = Crowd(port, wanted, 200, interval=pause)
        before, began = cpu_seconds(pid), time.perf_counter()
        found = crowd.read(editors, seconds)
        took, worked = time.perf_counter() - began, cpu_seconds(pid) - before
    assert not found.wrong, f"{found.wrong} other answers"
    count = len(found.times)
    p95 = found.quantile(0.95)
    values = {
        "answers/s": count / took,
        "p50 ms": found.quantile(0.5),
        "p95 ms": p95,
        "ms of a core": worked / count * 1000,
    }
    yield Row("Editing, one web process", f"{editors} editors, every {pause:g} s", values)
    yield Ratio(f"positions, {editors} editors: p95 ms", p95, MOST, most=True)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--editors", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two cards")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL and Redis")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each figure")
    given = parser.parse_args()
    found = measure(given.editors, given.seconds, given.pause, postgres=given.postgres)
    figures.publish(found, as_json=given.json)


if __name__ == "__main__":
    main()
