"""The table of a record at a step, and the actions permitted next.

`places` yields the positions of a deal's written actions in the order of play. `walk` plays a
record step by step, with the position of each step. `table_at` returns the table after a step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile
from random import Random
from typing import Any, Final, NamedTuple

from kafu import cards
from kafu.judging.outcome import Outcome
from kafu.judging.playthrough import Playthrough
from kafu.judging.position import REST, Option, make_option
from kafu.notation.game import Game, Month, Turn
from kafu.notation.writer import turn_text
from kafu.rules.play.actions import (
    Action,
    Begin,
    Bid,
    Blind,
    CallAction,
    Deal,
    Draw,
    Illegal,
    Pile,
    Play,
    PlayEvent,
    Redeal,
    Say,
    ShowAction,
    Swap,
    Void,
)
from kafu.rules.play.machine import Machine, Phase, State
from kafu.rules.rulesets import machine_of
from kafu.rules.verdict import DealResult
from kafu.rules.yaku import Made

#: The kind of each action that is written.
_KINDS: Final[dict[type, str]] = {
    Deal: "deal",
    Blind: "blind",
    Swap: "swap",
    Bid: "bid",
    ShowAction: "show",
    Redeal: "redeal",
    Play: "hand",
    Draw: "stock",
    Say: "say",
    CallAction: "call",
    Void: "void",
}


class ActionPlace(NamedTuple):
    """The position of one action in a month.

    ``kind`` is the kind of a replay step. ``number`` counts swaps, bids, declarations or entries of
    `Month.turns`. ``word`` counts the decisions of a turn; ``early`` marks a decision before the
    stock card.
    """

    kind: str
    number: int = 0
    word: int = 0
    early: bool = False


def places(month: Month) -> Iterator[ActionPlace]:
    """Yield the positions of all written actions of a deal."""
    yield ActionPlace("deal")
    if month.blind is not None:
        yield ActionPlace("blind")
    yield from (ActionPlace("swap", i) for i in range(len(month.swaps)))
    yield from (ActionPlace("bid", i) for i in range(len(month.bids)))
    yield from (ActionPlace("show", i) for i in range(len(month.shows)))
    if month.redeal:
        yield ActionPlace("redeal")
    for i, item in enumerate(month.turns):
        if not isinstance(item, Turn):
            yield ActionPlace("call", i)
            continue
        yield ActionPlace("hand", i)
        yield from (ActionPlace("say", i, word, early=True) for word in range(len(item.say1)))
        if item.turn:
            yield ActionPlace("stock", i)
        yield from (ActionPlace("say", i, word) for word in range(len(item.say)))
    if month.void:
        yield ActionPlace("void")


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """A step of a replay.

    ``action`` is None for the end of a deal; ``state`` is the state after the step. ``place`` is
    None for unwritten steps: the end, or a decision that the rules make. ``comments`` are the
    record's comments at the position.
    """

    action: Action | None
    state: State
    place: ActionPlace | None
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
        """Return the steps of a deal; the first request plays the deal again."""
        if deal not in self.played:
            self.played[deal] = _play_steps(self, deal)
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

    def next_place(self, deal: int, step: int) -> ActionPlace | None:
        """Return the next written position after a step, None after the last of the deal."""
        behind = iter(places(self.game.months[deal - 1]))
        positions = [
            played.place for played in self.steps(deal)[: step + 1] if played.place is not None
        ]
        for place in behind:
            if place == positions[-1]:
                return next(behind, None)
        return None


def walk(game: Game) -> Walked:
    """Play a game through.

    ``game`` must not be a score sheet. Raise `kafu.rules.rulesets.Unsupported` for a ruleset
    unsupported by the present version.
    """
    machine = machine_of(game.rules, game.options, len(game.players))
    return Walked(game, machine, Playthrough(game, machine).run())


def walk_on(game: Game, walked: Walked, deal: int) -> Walked:
    """Play a game from deal ``deal`` on; the earlier deals must equal the deals of ``walked``."""
    known = min(deal - 1, len(walked.outcome.deals))
    outcome = Playthrough(game, walked.machine, walked.outcome, known).run()
    played = {number: steps for number, steps in walked.played.items() if number <= known}
    return Walked(game, walked.machine, outcome, played)


def _play_steps(walked: Walked, deal: int) -> list[PlayedStep]:
    """Play a deal again and return its steps; an unwritten action joins the previous step."""
    written = places(walked.game.months[deal - 1])
    due = next(written, None)
    steps: list[PlayedStep] = []
    again = Playthrough(walked.game, walked.machine, walked.outcome, deal - 1)
    for step in takewhile(lambda step: step.deal == deal, again.steps()):
        action, state, place = step.action, step.state.copy(), None
        if isinstance(action, Pile):
            steps[-1] = replace(steps[-1], state=state)
        elif not isinstance(action, Begin):  # more declarations may follow until a card is played
            if due is not None and due.kind == _KINDS[type(action)]:
                place, due = due, next(written, None)
            comments = tuple(step.comments)
            steps.append(PlayedStep(action, state, place, step.seat, step.events, comments))
        if state.result is not None:
            steps.append(PlayedStep(None, state, None, state.result.winner or 0))
    return steps


@dataclass(frozen=True, slots=True)
class NextMove:
    """A possible next action.

    ``option`` has the action in words and fields, ``written`` as `changes.put` accepts it.
    """

    option: Option
    written: str


@dataclass(frozen=True, slots=True)
class TableAt:
    """The table after one step, with the address ``deal`` and ``step`` (0 before the first deal).

    ``phase`` is the awaited phase (`machine.Phase`), ``seat`` the player in turn, 0 for nobody.
    ``hands`` (``?`` for unknown cards), ``captured`` and ``yaku`` have an entry per seat. ``stock``
    counts the cards left in the draw pile; ``ahead`` are its next known cards. ``month`` and
    ``dealer`` belong to the deal, or to the next deal if a deal is awaited; ``dealers`` are then
    the possible dealers. ``result`` is the end of the deal, None during play; ``totals`` and
    ``final`` are in the small unit.
    """

    deal: int
    step: int
    phase: str
    seat: int
    month: int
    dealer: int
    turn: int
    grade: str | None
    hands: tuple[str, ...]
    field: str
    captured: tuple[str, ...]
    stock: int
    ahead: str
    yaku: tuple[tuple[Made, ...], ...]
    moves: tuple[NextMove, ...]
    dealers: tuple[int, ...]
    result: DealResult | None
    totals: tuple[int, ...]
    final: tuple[int, ...] | None


def table_at(walked: Walked, deal: int, step: int) -> TableAt | None:
    """Return the table after a step; 0, 0 is the table before the first deal.

    Return None for an unknown step.
    """
    here = walked.at(deal, step)
    if here is None and (deal, step) != (0, 0):
        return None
    state = here.state if here is not None else walked.machine.start()
    table = state.table
    awaits = state.phase is Phase.DEAL
    return TableAt(
        deal=deal,
        step=step,
        phase=state.phase.value,
        seat=0 if state.phase in (Phase.DEAL, Phase.OVER) else state.seat,
        month=state.month,
        dealer=state.dealer,
        turn=state.turn,
        grade=state.grade,
        hands=tuple(
            cards.letters(hand) + cards.UNKNOWN * hidden
            for hand, hidden in zip(table.hands, table.hidden, strict=True)
        ),
        field=cards.letters(table.field),
        captured=tuple(map(cards.letters, table.captured)),
        stock=table.left,
        ahead="".join(map(cards.letters, table.ahead)),
        yaku=tuple(walked.machine.yaku(state, seat) for seat in range(1, len(table.captured) + 1)),
        moves=tuple(_moves(walked, here, state)) if here is not None else (),
        dealers=_dealers(walked, state) if awaits else (),
        result=state.result,
        totals=tuple(state.totals),
        final=state.final,
    )


def _moves(walked: Walked, here: PlayedStep, state: State) -> Iterator[NextMove]:
    """Yield the possible next actions.

    Include optional words, and the actions that follow a silent decision.
    """
    turn = _turn_so_far(walked, here)
    for action, seat in (*_actions(walked, state), *_words(walked, here), *_silent(walked, state)):
        move = make_option(action, seat, turn)
        yield NextMove(move, _written(move, turn))


def _words(walked: Walked, here: PlayedStep) -> Iterator[tuple[Action, int]]:
    """Yield words that may be said of the current turn, but are no legal action."""
    if here.place is None or here.place.kind not in ("hand", "stock", "say"):
        return
    listed = walked.machine.legal_actions(here.state)
    for word in sorted(walked.machine.words):
        try:
            walked.machine.apply(here.state, Say(word))
        except Illegal:
            continue
        if Say(word) not in listed:
            yield Say(word), here.seat


def _silent(walked: Walked, state: State) -> Iterator[tuple[Action, int]]:
    """Yield the legal actions after a silent decision, if the rules give silence a meaning."""
    silent = walked.machine.unsaid(state) if state.phase is Phase.DECIDE else None
    if silent is not None:
        after, _ = walked.machine.apply(state, silent)
        yield from _actions(walked, after)


def _actions(walked: Walked, state: State) -> Iterator[tuple[Action, int]]:
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
    place = here.place
    if place is None or place.kind not in ("hand", "stock", "say"):
        return ""
    turn = walked.outcome.game.months[here.state.deals - 1].turns[place.number]
    assert isinstance(turn, Turn)
    if place.kind == "hand":
        return turn_text(Turn(turn.play, turn.take))
    if place.early:
        return turn_text(Turn(turn.play, turn.take, say=turn.say1[: place.word + 1]))
    words = turn.say[: place.word + 1] if place.kind == "say" else ()
    return turn_text(Turn(turn.play, turn.take, turn.turn, turn.take2, turn.say1, words))


def _written(move: Option, turn: str) -> str:
    """Return the text of an action without the earlier text of the turn."""
    if move.kind in ("stock", "say"):
        return move.text.removeprefix(turn)
    return move.text.removesuffix(REST)


def _dealers(walked: Walked, state: State) -> tuple[int, ...]:
    """Return the seats that may deal next."""
    if state.dealer:
        return (walked.machine.deal(state, Random(0)).dealer,)
    return tuple(range(1, walked.machine.players + 1))
