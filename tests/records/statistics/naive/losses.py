"""Choices and luck, from the reports of analyses: choice by choice, deal by deal."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import identity
from kafu.rules.rulesets import RULESETS
from records.models import Analysis, Record
from records.services.analyses import store_report
from tests.records.statistics.naive.estimates import Row, mean_of_deals, rate_of_deals
from tests.records.statistics.naive.games import GOES_ON, PlainGame
from tests.records.statistics.naive.selected import Selected

KINDS = ("hand", "stock", "say", "bid", "show")
#: The direction of a word or bid with a loss; another word has none.
DIRECTIONS = {
    "say": dict.fromkeys(GOES_ON, "careful") | dict.fromkeys(GOES_ON.values(), "bold"),
    "bid": {"in": "bold", "blind": "bold", "out": "careful", "-": "careful"},
}
PARTS = ("start", "deal", "stock", "own", "others", "rest")


def analysed(record: Record, seats: int, chance: Random) -> None:
    """Store a report of random choices and deals, some of them without an analysis."""
    words = {"say": (*(RULESETS[record.ruleset].choice or ()), "menjo"), "bid": DIRECTIONS["bid"]}
    choices: list[dict[str, Any]] = [
        {
            "deal": chance.randint(1, record.deals_played or 1),
            "seat": chance.randint(1, seats),
            "kind": (kind := chance.choice(KINDS)),
            "played": chance.choice([*words.get(kind, ("AxC", "-"))]),
            "loss": chance.choice((0.0, round(chance.expovariate(0.5), 3))),
            "costly": chance.random() < 0.2,
            "reason": "" if chance.random() < 0.9 else "hand",
            "options": [],
        }
        for _ in range(chance.randint(1, 30))
    ]
    deals = [
        {"deal": number, "parts": _draw_parts(seats, chance) if chance.random() < 0.8 else None}
        for number in range(1, (record.deals_played or 1) + 1)
    ]
    store_report(record, 1, {"rules": record.ruleset, "choices": choices, "deals": deals})


def _draw_parts(seats: int, chance: Random) -> dict[str, dict[str, list[float]]]:
    return {
        part: {
            "value": [round(chance.gauss(0, 9), 3) for _ in range(seats)],
            "error": [round(chance.expovariate(1), 3) for _ in range(seats)],
        }
        for part in PARTS
    }


def report_of(plain_game: PlainGame) -> Mapping[str, Any] | None:
    """Return the report of a game, if analysed."""
    analysis = Analysis.objects.filter(record__identity=_identity(plain_game.text)).first()
    return None if analysis is None else analysis.found


@cache
def _identity(text: str) -> str:
    """Return the identity of the stored game, which has the defaults omitted in the text."""
    game = verify(read(text)).game
    assert game is not None
    return identity(game)


def losses(selected: Selected) -> list[Row]:
    """Return a row for all choices, and a row for each kind."""
    deals_by_kind: dict[str, dict[tuple[int, int], list[Mapping[str, Any]]]] = {}
    for number, (plain_game, seats) in enumerate(selected.games):
        report = report_of(plain_game)
        for choice in report["choices"] if report else ():
            if choice["seat"] in seats and not choice["reason"]:
                for kind in ("all", choice["kind"]):
                    deals = deals_by_kind.setdefault(kind, {})
                    deals.setdefault((number, choice["deal"]), []).append(choice)
    rows = []
    for kind, deals in deals_by_kind.items():
        costly = [[choice["costly"] for choice in choices] for choices in deals.values()]
        row: Row = {"kind": kind, "n": sum(map(len, costly)), "costly": sum(map(sum, costly))}
        row |= rate_of_deals("rate", costly)
        values = mean_of_deals(
            "loss",
            [[round(1000 * choice["loss"]) for choice in choices] for choices in deals.values()],
        )
        row |= {name: None if number is None else number / 1000 for name, number in values.items()}
        rows.append(row)
    return rows
