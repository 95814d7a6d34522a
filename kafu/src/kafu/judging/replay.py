"""The steps of a game for a page: the whole table after every action.

The result has the fields of `PlayedGame`, and the ruleset as ``rules``. Cards are letters; lists
are in the order of seats.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Any, Final, NotRequired, TypedDict

from kafu import cards
from kafu.judging.actions import from_engine, write_hands
from kafu.judging.outcome import Step
from kafu.judging.playthrough import Playthrough
from kafu.judging.verify import judge
from kafu.notation.faults import FaultJson
from kafu.notation.game import Game
from kafu.notation.json_types import Grade, OneOf
from kafu.rules.play.actions import (
    Begin,
    Deal,
    Draw,
    Pile,
    Play,
    PlayEvent,
    ShowAction,
)
from kafu.rules.play.machine import Machine, Phase, State
from kafu.rules.verdict import End, Line, Status, Verdict

StepKind = Annotated[
    str,
    OneOf(
        "StepKind",
        (
            *("deal", "blind", "swap", "bid", "show", "hand", "stock", "say", "call"),
            *("redeal", "void", "end"),
        ),
    ),
]


class Yaku(TypedDict):
    """A current yaku of a seat."""

    id: str
    value: int


class EventJson(TypedDict):
    """An effect of a step."""

    kind: str
    seat: int | None
    yaku: NotRequired[str]
    amount: NotRequired[
        Annotated[int, "For a yaku: its value. For a payment for koi-koi calls: their number."]
    ]
    amounts: NotRequired[Annotated[list[int], "For a payment: one sum per seat."]]
    why: NotRequired[
        Annotated[
            str,
            OneOf("Why", ("share", "hatto", "sage", "calls")),
            "`share`: each other player pays a share. `hatto`, `sage`: `payer` pays for all. "
            "`calls`: the calls of koi-koi multiply a total.",
        ]
    ]
    payer: NotRequired[int]
    turn: NotRequired[Annotated[int, "Turn in which the payer threw the card or said sage."]]
    card: NotRequired[Annotated[str, "The hatto card that the payer threw."]]


class StepJson(TypedDict):
    """One step, and the table after the step."""

    kind: StepKind
    turn: int
    seat: int | None
    card: Annotated[str, "The card played or turned."]
    take: Annotated[str, "Captured cards, or cards laid open."]
    say: Annotated[str, "The word said, or the end of the deal."]
    hands: list[str]
    known: Annotated[list[str], "Cards of each hand that were shown to all."]
    field: str
    captured: list[str]
    stock: Annotated[int, "Cards left."]
    yaku: list[list[Yaku]]
    events: list[EventJson]
    comments: list[str]


class ReplayDealJson(TypedDict):
    """One deal; `end` and `score` are null for an unfinished deal."""

    number: int
    month: int
    dealer: int
    grade: Grade | None
    end: End | None
    score: list[int] | None
    before: list[int]
    totals: list[int]
    ledger: list[Line]
    steps: list[StepJson]


class PlayedGame(TypedDict):
    """A game step by step, up to its end or first fault."""

    options: dict[str, str]
    players: list[str]
    status: Status
    final: list[int] | None
    error: FaultJson | None
    deals: list[ReplayDealJson]


def stored_replay(game: Game) -> dict[str, Any]:
    """Return all deals of a game step by step, up to the end or first fault.

    Sums are in the small unit. The error is in stored form (`Fault.to_stored`), which is
    independent of the language. Raises `kafu.rules.rulesets.Unsupported` for a ruleset without a
    machine in this version, and for a score sheet, which has no steps.
    """
    playthrough = Playthrough.of(game)
    deals = [
        _record_deal(playthrough.machine, steps)
        for _number, steps in groupby(playthrough.steps(), attrgetter("deal"))
    ]
    verdict = Verdict("verified")
    judge(verdict, playthrough.outcome)
    return {
        "rules": game.rules,
        "options": game.options,
        "players": list(game.players),
        "status": verdict.status,
        "final": list(verdict.final) if verdict.final is not None else None,
        "error": verdict.error and verdict.error.to_stored(),
        "deals": deals,
    }


#: Kinds of events shown on pages.
SHOWN: Final = frozenset({"yaku", "right", "pay"})


def _record_deal(machine: Machine[Any], played: Iterable[Step]) -> dict[str, Any]:
    """Return a deal with its steps, from its actions."""
    deal: dict[str, Any] = {}
    steps: list[dict[str, Any]] = []
    shown = 0
    for step in played:
        action, state = step.action, step.state
        if isinstance(action, Deal):
            deal = {"number": step.deal, "month": action.month, "dealer": action.dealer}
            deal |= {"grade": state.grade, "end": None, "score": None}
            deal |= {"before": list(state.totals), "totals": list(state.totals)}
            deal |= {"ledger": [], "steps": steps}
        elif isinstance(action, ShowAction):
            shown |= action.cards
        table = _write_table(machine, state, shown)
        if isinstance(action, Pile):  # chance: part of the step before
            steps[-1] |= table
        elif not isinstance(action, Begin):
            steps.append(table | _write_action(step))
        elif state.phase is Phase.HAND:
            steps[-1]["comments"] += step.comments
        if (result := state.result) is not None:
            deal |= {"end": result.end, "score": list(result.score), "totals": list(state.totals)}
            deal["ledger"] = [line.to_json() for line in result.ledger]
            end = {"kind": "end", "turn": state.turn, "seat": result.winner or None, "card": ""}
            end |= {"take": "", "say": result.end, "events": [], "comments": []}
            steps.append(table | end)
    return deal


def _write_table(machine: Machine[Any], state: State, shown: int) -> dict[str, Any]:
    """Return the table in a state; ``shown`` are the cards of hands shown to all (a mask)."""
    table = state.table
    return {
        "hands": list(write_hands(table)),
        "known": [cards.letters(hand & shown) for hand in table.hands],
        "field": cards.letters(table.field),
        "captured": [cards.letters(captured) for captured in table.captured],
        "stock": table.left,
        "yaku": [
            [{"id": yaku.id, "value": yaku.value} for yaku in machine.yaku(state, seat)]
            for seat in range(1, machine.players + 1)
        ],
    }


def _write_action(step: Step) -> dict[str, Any]:
    """Return the action of a step with its events and comments."""
    action, events = step.action, step.events
    kind, seat, card, take, say = from_engine(action, step.seat)
    if isinstance(action, Deal):
        say = ""
    elif isinstance(action, Play | Draw):  # the record may have left the capture out
        captured = next((event.cards for event in events if event.kind == "capture"), 0)
        take = cards.letters(captured & ~action.card)
    return {
        "kind": kind,
        "turn": step.state.turn,
        "seat": seat or step.seat or None,
        "card": card,
        "take": take,
        "say": say,
        "events": shown_events(events),
        "comments": list(step.comments),
    }


def shown_events(events: Iterable[PlayEvent]) -> list[dict[str, Any]]:
    """Return the events of a step that a page shows, in the form of the replay."""
    return [_make_event(event) for event in events if event.kind in SHOWN]


def _make_event(event: PlayEvent) -> dict[str, Any]:
    shown: dict[str, Any] = {"kind": event.kind, "seat": event.seat}
    if event.kind == "yaku":
        shown |= {"yaku": event.label, "amount": event.amount}
    if event.kind == "pay":
        shown |= {"yaku": event.label, "amounts": list(event.amounts), "why": event.why}
    if event.why == "calls":
        shown |= {"amount": event.amount}
    if event.payer:
        shown |= {"payer": event.payer, "turn": event.turn, "card": cards.letters(event.cards)}
    return shown
