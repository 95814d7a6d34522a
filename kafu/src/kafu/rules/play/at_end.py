"""Shared by rulesets whose yaku are scored at the end: a deal is played out without a decision.

三人花合わせ and the 10/5/1 game differ in declarations and in how a finished deal is counted.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from kafu.rules import codes
from kafu.rules.play import declaring
from kafu.rules.play.actions import (
    Action,
    Begin,
    Bid,
    Deal,
    Draw,
    Event,
    Illegal,
    Pile,
    Play,
    Redeal,
    Show,
    Swap,
    Void,
    captured,
)
from kafu.rules.play.bidding import Bidding
from kafu.rules.play.ledger import Entry, score, share
from kafu.rules.play.machine import Machine, Phase
from kafu.rules.play.seating import turn_order
from kafu.rules.play.table import TableCards
from kafu.rules.verdict import DealResult
from kafu.rules.yaku import Made, made

HAND: Final = 7
FIELD: Final = 6
#: Turns of a deal: seven of each of three players.
TURNS: Final = 3 * HAND
_NOTHING: Final = TableCards((), (), 0, (), (), 0, 0)


class Claim(NamedTuple):
    """A dealt-hand declaration: seat, yaku ids, the cards laid open."""

    seat: int
    yaku: tuple[str, ...]
    cards: int


class State(NamedTuple):
    """A game. Lists are a seat; masks are sets of cards; seats and months count from 1.

    ``dealer`` is that of the current deal or the next one, 0 while anybody may deal. ``order`` are
    those who play, in play order. ``claims`` are the declarations, ``covered`` those of hands with
    unknown cards. At a table that bids: ``bidding``, ``lead`` the seat that holds the dealer's
    dealt hand and ``swapped`` the one that took it, ``blank`` the seat with the blank card.
    """

    phase: Phase = Phase.DEAL
    month: int = 1
    dealer: int = 0
    deals: int = 0
    totals: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    table: TableCards = _NOTHING
    seat: int = 0
    turn: int = 0
    claims: tuple[Claim, ...] = ()
    covered: tuple[Show, ...] = ()
    bidding: Bidding | None = None
    lead: int = 0
    swapped: tuple[int, ...] = ()
    blank: int = 0
    grade: str | None = None
    result: DealResult | None = None
    final: tuple[int, ...] | None = None


Step = tuple[State, tuple[Event, ...]]


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
        return State(totals=(0,) * self.players)

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

    def _before_play(self, state: State, action: Action) -> Step:
        match action:
            case Swap(seat):
                return self._swap(state, seat)
            case Bid():
                return self._bid(state, action)
            case Pile():
                return state._replace(phase=Phase.SHOW, table=state.table.stack(action)), ()
        self._no_place(action)

    def _void(self, state: State, void: Void) -> Step:
        return self._again(state, "void")

    # Before the first card ------------------------------------------------------------------------

    @abstractmethod
    def _deal(self, state: State, deal: Deal) -> Step:
        """The table after a deal."""

    def _bids(self, state: State) -> Sequence[Action]:
        return []

    def _bid(self, state: State, bid: Bid) -> Step:
        self._no_place(bid)

    def _swap(self, state: State, seat: int) -> Step:
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

    def _show(self, state: State, show: Show) -> Step:
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
        laid = now.reveal(seat, show.cards)
        name = "+".join(show.yaku)
        claim = Claim(seat, show.yaku, show.cards)
        events: tuple[Event, ...] = (Event("show", seat, name, cards=show.cards),)
        if not laid.hidden[seat - 1]:
            right, rulings = self.declared(state, seat, laid.hands[seat - 1]), (self.ruling,) * 2
            declaring.check(right, seat, show.yaku, show.cards, rulings=rulings)
        else:
            state = state._replace(covered=(*state.covered, show))
            if not declaring.check_hidden(laid, state.covered, partial(self._look, state)):
                events += (declaring.unproved(seat, name),)
        return state._replace(table=laid, claims=(*state.claims, claim)), events

    def _look(self, state: State, show: Show) -> declaring.HiddenCheck:
        """What a declaration requires of its hand: to be one of the right ones."""
        due = show.yaku, show.cards
        classes = [group for name in show.yaku for group in self.by_class.get(name, ())]
        return declaring.HiddenCheck(
            lambda hand: due in self.declared(state, show.seat, hand),
            any(name not in self.by_class for name in show.yaku),
            tuple(classes),
        )

    def _begin(self, state: State) -> Step:
        if state.phase is not Phase.SHOW:
            raise Illegal(codes.DEAL_OVER)
        self._no_redeal(state)
        return state._replace(phase=Phase.HAND), ()

    @abstractmethod
    def _no_redeal(self, state: State) -> None:
        """Raise Illegal if the month must be dealt again."""

    def _redeal(self, state: State, reason: str) -> Step:
        """A mistake in dealing (C6), or a reason that lies on the table (A1, T2)."""
        if state.phase not in (Phase.BID, Phase.SHOW):
            raise Illegal(codes.NO_PLACE, where="redeal", statement=f"redeal {reason}")
        if reason != "misdeal" and reason not in self._grounds(state):
            raise Illegal(codes.REDEAL_GROUNDLESS, where="redeal", reason=reason)
        return self._again(state, "redeal")

    @abstractmethod
    def _grounds(self, state: State) -> set[str]:
        """The reasons on the table for which the month may be dealt again."""

    # A turn ---------------------------------------------------------------------------------------

    def _play(self, state: State, action: Play) -> Step:
        self._await(state, Phase.HAND)
        laid, take = state.table.play(state.seat, action.card, action.take)
        events = captured(state.seat, action, take)
        return state._replace(phase=Phase.STOCK, table=laid, turn=state.turn + 1), events

    def _turn(self, state: State, action: Draw) -> Step:
        self._await(state, Phase.STOCK)
        seat = state.seat
        laid, take = state.table.turn(seat, action.card, action.take)
        events = captured(seat, action, take)
        state = state._replace(table=laid)
        if state.turn == TURNS:
            ended, more = self._played_out(state)
            return ended, events + more
        return state._replace(phase=Phase.HAND, seat=state.order[state.turn % 3]), events

    # The end of a deal and of the game ------------------------------------------------------------

    @abstractmethod
    def _played_out(self, state: State) -> Step:
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

    def _again(self, state: State, end: str) -> Step:
        """The same dealer deals the month again (C6). No line arose yet: all is paid at the end."""
        nothing = (0,) * self.players
        dealer = state.dealer
        result = DealResult(state.month, dealer, None, None, (), nothing, dealer, end)
        events = (Event("deal-end", 0, end, amounts=nothing),)
        return state._replace(phase=Phase.DEAL, result=result), events

    def _end(self, state: State, end: str, paid: Sequence[Entry], winner: int = 0) -> Step:
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
        result = DealResult(
            *(state.month, state.dealer, None, None, ledger, month, deals_next, end, winner),
            first=winner if shiso else 0,
        )
        state = state._replace(
            phase=Phase.DEAL,
            month=state.month + 1,
            dealer=winner,
            totals=tuple(map(sum, zip(state.totals, month, strict=True))),
            result=result,
        )
        events = (*map(Entry.event, paid), Event("deal-end", winner, end, amounts=month))
        if result.month < self.months and not shiso:
            return state, events
        final = self._settle(state.totals)
        over = state._replace(phase=Phase.OVER, final=final)
        return over, (*events, Event("game-end", amounts=final))
