"""The score table of a game: results of each deal, running sums and settlement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kafu.notation.game import Game
from kafu.rules.rulesets import RULESETS
from kafu.settlement_steps import compute_steps
from records.base import labels


@dataclass(frozen=True, slots=True)
class LineView:
    """A line of a deal's ledger: the yaku, and the amounts of the players."""

    label: str
    amounts: list[tuple[str, int]]
    void: bool


@dataclass(frozen=True, slots=True)
class DealRow:
    """A deal of the table. ``totals`` are the sums including the deal."""

    number: int
    month: str
    plant: str
    dealer: str
    end: str
    ledger: list[LineView]
    score: list[int]
    totals: list[int]


@dataclass(frozen=True, slots=True)
class StepRow:
    """A step of the settlement: the amount and the new sum of each player."""

    name: str
    cells: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """The table: deals, totals, and the settlement ``steps`` to the final result (S11).

    Sums are in the small unit, ``units`` names the units. ``dealer`` is the word for the dealer.
    """

    dealer: str
    players: list[str]
    deals: list[DealRow]
    totals: list[int]
    steps: list[StepRow]
    final: list[int] | None
    units: labels.Units | None


def score_table(game: Game, verdict: Mapping[str, Any], players: Sequence[str]) -> ScoreTable:
    """Return the table of a game with its verdict (the object of verdict.md)."""
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
    if final is not None:
        unit = RULESETS[verdict["rules"]].final_unit
        final = [unit * sum_ for sum_ in final]
    units = labels.units(verdict["rules"])
    dealer = labels.dealer(verdict["rules"])
    return ScoreTable(
        dealer, list(players), rows, totals, settlement_rows(game, verdict), final, units
    )


def settlement_rows(game: Game, verdict: Mapping[str, Any]) -> list[StepRow]:
    """Return the steps of the settlement that change a sum."""
    return [
        StepRow(labels.settlement_step(step.kind), list(zip(step.amounts, step.sums, strict=True)))
        for step in compute_steps(game, verdict)[1:]
        if any(step.amounts)
    ]


def _line(line: Mapping[str, Any], players: Sequence[str]) -> LineView:
    amounts = [
        (name, amount) for name, amount in zip(players, line["amounts"], strict=True) if amount
    ]
    return LineView(labels.yaku(line["label"]), amounts, line["void"])
