"""A machine for rulesets without decisions, with all yaku scored at the end of a deal.

三人花合わせ and the 10/5/1 game extend it. They differ in declarations and in the scoring of a
deal.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar, Final, NamedTuple

from kafu.rules import codes
from kafu.rules.play import declaring, machine
from kafu.rules.play.actions import (
    Action,
    Begin,
    Bid,
    Deal,
    Illegal,
    Pile,
    PlayEvent,
    Redeal,
    ShowAction,
    Swap,
    Void,
)
from kafu.rules.play.declaring import Bidding
from kafu.rules.play.ledger import Entry, score, share
from kafu.rules.play.machine import AT_HAND, AT_STOCK, Machine, Phase
from kafu.rules.play.seating import turn_order
from kafu.rules.verdict import DealResult
from kafu.rules.yaku import Made, made

HAND: Final = 7
FIELD: Final = 6
#: Turns of a deal: three players have seven turns each.
TURNS: Final = 3 * HAND


class Claim(NamedTuple):
    """A dealt-hand declaration as made: seat, yaku ids, the cards laid open."""

    seat: int
    yaku: tuple[str, ...]
    cards: int


_FIELDS: Final = ("bidding", "blank", "claims", "covered", "lead", "order", "swapped")


class AtEndState(machine.State):
    """The state of a game. Lists have an item for each seat; masks are sets of cards.

    ``order`` are the seats in play, in play order. ``claims`` are the declarations, ``covered``
    those of hands with unknown cards. Only a table with bids has ``bidding``, ``lead``, the seat
    with the dealer's dealt hand, ``swapped``, the seats that took this hand in turn, and ``blank``,
    the seat with the blank card.
    """

    __slots__ = _FIELDS
    fields: ClassVar[tuple[str, ...]] = (*machine.State.fields, *_FIELDS)

    def __init__(self) -> None:
        """Begin before January."""
        super().__init__()
        self.order: tuple[int, ...] = ()
        self.claims: tuple[Claim, ...] = ()
        self.covered: tuple[ShowAction, ...] = ()
        self.bidding: Bidding | None = None
        self.lead = 0
        self.swapped: tuple[int, ...] = ()
        self.blank = 0


class Declared(NamedTuple):
    """A right declaration of a dealt hand: yaku ids and the cards laid open."""

    yaku: tuple[str, ...]
    cards: int


class AtEnd(Machine[AtEndState]):
    """A ruleset with three seats in play and all yaku scored after the last hand card."""

    hand = HAND
    round = 3
    words = frozenset()
    months: int
    #: The ruling on its dealt-hand yaku.
    ruling: str
    #: The classes of cards (masks) whose counts determine a dealt-hand yaku. Unlisted yaku depend
    #: on the counts of the months.
    by_class: Mapping[str, tuple[int, ...]]

    def start(self) -> AtEndState:
        """Return the state before January; anybody may deal first without a seat draw (C7)."""
        state = AtEndState()
        state.totals = (0,) * self.players
        return state

    def in_play(self, state: AtEndState) -> tuple[int, ...]:
        """Return the seats in play, in play order."""
        return state.order

    def yaku(self, state: AtEndState, seat: int) -> tuple[Made, ...]:
        """Return the captured-hand yaku of ``seat`` now, in points."""
        return made(self.captured_yaku, state.table.captured[seat - 1], rained=False, called=False)

    def legal_actions(self, state: AtEndState) -> Sequence[Action]:
        """Return the legal actions of the state; no decisions are among them."""
        match state.phase:
            case Phase.BID:
                return self._bids(state)
            case Phase.SHOW:
                return self._declarations(state)
            case Phase.HAND:
                return state.table.plays(state.seat)
            case Phase.STOCK:
                return state.table.turns()
        return []

    def _before_play(self, state: AtEndState, action: Action) -> None:
        match action:
            case Swap(seat):
                self._swap(state, seat)
            case Bid():
                self._bid(state, action)
            case Pile():
                state.table.stack(action)
                state.phase = Phase.SHOW
            case _:
                self._no_place(action)

    def _void(self, state: AtEndState, void: Void) -> None:
        self._deal_again(state, "void")

    # Before the first card ------------------------------------------------------------------------

    @abstractmethod
    def _deal(self, state: AtEndState, deal: Deal) -> AtEndState:
        """Return the state of a new deal."""

    def _bids(self, state: AtEndState) -> Sequence[Action]:
        return []

    def _bid(self, state: AtEndState, bid: Bid) -> None:
        self._no_place(bid)

    def _swap(self, state: AtEndState, seat: int) -> None:
        self._no_place(Swap(seat))

    @abstractmethod
    def declared(self, state: AtEndState, seat: int, hand: int) -> Sequence[Declared]:
        """Return every right declaration of ``hand`` (mask), held by ``seat``."""

    @abstractmethod
    def _redeal_due(self, state: AtEndState) -> str:
        """Return the reason to deal the month again, "" for none."""

    def _declarations(self, state: AtEndState) -> Sequence[Action]:
        due = self._redeal_due(state)
        declarers = {claim.seat for claim in state.claims}
        shows = [
            ShowAction(seat, declared.yaku, declared.cards)
            for seat in state.order
            if seat not in declarers and not state.table.hidden[seat - 1]
            for declared in self.declared(state, seat, state.table.hands[seat - 1])
        ]
        return [Redeal(due) if due else Begin(), *shows]

    def _show(self, state: AtEndState, show: ShowAction) -> None:
        """Check and add the declaration of a seat in play (A1, T5).

        A seat declares once, with the right yaku and the right open cards.
        """
        if state.phase is Phase.BID:
            self._await(state, Phase.SHOW)
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.NO_PLACE, statement="show")
        seat, now = show.seat, state.table
        if seat not in state.order:
            raise Illegal(codes.SEAT_OUT, seat=seat)
        if any(claim.seat == seat for claim in state.claims):
            raise Illegal(codes.SHOW_TWICE, seat=seat)
        now.reveal(seat, show.cards)
        name = "+".join(show.yaku)
        if not now.hidden[seat - 1]:
            right, rulings = self.declared(state, seat, now.hands[seat - 1]), (self.ruling,) * 2
            declaring.check(right, seat, show.yaku, show.cards, rulings=rulings)
        else:
            state.covered = (*state.covered, show)
            if not declaring.check_hidden(now, state.covered, partial(self._requirement, state)):
                state.unproved = seat, name
        state.claims = (*state.claims, Claim(seat, show.yaku, show.cards))
        if state.heard is not None:
            state.heard.append(PlayEvent("show", seat, name, cards=show.cards))

    def _requirement(self, state: AtEndState, show: ShowAction) -> declaring.HiddenCheck:
        """Return the requirement of a declaration: the hand allows exactly this declaration."""
        due = show.yaku, show.cards
        classes = [group for name in show.yaku for group in self.by_class.get(name, ())]
        return declaring.HiddenCheck(
            lambda hand: due in self.declared(state, show.seat, hand),
            any(name not in self.by_class for name in show.yaku),
            tuple(classes),
        )

    def _begin(self, state: AtEndState) -> None:
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.DEAL_OVER)
        self._check_no_redeal(state)
        state.phase = Phase.HAND

    @abstractmethod
    def _check_no_redeal(self, state: AtEndState) -> None:
        """Raise Illegal if the month must be dealt again."""

    def _redeal(self, state: AtEndState, reason: str) -> None:
        """Deal the month again, for a mistake in dealing (C6) or a reason on the table (A1, T2)."""
        if state.phase not in (Phase.BID, Phase.SHOW):
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        if reason != "misdeal" and reason not in self._redeal_reasons(state):
            raise Illegal(codes.REDEAL_GROUNDLESS, where="redeal", reason=reason)
        self._deal_again(state, "redeal")

    @abstractmethod
    def _redeal_reasons(self, state: AtEndState) -> set[str]:
        """Return the reasons on the table for which the month may be dealt again."""

    # A turn ---------------------------------------------------------------------------------------

    def hand_card(self, state: AtEndState, card: int, take: int) -> None:
        """Play a hand card."""
        if state.phase is not AT_HAND:
            self._await(state, AT_HAND)
        state.table.play(state.seat - 1, card, take)
        state.turn += 1
        state.phase = AT_STOCK

    def stock_card(self, state: AtEndState, card: int, take: int) -> None:
        """Turn a card of the draw pile, and end the turn."""
        if state.phase is not AT_STOCK:
            self._await(state, AT_STOCK)
        state.table.turn(state.seat - 1, card, take)
        if state.turn == TURNS:
            self._played_out(state)
        else:
            state.phase, state.seat = AT_HAND, state.order[state.turn % 3]

    def count_quiet_turns(self, state: AtEndState) -> int:
        """Return the number of turns before the last one."""
        return TURNS - 1 - state.turn

    def find_loud_cards(self) -> int:
        """Return no cards: yaku are paid at the end alone."""
        return 0

    # The end of a deal and of the game ------------------------------------------------------------

    @abstractmethod
    def _played_out(self, state: AtEndState) -> None:
        """Score the deal after the last hand card."""

    def _captured_payments(self, state: AtEndState) -> list[Entry]:
        """Return the payments of captured yaku, by the two others in play (A4, T6)."""
        return [
            Entry(
                share(
                    yaku.id,
                    seat,
                    self.payments.find_each(yaku.id, yaku.value),
                    state.order,
                    self.players,
                ),
                seat,
            )
            for seat in state.order
            for yaku in self.yaku(state, seat)
        ]

    @abstractmethod
    def _settle(self, totals: tuple[int, ...]) -> tuple[int, ...]:
        """Return the settlement of the game."""

    def _deal_again(self, state: AtEndState, end: str) -> None:
        """End the deal without payments; the same dealer deals the month again (C6).

        No payment has arisen yet, because everything is paid at the end of a deal.
        """
        nothing = (0,) * self.players
        dealer = state.dealer
        state.result = DealResult(state.month, dealer, None, None, (), nothing, dealer, end)
        state.phase = Phase.DEAL
        if state.heard is not None:
            state.heard.append(PlayEvent("deal-end", 0, end, amounts=nothing))

    def _end(self, state: AtEndState, end: str, paid: Sequence[Entry], winner: int = 0) -> None:
        """Close the month.

        ``winner`` deals next; 0 for the highest score at the table, of equals the nearest to the
        dealer, the dealer first (A5, T7). 四三 ends the game too, and nobody deals next (T5).
        """
        ledger = tuple(entry.line for entry in paid)
        month = score(ledger, self.players)
        if not winner:
            order = turn_order(state.dealer, self.players)
            winner = max(order, key=lambda seat: month[seat - 1])
        shiso = end == "shiso"
        deals_next = None if shiso else winner
        state.result = DealResult(
            *(state.month, state.dealer, None, None, ledger, month, deals_next, end, winner),
            first=winner if shiso else 0,
        )
        over = state.month >= self.months or shiso
        state.phase = Phase.OVER if over else Phase.DEAL
        state.month += 1
        state.dealer = winner
        state.totals = tuple(map(sum, zip(state.totals, month, strict=True)))
        if over:
            state.final = self._settle(state.totals)
        if state.heard is not None:
            state.heard += [
                *map(Entry.event, paid),
                PlayEvent("deal-end", winner, end, amounts=month),
            ]
            if state.final is not None:
                state.heard.append(PlayEvent("game-end", amounts=state.final))
