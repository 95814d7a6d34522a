"""The result of playing a record, and the places of its faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from kafu.notation import actions as letters
from kafu.notation.faults import OF_GAME, Code, Fault
from kafu.notation.game import Game
from kafu.rules.play.actions import Action, PlayEvent
from kafu.rules.play.machine import Machine, State
from kafu.rules.verdict import DealResult


class Step(NamedTuple):
    """An action of a record, with its events and the state after it.

    ``deal`` is the number of the deal from 1, ``seat`` the seat in turn before the action (0 for a
    deal), and ``comments`` are the record's comments on it.
    """

    deal: int
    action: Action
    seat: int
    state: State
    events: tuple[PlayEvent, ...]
    comments: Sequence[str]


@dataclass(slots=True)
class Outcome:
    """The result of playing a record as far as possible.

    ``game`` has omitted captures filled in, and correct seats before turns removed. ``deals`` are
    the ended deals, ``state`` is the last state, ``unknown`` whether a card of some deal is not
    recorded, ``stopped`` whether the record ends before the game (correctly, if it says so).
    ``begun`` are the states before each deal, and ``steps`` the numbers of the last step of each
    deal, as in `kafu.judging.replay`. ``machine`` is the machine that played the record, ``hidden``
    the states after the deals with unknown cards in a hand, by number. With a ``fault``, ``state``
    is the state before it and ``refused`` the illegal action, None if the fault is in no action (a
    wrong round number, an omitted decision). ``turn`` is the last turn as far as it was played
    then, and ``turn_seat`` its seat. ``played`` are the kept steps of deals, by number.
    """

    game: Game
    state: Any
    deals: list[DealResult] = field(default_factory=list)
    begun: list[State] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    fault: Fault | None = None
    refused: Action | None = None
    turn: Sequence[letters.Action] = ()
    turn_seat: int = 0
    unknown: bool = False
    stopped: bool = False
    machine: Machine[Any] | None = None
    hidden: dict[int, State] = field(default_factory=dict)
    played: dict[int, list[Step]] = field(default_factory=dict)


def make_fault(
    game: Game,
    deal: int | None,
    code: Code,
    where: tuple[str, ...],
    values: Mapping[str, Any],
    expected: tuple[str, ...] = (),
    turn: int | None = None,
) -> Fault:
    """Return a fault of a deal, at the first of the spots ``where`` that its text has."""
    fault = Fault(code, None, None, deal, turn, values, expected, where)
    return place_fault(fault, game)


def place_fault(fault: Fault, game: Game) -> Fault:
    """Return ``fault`` with line and column in the text of ``game``.

    Both are None for a text without lines (JSON).
    """
    places = {OF_GAME: (game.line, 1)}
    if fault.deal is not None:
        places |= game.months[fault.deal - 1].places
    line, column = next((places[spot] for spot in fault.where if spot in places), (None, None))
    return replace(fault, line=line, column=column)
