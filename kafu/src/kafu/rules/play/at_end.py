"""Shared by rulesets whose yaku are scored at the end: a deal is played out without a decision.

三人花合わせ and the 10/5/1 game differ in declarations and in how a finished deal is counted.
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
    Event,
    Illegal,
    Pile,
    Redeal,
    Show,
    Swap,
    Void,
)
from kafu.rules.play.bidding import Bidding
from kafu.rules.play.ledger import Entry, score, share
from kafu.rules.play.machine import AT_HAND, AT_STOCK, Machine, Phase
from kafu.rules.play.seating import turn_order
from kafu.rules.verdict import DealResult
from kafu.rules.yaku import Made, made

HAND: Final = 7
FIELD: Final = 6
#: Turns of a deal: seven of each of three players.
TURNS: Final = 3 * HAND


class Claim(NamedTuple):
    """A dealt-hand declaration: seat, yaku ids, the cards laid open."""

    seat: int
    yaku: tuple[str, ...]
    cards: int


_FIELDS: Final = ("bidding", "blank", "claims", "covered", "lead", "order", "swapped")


class State(machine.State):
    """A game. Lists are a seat; masks are sets of cards.

    ``order`` are those who play, in play order. ``claims`` are the declarations, ``covered`` those
    of hands with unknown cards. At a table that bids: ``bidding``, ``lead`` the seat that holds the
    dealer's dealt hand and ``swapped`` the one that took it, ``blank`` the seat with the blank
    card.
    """

    __slots__ = _FIELDS
    fields: ClassVar[tuple[str, ...]] = (*machine.State.fields, *_FIELDS)

    def __init__(self) -> None:
        """Before January."""
        super().__init__()
        self.order: tuple[int, ...] = ()
        self.claims: tuple[Claim, ...] = ()
        self.covered: tuple[Show, ...] = ()
        self.bidding: Bidding | None = None
        self.lead = 0
        self.swapped: tuple[int, ...] = ()
        self.blank = 0


class Declared(NamedTuple):
    """One right way to declare a dealt hand: yaku ids and the cards laid open."""

    yaku: tuple[str, ...]
    cards: int


class AtEnd(Machine[State]):
    """A ruleset of three at play whose yaku are scored when the hands are played out."""

    hand = HAND
    round = 3
    words = frozenset()
    months: int
    #: The ruling on its dealt-hand yaku.
    ruling: str
    #: Dealt-hand yaku that depend on the counts of these classes of cards (masks); the others
    #: depend on the counts of the months.
    by_class: Mapping[str, tuple[int, ...]]

    def start(self) -> State:
        """Before January: anybody may deal first, unless a draw settles it (C7)."""
        state = State()
        state.totals = (0,) * self.players
        return state

    def in_play(self, state: State) -> tuple[int, ...]:
        """Those who are in, in play order."""
        return state.order

    def yaku(self, state: State, seat: int) -> tuple[Made, ...]:
        """The captured-hand yaku that ``seat`` has now, in points."""
        return made(self.captured_yaku, state.table.captured[seat - 1], rained=False, called=False)

    def legal_actions(self, state: State) -> Sequence[Action]:
        """What may be done now; there are no decisions in this game."""
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

    def _before_play(self, state: State, action: Action) -> None:
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

    def _void(self, state: State, void: Void) -> None:
        self._again(state, "void")

    # Before the first card ------------------------------------------------------------------------

    @abstractmethod
    def _deal(self, state: State, deal: Deal) -> State:
        """The state of a new deal."""

    def _bids(self, state: State) -> Sequence[Action]:
        return []

    def _bid(self, state: State, bid: Bid) -> None:
        self._no_place(bid)

    def _swap(self, state: State, seat: int) -> None:
        self._no_place(Swap(seat))

    @abstractmethod
    def declared(self, state: State, seat: int, hand: int) -> Sequence[Declared]:
        """Every right declaration of ``hand`` (mask), held by ``seat``."""

    @abstractmethod
    def _redeal_due(self, state: State) -> str:
        """The reason for which the month must be dealt again, "" for none."""

    def _declarations(self, state: State) -> Sequence[Action]:
        due = self._redeal_due(state)
        done = {claim.seat for claim in state.claims}
        shows = [
            Show(seat, one.yaku, one.cards)
            for seat in state.order
            if seat not in done and not state.table.hidden[seat - 1]
            for one in self.declared(state, seat, state.table.hands[seat - 1])
        ]
        return [Redeal(due) if due else Begin(), *shows]

    def _show(self, state: State, show: Show) -> None:
        """A declaration: of one who plays, once, right in its yaku and its open cards (A1, T5)."""
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
            if not declaring.check_hidden(now, state.covered, partial(self._look, state)):
                state.unproved = seat, name
        state.claims = (*state.claims, Claim(seat, show.yaku, show.cards))
        if state.heard is not None:
            state.heard.append(Event("show", seat, name, cards=show.cards))

    def _look(self, state: State, show: Show) -> declaring.HiddenCheck:
        """What a declaration requires of its hand: to be one of the right ones."""
        due = show.yaku, show.cards
        classes = [group for name in show.yaku for group in self.by_class.get(name, ())]
        return declaring.HiddenCheck(
            lambda hand: due in self.declared(state, show.seat, hand),
            any(name not in self.by_class for name in show.yaku),
            tuple(classes),
        )

    def _begin(self, state: State) -> None:
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.DEAL_OVER)
        self._no_redeal(state)
        state.phase = Phase.HAND

    @abstractmethod
    def _no_redeal(self, state: State) -> None:
        """Raise Illegal if the month must be dealt again."""

    def _redeal(self, state: State, reason: str) -> None:
        """A mistake in dealing (C6), or a reason that lies on the table (A1, T2)."""
        if state.phase not in (Phase.BID, Phase.SHOW):
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        if reason != "misdeal" and reason not in self._grounds(state):
            raise Illegal(codes.REDEAL_GROUNDLESS, where="redeal", reason=reason)
        self._again(state, "redeal")

    @abstractmethod
    def _grounds(self, state: State) -> set[str]:
        """The reasons on the table for which the month may be dealt again."""

    # A turn ---------------------------------------------------------------------------------------

    def hand_card(self, state: State, card: int, take: int) -> None:
        """A hand card."""
        if state.phase is not AT_HAND:
            self._await(state, AT_HAND)
        state.table.play(state.seat - 1, card, take)
        state.turn += 1
        state.phase = AT_STOCK

    def stock_card(self, state: State, card: int, take: int) -> None:
        """A stock card; the turn is over."""
        if state.phase is not AT_STOCK:
            self._await(state, AT_STOCK)
        state.table.turn(state.seat - 1, card, take)
        if state.turn == TURNS:
            self._played_out(state)
        else:
            state.phase, state.seat = AT_HAND, state.order[state.turn % 3]

    # The end of a deal and of the game ------------------------------------------------------------

    @abstractmethod
    def _played_out(self, state: State) -> None:
        """The deal when all hands are played."""

    def _captured(self, state: State) -> list[Entry]:
        """The payments of captured yaku: each from the two others (A4, T6)."""
        return [
            Entry(share(one.id, seat, one.value, state.order, self.players), seat)
            for seat in state.order
            for one in self.yaku(state, seat)
        ]

    @abstractmethod
    def _settle(self, totals: tuple[int, ...]) -> tuple[int, ...]:
        """The settlement of the game."""

    def _again(self, state: State, end: str) -> None:
        """The same dealer deals the month again (C6). No line arose yet: all is paid at the end."""
        nothing = (0,) * self.players
        dealer = state.dealer
        state.result = DealResult(state.month, dealer, None, None, (), nothing, dealer, end)
        state.phase = Phase.DEAL
        if state.heard is not None:
            state.heard.append(Event("deal-end", 0, end, amounts=nothing))

    def _end(self, state: State, end: str, paid: Sequence[Entry], winner: int = 0) -> None:
        """Close the month. ``winner`` deals next; 0 for the highest score at the table, of equals
        the nearest to the dealer, the dealer first (A5, T7). 四三 ends the game too, and nobody
        deals next (T5).
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
            state.heard += [*map(Entry.event, paid), Event("deal-end", winner, end, amounts=month)]
            if state.final is not None:
                state.heard.append(Event("game-end", amounts=state.final))
