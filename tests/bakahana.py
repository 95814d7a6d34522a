"""A sixth ruleset, for the tests alone: the simplest 花合わせ for two (ばか花).

Ten cards each and eight on the field; nobody stops a month, and only card points count. A machine,
a table of payments and a description are all that the archive needs for records, score sheets and
pages of the ruleset.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Final

from kafu import cards
from kafu.rules import codes
from kafu.rules.description import Ruleset
from kafu.rules.house_rules import HouseOption, Words
from kafu.rules.names import Name
from kafu.rules.payments import POINTS, Payers, PaymentKind, PaymentRow, PaymentTable
from kafu.rules.play import table
from kafu.rules.play.actions import (
    Action,
    Begin,
    Deal,
    Illegal,
    PlayEvent,
    Redeal,
    ShowAction,
    Void,
)
from kafu.rules.play.ledger import score
from kafu.rules.play.machine import Machine, Phase, State
from kafu.rules.play.table import lay_out, shuffle
from kafu.rules.rulesets import register, unregister
from kafu.rules.sheets.form import GameSheet
from kafu.rules.verdict import DealResult, Line
from kafu.rules.yaku import Made, YakuTable

HAND: Final = 10
FIELD: Final = 8
#: Half of all points.
EVEN: Final = 132
SEATS: Final = (1, 2)
#: The only payment: points above or below the half.
PAYMENTS: Final = PaymentTable((PaymentRow(POINTS, PaymentKind.OTHER, (1,), "C4", Payers.BALANCE),))


def count_months(options: Mapping[str, str]) -> int:
    """Return the number of months of a game."""
    return int(options.get("months", "6"))


class Bakahana(Machine[State]):
    """The machine; ``months`` is its only option."""

    id = "bakahana"
    round = 2
    words = frozenset()
    payments = PAYMENTS

    def __init__(self, options: Mapping[str, str]) -> None:
        self.players = 2
        self.captured_yaku = YakuTable(())
        self.statements = frozenset()
        self.months = count_months(options)

    def start(self) -> State:
        """Return the state before the first month."""
        state = State()
        state.totals = (0, 0)
        return state

    def deal(self, state: State, random: Random) -> Deal:
        """Shuffle and deal ten, ten and eight cards."""
        dealt = shuffle(random, seats=SEATS, hand=HAND, field=FIELD)
        return Deal(state.month, state.dealer or random.choice(SEATS), *dealt)

    def legal_actions(self, state: State) -> Sequence[Action]:
        """Return the legal actions: a field with all four cards of a month is dealt again."""
        match state.phase:
            case Phase.SHOW:
                return [Redeal("ba4") if table.fours(state.table.field) else Begin()]
            case Phase.HAND:
                return state.table.plays(state.seat)
            case Phase.STOCK:
                return state.table.turns()
        return []

    def yaku(self, state: State, seat: int) -> tuple[Made, ...]:
        """Return no yaku: the game has none."""
        return ()

    def _deal(self, state: State, deal: Deal) -> State:
        self._month_due(state, deal)
        self._dealer_due(deal, state.dealer)
        dealt = state.next_deal()
        dealt.table = lay_out(deal, seats=SEATS, players=2, hand=HAND, field=FIELD)
        dealt.phase, dealt.dealer, dealt.seat = Phase.SHOW, deal.dealer, deal.dealer
        return dealt

    def _show(self, state: State, show: ShowAction) -> None:
        raise Illegal(codes.NO_PLACE, statement="show")

    def _begin(self, state: State) -> None:
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.DEAL_OVER)
        if again := table.fours(state.table.field):
            raise Illegal(codes.REDEAL_DUE, expected=("redeal ba4",), cards=cards.letters(again))
        state.phase = Phase.HAND

    def _redeal(self, state: State, reason: str) -> None:
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        if reason != "misdeal" and not (reason == "ba4" and table.fours(state.table.field)):
            raise Illegal(codes.REDEAL_GROUNDLESS, where="redeal", reason=reason)
        self._again(state, "redeal")

    def _void(self, state: State, void: Void) -> None:
        self._again(state, "void")

    def hand_card(self, state: State, card: int, take: int) -> None:
        """Play a card from the hand."""
        self._await(state, Phase.HAND)
        state.table.play(state.seat - 1, card, take)
        state.turn += 1
        state.phase = Phase.STOCK

    def stock_card(self, state: State, card: int, take: int) -> None:
        """Play a card from the draw pile."""
        self._await(state, Phase.STOCK)
        state.table.turn(state.seat - 1, card, take)
        state.phase, state.seat = Phase.HAND, 3 - state.seat
        if state.turn == 2 * HAND:
            self._played_out(state)

    def _played_out(self, state: State) -> None:
        """Pay points above or below the half; the seat with more wins and deals next."""
        scores = [cards.points(captured) - EVEN for captured in state.table.captured]
        winner = scores.index(max(scores)) + 1 if any(scores) else 0
        ledger = (Line(POINTS, tuple(scores)),) if winner else ()
        self._end(state, "played-out", ledger, winner)

    def _again(self, state: State, end: str) -> None:
        """Repeat the month with the same dealer, without payments."""
        self._end(state, end, (), 0)

    def _end(self, state: State, end: str, ledger: tuple[Line, ...], winner: int) -> None:
        amounts, dealer = score(ledger, 2), winner or state.dealer
        state.result = DealResult(
            *(state.month, state.dealer, None, None, ledger, amounts, dealer, end, winner or None)
        )
        state.month += end == "played-out"
        state.phase, state.dealer = Phase.DEAL, dealer
        state.totals = tuple(map(sum, zip(state.totals, amounts, strict=True)))
        if state.month > self.months:
            state.phase, state.final = Phase.OVER, state.totals
        if state.heard is not None:
            state.heard.append(PlayEvent("deal-end", winner, end, amounts=amounts))
            if state.final is not None:
                state.heard.append(PlayEvent("game-end", amounts=state.final))


_LENGTH: Final = HouseOption(
    "options",
    Words("月数", "Length"),
    {"6": Words("半年", "half a year"), "12": Words("1年", "a year")},
)
BAKAHANA: Final = Ruleset(
    id="bakahana",
    name=Name("bakahana", "ばか花", "bakahana", "flower matching for two"),
    seats=range(2, 3),
    hand=HAND,
    field=FIELD,
    round=Bakahana.round,
    machine=lambda options, players: Bakahana(options),
    sheet=lambda options, players: GameSheet(
        players, PAYMENTS, months=count_months(options), par=(EVEN, EVEN)
    ),
    months=6,
    options={"months": _LENGTH},
    houses={"bakahana": {"months": "6"}},
    card_points=cards.points,
    columns=1,
)


@contextmanager
def registered() -> Iterator[Ruleset]:
    """Register the sixth ruleset for a while."""
    register(BAKAHANA)
    try:
        yield BAKAHANA
    finally:
        unregister(BAKAHANA.id)
