"""The common part of every playthrough of a record: the months in order, with the statements.

The subclasses of `Walk` in `fast` and `careful` apply actions and play turns. `place_fault` adds
the line and column of the faulty statement to a fault.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from kafu import cards
from kafu.judging.facts import Observer
from kafu.notation.faults import OF_GAME, Fault, Spot
from kafu.notation.game import Call, Game, Month, Place
from kafu.rules import codes
from kafu.rules.play.actions import (
    Action,
    Begin,
    Bid,
    Blind,
    Deal,
    Draw,
    Illegal,
    Pile,
    Play,
    Redeal,
    Say,
    ShowAction,
    Swap,
    Void,
)
from kafu.rules.play.machine import AT_DECISION, Machine, Phase, State
from kafu.rules.verdict import DealResult

IN_DEAL: Final = (
    Phase.BID,
    Phase.PILE,
    Phase.SHOW,
    Phase.HAND,
    Phase.STOCK,
    Phase.DECIDE,
)
_MISDEALT: Final = ("misdeal", "mismatch")
#: Actions that are not counted as statements: a deal starts the count, cards are counted by turns,
#: `Pile` and `Begin` are not written.
UNSTATED: Final = (Deal, Play, Draw, Pile, Begin)


@dataclass(slots=True)
class Outcome:
    """The result of playing a record as far as possible.

    ``game`` has omitted captures filled in, and correct seats before turns removed. ``deals`` are
    the ended deals, ``state`` is the last state, ``unknown`` whether a card of some deal is not
    recorded, ``unit`` as in `Machine`, ``stopped`` whether the record ends before the game
    (correctly, if it says so). ``machine`` is the machine that played the record, ``hidden`` the
    states after the deals with unknown cards in a hand, by number. With a ``fault``, ``state`` is
    the state before it and ``refused`` the illegal action, None if the fault is in no action (a
    wrong round number, an omitted decision).
    """

    game: Game
    state: Any
    deals: list[DealResult] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    fault: Fault | None = None
    refused: Action | None = None
    unit: int = 1
    unknown: bool = False
    stopped: bool = False
    machine: Machine[Any] | None = None
    hidden: dict[int, State] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """The first ``deals`` deals of a record, already played.

    ``outcome`` belongs to any record beginning with the same deals. ``state`` is the state after
    the last of the deals.
    """

    outcome: Outcome
    deals: int
    state: State


class Walk(ABC):
    """The playthrough of a game: the present position and the results."""

    #: Whether the state before a refused action is preserved.
    keeps_states: ClassVar[bool]

    def __init__(self, game: Game, machine: Machine[Any], observer: Observer | None) -> None:
        """Start before the first month."""
        self.machine = machine
        self.observer = observer
        if observer:
            observer.begin()
        self.state: State = machine.start()
        self.outcome = Outcome(game, self.state, unit=machine.unit, machine=machine)
        self.open_end = game.termination != "normal"
        #: Number of deals that were played before.
        self.known = 0
        self.number = 0
        self.turn: int | None = None
        #: Candidates for the place of a fault, the best first.
        self.where: tuple[Spot, ...] = ()

    def run(self) -> None:
        """Play all months. Raise Illegal at a fault."""
        months = self.outcome.game.months
        for i in range(self.known, len(months)):
            month = months[i]
            self.number, self.turn = i + 1, None
            self.where = ("month",)
            self._play_month(month, last=i == len(months) - 1)
            self.outcome.state = self.state
        if self.state.phase is not Phase.OVER:
            self.outcome.stopped = True
            if not self.open_end:
                self.turn, self.where = None, ("month",)
                raise Illegal(codes.GAME_SHORT)

    @abstractmethod
    def _apply(self, action: Action, comments: list[str]) -> None:
        """Apply an action to the state. Raise Illegal."""

    @abstractmethod
    def _play_turns(self, month: Month) -> None:
        """Play the turns of a month, and the calls between turns. Raise Illegal."""

    @abstractmethod
    def _add_seen_cards(self, month: Month, *, last: bool) -> Month:
        """Return a deal with hidden hands, completed with cards that are seen later (C9)."""

    # A month --------------------------------------------------------------------------------------

    def _play_month(self, month: Month, *, last: bool) -> None:
        self._check_statements(month)
        misdealt = month.redeal == "misdeal" or month.void in _MISDEALT
        hidden = is_hidden(month)
        dealt = self._add_seen_cards(month, last=last) if hidden and not misdealt else month
        deal = make_deal(dealt, misdealt)
        self._apply(deal, find_comments(month, "month", "draw", "split", "hand", "field", "stock"))
        if self.observer:
            self.observer.dealt(deal, self.state)
        if not misdealt:
            # No card of the stock is ever turned if the month is dealt again.
            whole = bool(month.redeal) or (month.stock is not None and not month.stock_cut)
            self.outcome.unknown |= not whole or hidden
            self._play_bids(dealt)
            self._play_shows(month)
        elif month.redeal:
            self._play_before_misdeal(month)
        elif month.void:
            try:  # declarations stay valid as far as the dealt cards allow (H25)
                self._play_bids(month)
                self._play_shows(month)
            except Illegal:
                if not self.keeps_states:
                    raise
        if month.redeal:
            self.where = ("redeal",)
            self._apply(Redeal(month.redeal), find_comments(month, "redeal"))
        if month.redeal or not misdealt:  # the turns of a void deal need not be playable (H25)
            self._begin_turns(month, open_end=last and self.open_end)
        if month.void:
            self.turn, self.where = None, ("void",)
            played = any(not isinstance(item, Call) for item in month.moves or month.turns)
            self._apply(Void(month.void, played), find_comments(month, "void"))
        if self.state.phase in IN_DEAL:
            if last and self.open_end:
                return
            self._decide_by_default()
            raise Illegal(codes.DEAL_SHORT, seat=self.state.seat)
        assert self.state.result is not None, "a deal ended"
        self.outcome.deals.append(self.state.result)
        if self.observer:
            self.observer.deal.ended = self.state
        if hidden:
            self.outcome.hidden[self.number] = self.state

    def _play_before_misdeal(self, month: Month) -> None:
        """Check bids and declarations before a misdeal was noticed, like any other (C10, H22).

        A hand with a wrong number of cards tells nothing about a declaration.
        """
        self._play_bids(month, misdealt=True)
        for i, show in enumerate(month.shows):
            table = self.state.table
            held, hidden = table.hands[show.seat - 1], table.hidden[show.seat - 1]
            tells = held.bit_count() + hidden == self.machine.hand
            self.outcome.unknown |= bool(hidden) or not tells
            may_show = self.state.phase is Phase.SHOW and show.seat in self.machine.in_play(
                self.state
            )
            if tells or not may_show:
                self._play_show(month, i)

    def _check_statements(self, month: Month) -> None:
        if not (month.draws or month.split or month.blind or month.swaps or month.bids or month.ba):
            return
        present = {
            "draw.0": month.draws,
            "split": month.split,
            "blind": month.blind,
            "swap.0": month.swaps,
            "bid": month.bids,
            "ba": month.ba,
        }
        for where, value in present.items():
            statement = where.partition(".")[0]
            if value and statement not in self.machine.statements:
                raise Illegal(codes.NO_PLACE, where=where, statement=statement)

    def _play_bids(self, month: Month, *, misdealt: bool = False) -> None:
        """Play the statements before the declarations: blind, swaps and bids, then the stock.

        ``misdealt`` cards leave the stock open.
        """
        if month.blind is not None:
            self.where = ("blind", *self.where)
            self._apply(Blind(month.blind), find_comments(month, "blind"))
        for i, seat in enumerate(month.swaps):
            self.where = (f"swap.{i}", *self.where)
            self._apply(Swap(seat), find_comments(month, f"swap.{i}"))
        for i, (seat, goes_in) in enumerate(month.bids, 1):
            self.where = ("bid", *self.where)
            last = i == len(month.bids)
            self._apply(Bid(seat, goes_in), find_comments(month, "bid") if last else [])
        if self.state.phase is Phase.PILE:
            self._apply(Pile(None, True) if misdealt else Pile(month.stock, month.stock_cut), [])

    def _play_shows(self, month: Month) -> None:
        for i in range(len(month.shows)):
            self._play_show(month, i)

    def _play_show(self, month: Month, i: int) -> None:
        """Play declaration ``i`` (from 0), which the record may strike out later."""
        show = month.shows[i]
        self.where = (f"show.{i}", *self.where)
        disputed = month.moves is None and any(  # moves contain no calls
            isinstance(call, Call) and (call.word, call.seat) == ("void-show", show.seat)
            for call in month.turns
        )
        action = ShowAction(show.seat, show.yaku, read_mask(show.cards), disputed)
        self._apply(action, find_comments(month, f"show.{i}"))

    def _begin_turns(self, month: Month, *, open_end: bool) -> None:
        played_on = bool(month.moves or month.shows or month.turns) or not (month.void or open_end)
        if self.state.phase is Phase.SHOW and played_on:
            self._apply(Begin(), find_comments(month, "turns"))
            if self.observer:
                self.observer.deal.laid = self.state.table.field
        self._play_turns(month)

    def _say(self, word: str, comments: list[str]) -> None:
        if self.observer and self.state.phase is AT_DECISION:
            self.observer.decides(self.state, word)
        self._apply(Say(word), comments)

    def _decide_by_default(self) -> None:
        """Make an awaited decision by the rules' default, as nothing is declared."""
        if decision := self.machine.unsaid(self.state):
            self._say(decision.word, [])
        self.machine.undecided(self.state)


def is_hidden(month: Month) -> bool:
    """Return whether a dealt hand has unrecorded cards."""
    return cards.UNKNOWN in "".join(month.hands.values())


def make_deal(month: Month, misdealt: bool) -> Deal:
    """Return the deal of a month as an action."""
    return Deal(
        month.month,
        month.dealer,
        month.hands,
        month.field,
        month.stock,
        month.stock_cut,
        tuple(month.draws),
        month.split,
        misdealt,
    )


def read_mask(letters: str) -> int:
    """Return a written set of cards as a mask. Raise Illegal for a repeated card."""
    if not letters:
        return 0
    if len(letters) == 1:
        return cards.BIT[letters]
    cards_mask = cards.mask(letters)
    if cards_mask.bit_count() != len(letters):
        twice = next(card for card in letters if letters.count(card) > 1)
        raise Illegal(codes.CARD_TWICE, card=twice)
    return cards_mask


def find_comments(month: Month, *keys: str) -> list[str]:
    """Return the comments at the given statements of a month, by key."""
    if not month.notes:
        return []
    return [
        text
        for key, texts in month.notes.items()
        if key in keys or key.partition(".")[0] in keys
        for text in texts
    ]


def place_fault(fault: Fault, game: Game) -> Fault:
    """Return ``fault`` with line and column in the text of ``game``.

    Both are None for a text without lines (JSON).
    """
    month = None if fault.deal is None else game.months[fault.deal - 1]
    places = (_find_place(spot, month, game) for spot in fault.where)
    line, column = next((place for place in places if place is not None), (None, None))
    return replace(fault, line=line, column=column)


def _find_place(spot: Spot, month: Month | None, game: Game) -> Place | None:
    if spot == OF_GAME:
        return game.line, 1
    if month is None:
        return None
    if isinstance(spot, str):
        return month.places.get(spot)
    index, part = spot
    turn = month.turns[index]
    return turn.place if part == 1 else getattr(turn, "place2", None)
