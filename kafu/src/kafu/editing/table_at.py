"""The table of a record at a step, and the actions permitted next.

`list_written` returns the written actions of a deal in the order of play. `walk` plays a record
step by step, with the place of each step among them. `table_at` returns the table after a step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple

from kafu.facade.table import Table
from kafu.judging.actions import from_engine
from kafu.judging.outcome import Outcome, Step
from kafu.judging.playthrough import Playthrough
from kafu.judging.position import Option, make_option
from kafu.notation.actions import OF_TURN, Action
from kafu.notation.game import Game, Month, Statement
from kafu.rules.play import actions as engine
from kafu.rules.play.actions import Begin, Draw, Illegal, Pile, Play, PlayEvent, Say
from kafu.rules.play.machine import Machine, Phase, State


class WrittenAction(NamedTuple):
    """An action in letters, and the statement that states it, if it is written."""

    action: Action
    source: Statement | None = None


def list_written(month: Month) -> list[WrittenAction]:
    """Return the written actions of a deal in the order of play; the first is the deal."""
    deal = WrittenAction(Action("deal"), month.written[0])
    return [deal, *(WrittenAction(part, item) for item in month.in_play() for part in item.value)]


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """A step of a replay.

    ``action`` is None for the end of a deal; ``state`` is the state after the step. ``place`` is
    the index of the action in `list_written`, None for unwritten steps: the end, or a decision that
    the rules make. ``comments`` are the record's comments at the position.
    """

    action: engine.Action | None
    state: State
    place: int | None
    seat: int
    events: tuple[PlayEvent, ...] = ()
    comments: tuple[str, ...] = ()


@dataclass(slots=True)
class Walked:
    """A game played up to the end or the first fault.

    Deals and steps are numbered as in a replay (`kafu.judging.replay`).
    """

    game: Game
    machine: Machine[Any]
    outcome: Outcome
    #: The steps of deals that were requested.
    played: dict[int, list[PlayedStep]] = field(default_factory=dict)

    @property
    def deals(self) -> int:
        """The number of deals with a step."""
        return len(self.outcome.steps)

    def steps(self, deal: int) -> list[PlayedStep]:
        """Return the steps of a deal; a deal without kept steps is played again."""
        if deal not in self.played:
            if deal not in self.outcome.played:
                self.outcome.played |= walk_on(self.game, self, deal).outcome.played
            self.played[deal] = _find_places(self.game.months[deal - 1], self.outcome.played[deal])
        return self.played[deal]

    def at(self, deal: int, step: int) -> PlayedStep | None:
        """Return the step with an address like ``3.14``, None without a step of the address."""
        if 0 < deal <= self.deals and 0 <= step <= self.outcome.steps[deal - 1]:
            return self.steps(deal)[step]
        return None

    @property
    def last(self) -> tuple[int, int]:
        """The address of the last played step; 0, 0 before the first deal."""
        return (self.deals, self.outcome.steps[-1]) if self.deals else (0, 0)

    def count_written(self, deal: int, step: int) -> int:
        """Return the number of actions of a deal that are written up to a step."""
        places = [played.place for played in self.steps(deal)[: step + 1]]
        return 1 + max(place for place in places if place is not None)

    def is_last(self, deal: int, step: int) -> bool:
        """Return whether nothing of a deal is written after a step."""
        return self.count_written(deal, step) == len(list_written(self.game.months[deal - 1]))


def walk(game: Game, deal: int | None = None) -> Walked:
    """Play a game through, and keep the steps of a deal, by default of the last one.

    Raises `kafu.rules.rulesets.Unsupported` like `Playthrough.of`.
    """
    playthrough = Playthrough.of(game, (len(game.months) if deal is None else deal,))
    return Walked(game, playthrough.machine, playthrough.run())


def walk_on(game: Game, walked: Walked, deal: int) -> Walked:
    """Play a game from deal ``deal`` on; the earlier deals must equal the deals of ``walked``.

    Steps of the deal that ``walked`` has are not played again, as far as they are equal.
    """
    kept_deals = min(deal - 1, len(walked.outcome.deals))
    playthrough = Playthrough(game, walked.machine, walked.outcome, kept_deals, (deal,))
    return Walked(game, walked.machine, playthrough.run())


def _find_places(month: Month, steps: Sequence[Step]) -> list[PlayedStep]:
    """Return the steps of a deal with their places; an unwritten action joins the step before."""
    written, due = list_written(month), 0
    played: list[PlayedStep] = []
    for step in steps:
        state, place = step.state, None
        if isinstance(step.action, Pile):
            played[-1] = replace(played[-1], state=state)
        elif not isinstance(step.action, Begin):  # further declarations may follow
            kind = from_engine(step.action, step.seat).kind
            if due < len(written) and written[due].action.kind == kind:
                place, due = due, due + 1
            comments = tuple(step.comments)
            played.append(PlayedStep(step.action, state, place, step.seat, step.events, comments))
        if state.result is not None:
            played.append(PlayedStep(None, state, None, state.result.winner or 0))
    return played


class TableAt(NamedTuple):
    """The table after one step, with the address ``deal`` and ``step`` (0 before the first deal).

    ``moves`` are the possible next actions, and ``dealers`` the possible dealers if a deal is
    awaited.
    """

    deal: int
    step: int
    table: Table
    moves: tuple[Option, ...]
    dealers: tuple[int, ...]


def table_at(walked: Walked, deal: int, step: int) -> TableAt | None:
    """Return the table after a step; 0, 0 is the table before the first deal.

    Return None for an unknown step.
    """
    here = walked.at(deal, step)
    if here is None and (deal, step) != (0, 0):
        return None
    state = here.state if here is not None else walked.machine.start()
    return TableAt(
        deal,
        step,
        Table.of(walked.machine, walked.game.options, state),
        tuple(_moves(walked, here, state)) if here is not None else (),
        _dealers(walked, state) if state.phase is Phase.DEAL else (),
    )


def _moves(walked: Walked, here: PlayedStep, state: State) -> Iterator[Option]:
    """Yield the possible next actions.

    Include optional words, and the actions that follow a silent decision.
    """
    turn = _turn_so_far(walked, here)
    for action, seat in (*_actions(walked, state), *_words(walked, here), *_silent(walked, state)):
        yield make_option(action, seat, turn)


def _words(walked: Walked, here: PlayedStep) -> Iterator[tuple[engine.Action, int]]:
    """Yield words that may be said of the current turn, but are no legal action."""
    if here.place is None or not isinstance(here.action, Play | Draw | Say):
        return
    listed = walked.machine.legal_actions(here.state)
    for word in sorted(walked.machine.words):
        try:
            walked.machine.apply(here.state, Say(word))
        except Illegal:
            continue
        if Say(word) not in listed:
            yield Say(word), here.seat


def _silent(walked: Walked, state: State) -> Iterator[tuple[engine.Action, int]]:
    """Yield the legal actions after a silent decision, if the rules give silence a meaning."""
    silent = walked.machine.unsaid(state) if state.phase is Phase.DECIDE else None
    if silent is not None:
        after, _ = walked.machine.apply(state, silent)
        yield from _actions(walked, after)


def _actions(walked: Walked, state: State) -> Iterator[tuple[engine.Action, int]]:
    """Yield the legal actions with the seat in turn.

    Include the actions after the declarations if the declarations may end.
    """
    for action in walked.machine.legal_actions(state):
        if not isinstance(action, Begin):
            yield action, state.seat
            continue
        try:
            begun, _ = walked.machine.apply(state, action)
        except Illegal:
            continue
        yield from _actions(walked, begun)


def _turn_so_far(walked: Walked, here: PlayedStep) -> str:
    """Return the text of the current turn up to a step."""
    text = ""
    if here.place is not None:
        month = walked.outcome.game.months[here.state.deals - 1]
        for action, _ in reversed(list_written(month)[: here.place + 1]):
            text = f"{action}{text}" if action.kind in OF_TURN else ""
            if action.kind not in ("stock", "say"):
                break
    return text


def _dealers(walked: Walked, state: State) -> tuple[int, ...]:
    """Return the seats that may deal next."""
    if state.dealer:
        return (walked.machine.deal(state, Random(0)).dealer,)
    return tuple(range(1, walked.machine.players + 1))
