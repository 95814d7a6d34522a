"""The table of a record at one step, and the actions that may be written next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from kafu import cards
from kafu.editing.walked import PlayedStep, Walked
from kafu.judging.options import REST, Option, make_option
from kafu.notation.game import Turn
from kafu.notation.writer import turn_text
from kafu.rules.play.actions import Action, Begin, Illegal, Say
from kafu.rules.play.machine import Phase, State
from kafu.rules.verdict import DealResult
from kafu.rules.yaku import Made


@dataclass(frozen=True, slots=True)
class NextMove:
    """An action that may be written next.

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
    state = here.state if here is not None else walked.rules.start()
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
        yaku=tuple(walked.rules.yaku(state, seat) for seat in range(1, len(table.captured) + 1)),
        moves=tuple(_moves(walked, here, state)) if here is not None else (),
        dealers=_dealers(walked, state) if awaits else (),
        result=state.result,
        totals=tuple(state.totals),
        final=state.final,
    )


def _moves(walked: Walked, here: PlayedStep, state: State) -> Iterator[NextMove]:
    """Yield the actions that may be written next.

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
    listed = walked.rules.legal_actions(here.state)
    for word in sorted(walked.rules.words):
        try:
            walked.rules.apply(here.state, Say(word))
        except Illegal:
            continue
        if Say(word) not in listed:
            yield Say(word), here.seat


def _silent(walked: Walked, state: State) -> Iterator[tuple[Action, int]]:
    """Yield the legal actions after a silent decision, if the rules give silence a meaning."""
    silent = walked.rules.unsaid(state) if state.phase is Phase.DECIDE else None
    if silent is not None:
        after, _ = walked.rules.apply(state, silent)
        yield from _actions(walked, after)


def _actions(walked: Walked, state: State) -> Iterator[tuple[Action, int]]:
    """Yield the legal actions with the seat in turn.

    Include the actions after the declarations if the declarations may end.
    """
    for action in walked.rules.legal_actions(state):
        if not isinstance(action, Begin):
            yield action, state.seat
            continue
        try:
            begun, _ = walked.rules.apply(state, action)
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
    """Return the text of an action without the turn before it."""
    if move.kind in ("stock", "say"):
        return move.text.removeprefix(turn)
    return move.text.removesuffix(REST)


def _dealers(walked: Walked, state: State) -> tuple[int, ...]:
    """Return the seats that may deal next."""
    if state.dealer:
        return (walked.rules.deal(state, Random(0)).dealer,)
    return tuple(range(1, walked.rules.players + 1))
