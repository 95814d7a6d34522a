"""A sixth ruleset, for the tests alone: the simplest 花合わせ for two (ばか花).

Ten cards each and eight on the field; nobody stops a month, and only card points count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Final, NamedTuple

from kafu import cards
from kafu.notation.vocabulary import Values
from kafu.rules import codes
from kafu.rules.description import Ruleset
from kafu.rules.names import Name
from kafu.rules.play import table
from kafu.rules.play.actions import (
    Action,
    Begin,
    Deal,
    Draw,
    Event,
    Illegal,
    Play,
    Redeal,
    Show,
    Void,
    captured,
)
from kafu.rules.play.ledger import score
from kafu.rules.play.machine import Machine, Phase
from kafu.rules.play.table import TableCards
from kafu.rules.rulesets import register, unregister
from kafu.rules.verdict import DealResult, Line
from kafu.rules.yaku import Made, YakuTable

HAND: Final = 10
FIELD: Final = 8
#: Half of all points.
EVEN: Final = 132
SEATS: Final = (1, 2)


class State(NamedTuple):
    """A game. ``dealer`` is that of the deal in play or the next one, 0 while he is free."""

    phase: Phase = Phase.DEAL
    month: int = 1
    dealer: int = 0
    totals: tuple[int, ...] = (0, 0)
    table: TableCards = TableCards((0, 0), (0, 0), 0, (0, 0), (), 0, 0)
    seat: int = 0
    turn: int = 0
    grade: str | None = None
    result: DealResult | None = None
    final: tuple[int, ...] | None = None


Step = tuple[State, tuple[Event, ...]]


class Bakahana(Machine[State]):
    """The machine; ``months`` is its only option."""

    id = "bakahana"
    players = 2
    round = 2
    captured_yaku = YakuTable(())
    words = frozenset()
    statements = frozenset()

    def __init__(self, options: Mapping[str, str]) -> None:
        self.months = int(options.get("months", "6"))

    def start(self) -> State:
        """Before the first month."""
        return State()

    def deal(self, state: State, random: Random) -> Deal:
        """Shuffle and deal ten, ten and eight."""
        dealt = table.shuffle(random, seats=SEATS, hand=HAND, field=FIELD)
        return Deal(state.month, state.dealer or random.choice(SEATS), *dealt)

    def legal_actions(self, state: State) -> Sequence[Action]:
        """What may be done now: a field with all of a month is dealt again."""
        match state.phase:
            case Phase.SHOW:
                return [Redeal("ba4") if table.fours(state.table.field) else Begin()]
            case Phase.HAND:
                return state.table.plays(state.seat)
            case Phase.STOCK:
                return state.table.turns()
        return []

    def yaku(self, state: State, seat: int) -> tuple[Made, ...]:
        """There are none."""
        return ()

    def _deal(self, state: State, deal: Deal) -> Step:
        self._month_due(state, deal)
        self._dealer_due(deal, state.dealer)
        laid = table.lay_out(deal, seats=SEATS, players=2, hand=HAND, field=FIELD)
        return state._replace(
            phase=Phase.SHOW, dealer=deal.dealer, table=laid, seat=deal.dealer, turn=0, result=None
        ), ()

    def _show(self, state: State, show: Show) -> Step:
        raise Illegal(codes.NO_PLACE, statement="show")

    def _begin(self, state: State) -> Step:
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.DEAL_OVER)
        if again := table.fours(state.table.field):
            raise Illegal(codes.REDEAL_DUE, expected=("redeal ba4",), cards=cards.letters(again))
        return state._replace(phase=Phase.HAND), ()

    def _redeal(self, state: State, reason: str) -> Step:
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        if reason != "misdeal" and not (reason == "ba4" and table.fours(state.table.field)):
            raise Illegal(codes.REDEAL_GROUNDLESS, where="redeal", reason=reason)
        return self._again(state, "redeal")

    def _void(self, state: State, void: Void) -> Step:
        return self._again(state, "void")

    def _play(self, state: State, action: Play) -> Step:
        self._await(state, Phase.HAND)
        laid, take = state.table.play(state.seat, action.card, action.take)
        events = captured(state.seat, action, take)
        return state._replace(phase=Phase.STOCK, table=laid, turn=state.turn + 1), events

    def _turn(self, state: State, action: Draw) -> Step:
        self._await(state, Phase.STOCK)
        laid, take = state.table.turn(state.seat, action.card, action.take)
        events = captured(state.seat, action, take)
        state = state._replace(phase=Phase.HAND, table=laid, seat=3 - state.seat)
        if state.turn < 2 * HAND:
            return state, events
        ended, more = self._played_out(state)
        return ended, events + more

    def _played_out(self, state: State) -> Step:
        """Points above or below the half; who has more wins and deals next."""
        own = [cards.points(taken) - EVEN for taken in state.table.captured]
        winner = own.index(max(own)) + 1 if any(own) else 0
        ledger = (Line("points", tuple(own)),) if winner else ()
        return self._end(state, "played-out", ledger, winner)

    def _again(self, state: State, end: str) -> Step:
        """The month again, same dealer: nothing is paid."""
        return self._end(state, end, (), 0)

    def _end(self, state: State, end: str, ledger: tuple[Line, ...], winner: int) -> Step:
        amounts, dealer = score(ledger, 2), winner or state.dealer
        result = DealResult(
            *(state.month, state.dealer, None, None, ledger, amounts, dealer, end, winner or None)
        )
        state = state._replace(
            phase=Phase.DEAL,
            month=state.month + (end == "played-out"),
            dealer=dealer,
            totals=tuple(map(sum, zip(state.totals, amounts, strict=True))),
            result=result,
        )
        events: tuple[Event, ...] = (Event("deal-end", winner, end, amounts=amounts),)
        if state.month <= self.months:
            return state, events
        over = state._replace(phase=Phase.OVER, final=state.totals)
        return over, (*events, Event("game-end", amounts=state.totals))


BAKAHANA: Final = Ruleset(
    id="bakahana",
    name=Name("bakahana", "ばか花", "bakahana", "flower matching for two"),
    seats=range(2, 3),
    hand=HAND,
    field=FIELD,
    round=Bakahana.round,
    machine=lambda options, players: Bakahana(options),
    months=6,
    options={"months": Values("6", "12")},
    houses={"bakahana": {"months": "6"}},
    card_points=cards.points,
    columns=1,
)


@contextmanager
def registered() -> Iterator[Ruleset]:
    """The sixth ruleset, registered for a while."""
    register(BAKAHANA)
    try:
        yield BAKAHANA
    finally:
        unregister(BAKAHANA.id)
