"""What choices cost, from the reports of analyses: choice by choice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import identity
from records.models import Analysis, Record
from records.services.analyses import store_report
from tests.records.statistics.naive.asked import Asked
from tests.records.statistics.naive.estimates import Row, mean, rate
from tests.records.statistics.naive.games import Seen

KINDS = ("hand", "stock", "say", "bid", "show")


def analysed(record: Record, seats: int, chance: Random) -> None:
    """Keep a report of choices by chance, among them some that could not be analysed."""
    choices: list[dict[str, Any]] = [
        {
            "deal": chance.randint(1, record.deals_played or 1),
            "seat": chance.randint(1, seats),
            "kind": chance.choice(KINDS),
            "loss": chance.choice((0.0, round(chance.expovariate(0.5), 3))),
            "costly": chance.random() < 0.2,
            "reason": "" if chance.random() < 0.9 else "hand",
        }
        for _ in range(chance.randint(1, 30))
    ]
    store_report(record, 1, {"choices": choices})


def report_of(seen: Seen) -> Mapping[str, Any] | None:
    """The report of a game, if it was analysed."""
    kept = Analysis.objects.filter(record__identity=_identity(seen.text)).first()
    return None if kept is None else kept.found


@cache
def _identity(text: str) -> str:
    """That of the game as it is stored: what the text left unsaid is in it."""
    game = verify(read(text)).game
    assert game is not None
    return identity(game)


def losses(asked: Asked) -> list[Row]:
    """A row for all choices, and one for each kind that there is."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for seen, seats in asked.games:
        report = report_of(seen)
        for choice in report["choices"] if report else ():
            if choice["seat"] in seats and not choice["reason"]:
                for kind in ("all", choice["kind"]):
                    found.setdefault(kind, []).append(choice)
    rows = []
    for kind, choices in found.items():
        costly = sum(choice["costly"] for choice in choices)
        row: Row = {"kind": kind, "n": len(choices), "costly": costly}
        row |= rate("rate", costly, len(choices))
        values = mean("loss", [round(1000 * choice["loss"]) for choice in choices])
        row |= {name: None if one is None else one / 1000 for name, one in values.items()}
        rows.append(row)
    return rows
