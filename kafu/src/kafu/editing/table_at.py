"""Where a record stands at a step: the table, and what may be written next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from kafu import cards
from kafu.editing.walked import PlayedStep, Walked
from kafu.judging.options import REST, Option, option
from kafu.notation.game import Turn
from kafu.notation.writer import turn_text
from kafu.rules.play.actions import Action, Begin, Illegal, Say
from kafu.rules.play.machine import Phase, State
from kafu.rules.verdict import DealResult
from kafu.rules.yaku import Made


@dataclass(frozen=True, slots=True)
class NextMove:
    """What may be written next: ``option`` in words and fields, ``written`` as `changes.put` takes
    it.
    """

    option: Option
    written: str


@dataclass(frozen=True, slots=True)
class TableAt:
    """The place of a step. ``deal`` and ``step`` are its address, 0 before the first deal.

    ``phase`` is what is awaited (`machine.Phase`), ``seat`` the one in turn, 0 for none; ``hands``
    (``?`` for unknown cards), ``captured`` and ``yaku`` a seat; ``stock`` how many cards are left,
    ``ahead`` the next of them as far as they are known. ``month`` and ``dealer`` are those of the
    deal; where one is awaited those of the next, and ``dealers`` those who may deal it. ``result``
    is how the deal ended, None while it is played; ``totals`` and ``final`` are in the small unit.
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
    """Where a game stands after a step; None for a step that it has not. 0, 0 is before the first
    deal.
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
    """What may be written: also words that nobody has to say, and what a player may do after saying
    nothing.
    """
    turn = _turn_so_far(walked, here)
    for action, seat in (*_actions(walked, state), *_words(walked, here), *_silent(walked, state)):
        one = option(action, seat, turn)
        yield NextMove(one, _written(one, turn))


def _words(walked: Walked, here: PlayedStep) -> Iterator[tuple[Action, int]]:
    """Words that may be said of the turn in play, but are no decision that is due."""
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
    """The legal actions after the decision that silence means, where it means one."""
    silent = walked.rules.unsaid(state) if state.phase is Phase.DECIDE else None
    if silent is not None:
        after, _ = walked.rules.apply(state, silent)
        yield from _actions(walked, after)


def _actions(walked: Walked, state: State) -> Iterator[tuple[Action, int]]:
    """The legal actions, each with the seat in turn; those after the declarations too, where these
    may end.
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
    """The turn in play as it is written, up to a step."""
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


def _written(one: Option, turn: str) -> str:
    """The action alone."""
    if one.kind in ("stock", "say"):
        return one.text.removeprefix(turn)
    return one.text.removesuffix(REST)


def _dealers(walked: Walked, state: State) -> tuple[int, ...]:
    """Who may deal next."""
    if state.dealer:
        return (walked.rules.deal(state, Random(0)).dealer,)
    return tuple(range(1, walked.rules.players + 1))
