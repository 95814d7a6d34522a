"""A game in the language of the request: score table, JSON of the player, and moves in words.

`score_table` returns the results of each deal, the running sums and the settlement. `replay_of`
plays a game; `to_json`, `moves_of` and `records.pages.game.frame.frame_of` describe the replay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse

from kafu import cards
from kafu.judging.progress import Goal, card_points, goals
from kafu.notation.game import Game
from kafu.rules.rulesets import RULESETS, Unsupported, find_ruleset, machine_of
from kafu.settlement_steps import compute_steps
from records.base import labels
from records.models import Record
from records.pages.game.replayed_game import ReplayedGame
from records.services.replays import replay_of_text
from records.wording.cards import KINDS, card_data
from records.wording.steps import final_sum, notation, pay_reason, score_list, scores

#: Fields copied from a step of the engine's replay.
_TABLE: Final = (
    *("kind", "turn", "seat", "card", "take", "say", "hands", "known", "field", "captured"),
    *("stock", "yaku", "comments"),
)


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
    """Return the table of a game with a verdict (the object of verdict.md)."""
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
                end="" if game.is_sheet else labels.end(deal["end"]),
                ledger=_lines(deal, players),
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
    """Return the steps of the settlement with a changed sum."""
    return [
        StepRow(labels.settlement_step(step.kind), list(zip(step.amounts, step.sums, strict=True)))
        for step in compute_steps(game, verdict)[1:]
        if any(step.amounts)
    ]


def _lines(deal: Mapping[str, Any], players: Sequence[str]) -> list[LineView]:
    """Return the ledger of a deal without amounts that repeat the deal's score.

    The sum of a month without details is no line at all.
    """
    ledger = deal["ledger"]
    is_score = len(ledger) == 1 and list(ledger[0]["amounts"]) == list(deal["score"])
    if is_score and ledger[0]["label"] == "month":
        return []
    return [
        LineView(
            labels.yaku(line["label"]),
            []
            if is_score
            else [
                (name, amount)
                for name, amount in zip(players, line["amounts"], strict=True)
                if amount
            ],
            line["void"],
        )
        for line in ledger
    ]


def replay_of(record: Record) -> ReplayedGame | None:
    """Return the replay of a game, None for an unplayable game or one without a played card."""
    try:
        data = replay_of_text(record.text)
    except Unsupported:
        return None
    if not data["deals"]:
        return None
    players = [labels.person(name) for name in data["players"]]
    address = reverse("game", args=[record.key])
    return ReplayedGame(address, data, players, record.key, record.profile)


def replay_of_example(text: str, address: str) -> ReplayedGame:
    """Return the replay of an example with a deal and a page at ``address``."""
    data = replay_of_text(text)
    return ReplayedGame(address, data, [labels.person(name) for name in data["players"]])


def to_json(replay: ReplayedGame, settlement: Sequence[StepRow] = ()) -> dict[str, Any]:
    """Return the data of the player (``<kafu-replay>``), described in docs/api.md.

    ``settlement`` has the steps from the last totals to the final result. Sums are integers in the
    small unit, or texts.
    """
    data = replay.data
    machine = machine_of(data["rules"], data["options"], len(replay.players))
    sets = goals(machine.captured_yaku)
    final = data["final"]
    return {
        "key": replay.key,
        "rules": data["rules"],
        "profile": replay.profile,
        "lang": labels.lang(),
        "units": replay.units,
        "players": replay.players,
        "status": data["status"],
        "final": [final_sum(sum_, data["rules"]) for sum_ in final] if final is not None else None,
        "settlement": [
            {"name": step.name, "amounts": [amount for amount, _sum in step.cells]}
            for step in settlement
        ],
        "error": _error(
            labels.worded_fault(data["error"], replay.players),
            [deal["month"] for deal in data["deals"]],
        ),
        **card_data(),
        "kindNames": {KINDS[kind]: labels.kinds(kind) for kind in cards.Kind},
        "points": card_points(data["rules"]),
        "yaku": {
            id: labels.yaku(id)
            for id in (*(goal.id for goal in sets), *find_ruleset(data["rules"]).monthly)
        },
        "sets": _sets(sets),
        "deals": [_deal(replay, deal) | _monthly_sets(data, deal) for deal in replay.deals],
    }


def _sets(sets: Iterable[Goal]) -> list[dict[str, Any]]:
    return [goal._asdict() | {"name": labels.yaku(goal.id)} for goal in sets]


def _monthly_sets(data: Mapping[str, Any], deal: Mapping[str, Any]) -> dict[str, Any]:
    """Return the yaku of the month of a deal (月札, K16), if the house plays 月札."""
    description = find_ruleset(data["rules"])
    monthly = [
        goal
        for goal in goals(description.month_yaku(deal["month"], data["options"]))
        if goal.id in description.monthly
    ]
    return {"sets": _sets(monthly)} if monthly else {}


def _deal(replay: ReplayedGame, deal: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "number": deal["number"],
        "month": deal["month"],
        "title": labels.month(deal["month"]),
        "grade": labels.grade(deal["grade"]) if deal["grade"] else "",
        "dealer": deal["dealer"],
        "winner": winner(deal),
        "score": deal["score"],
        "scores": score_list(deal["score"] or (), replay.players, units=replay.units),
        "before": deal["before"],
        "totals": deal["totals"],
        "end": labels.end(deal["end"]) if deal["end"] else "",
        "ledger": _ledger(deal, replay.players),
        "steps": [
            {name: step[name] for name in _TABLE}
            | {"notation": notation(step), "text": replay.tell(deal, step)}
            for step in deal["steps"]
        ],
    }


def _ledger(deal: Mapping[str, Any], players: Sequence[str]) -> list[dict[str, Any]]:
    """Return the lines of a month's ledger in words.

    A line has ``void`` only if it is struck out, and ``why`` only if one seat pays for others.
    """
    whys = {
        (event["yaku"], *event["amounts"]): pay_reason(event, players)
        for step in deal["steps"]
        for event in step["events"]
        if event["kind"] == "pay"
    }
    lines = []
    for line in deal["ledger"]:
        row = {"label": labels.yaku(line["label"]), "amounts": line["amounts"]}
        if line["void"]:
            row["void"] = True
        if why := whys.get((line["label"], *line["amounts"])):
            row["why"] = why
        lines.append(row)
    return lines


@dataclass(frozen=True, slots=True)
class MoveView:
    """A step in words: ``at`` is the position, ``turn`` is 0 for a step that begins no turn."""

    at: str
    turn: int
    text: str
    comments: list[str]


@dataclass(frozen=True, slots=True)
class DealMoves:
    """The moves of a deal; ``scores`` are the scores of the players."""

    number: int
    title: str
    grade: str
    scores: str
    moves: list[MoveView]


def moves_of(replay: ReplayedGame) -> list[DealMoves]:
    """Return all deals and moves in words, for a page without script."""
    return [
        DealMoves(
            deal["number"],
            labels.month(deal["month"]),
            labels.grade(deal["grade"]) if deal["grade"] else "",
            scores(deal["score"] or (), replay.players, units=replay.units),
            [
                MoveView(
                    f"{number}.{place}",
                    step["turn"] if step["kind"] == "hand" else 0,
                    replay.tell(deal, step),
                    step["comments"],
                )
                for place, step in enumerate(deal["steps"])
            ],
        )
        for number, deal in enumerate(replay.deals, start=1)
    ]


def winner(deal: Mapping[str, Any]) -> int | None:
    """Return the winning seat of a deal of the replay, None for no winner or no end."""
    last = deal["steps"][-1]
    seat: int | None = last["seat"] if last["kind"] == "end" else None
    return seat


def _error(fault: Mapping[str, Any] | None, months: Sequence[int]) -> dict[str, str] | None:
    """Return a fault in words: both messages, place in the game, and expected values.

    ``months`` are the months of the game's deals.
    """
    if fault is None:
        return None
    data = {"message": fault["message"], "words": fault["words"]}
    if fault["expected"]:
        code = fault["code"]
        data["expected"] = labels.listed(
            labels.expected(value, code) or value for value in fault["expected"]
        )
    if place := labels.fault_place(fault, months):
        data["place"] = place
    return data
