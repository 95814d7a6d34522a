"""The score of a game by months, from its verdict: what each deal gave, and the running sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kafu.rules.rulesets import RULESETS
from records.base import labels


@dataclass(frozen=True, slots=True)
class LineView:
    """A line of a deal's ledger: the yaku, and who got or paid what."""

    label: str
    amounts: list[tuple[str, int]]
    void: bool


@dataclass(frozen=True, slots=True)
class DealRow:
    """One deal of the table; ``totals`` are the sums up to and with it."""

    number: int
    month: str
    plant: str
    dealer: str
    end: str
    ledger: list[LineView]
    score: list[int]
    totals: list[int]


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """All deals, and the settlement: ``prizes`` is what it adds to the last totals (吟味).

    Sums are in the small unit; ``units`` are theirs.
    """

    players: list[str]
    deals: list[DealRow]
    totals: list[int]
    prizes: list[int] | None
    final: list[int] | None
    units: labels.Units | None


def score_table(verdict: Mapping[str, Any], players: Sequence[str]) -> ScoreTable:
    """The table of a verdict (the object of verdict.md)."""
    totals = [0] * len(players)
    rows = []
    for number, deal in enumerate(verdict["deals"], start=1):
        totals = [total + score for total, score in zip(totals, deal["score"], strict=True)]
        rows.append(
            DealRow(
                number=number,
                month=labels.month(deal["month"]),
                plant=labels.plant(deal["month"]),
                dealer=players[deal["dealer"] - 1],
                end=labels.end(deal["end"]),
                ledger=[_line(line, players) for line in deal["ledger"]],
                score=list(deal["score"]),
                totals=totals,
            )
        )
    final = verdict["final"]
    # A settlement in the unit of the totals adds a prize; one in another unit is shown by itself.
    prizes = None
    unit = RULESETS[verdict["rules"]].final_unit if final is not None else 1
    if final is not None and unit == 1:
        found = [end - total for end, total in zip(final, totals, strict=True)]
        prizes = found if any(found) else None
    elif final is not None:
        final = [unit * sum_ for sum_ in final]
    units = labels.units(verdict["rules"])
    return ScoreTable(list(players), rows, totals, prizes, final, units)


def _line(line: Mapping[str, Any], players: Sequence[str]) -> LineView:
    amounts = [
        (name, amount) for name, amount in zip(players, line["amounts"], strict=True) if amount
    ]
    return LineView(labels.yaku(line["label"]), amounts, line["void"])
