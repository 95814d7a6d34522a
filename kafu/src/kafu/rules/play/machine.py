"""The interface of every ruleset: a state machine of plain values, for replay, statistics, editor
and simulator.

A state is immutable; `Machine.apply` gives the next one and the events. The core knows no ruleset:
a ruleset's own state has at least the fields of `State`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import StrEnum
from random import Random
from typing import Generic, NoReturn, Protocol, TypeVar

from kafu import cards
from kafu.rules import codes
from kafu.rules.play.actions import (
    Action,
    Begin,
    Call,
    Deal,
    Draw,
    Event,
    Illegal,
    Pile,
    Play,
    Redeal,
    Say,
    Show,
    Void,
)
from kafu.rules.play.completing import Budget
from kafu.rules.play.table import TableCards
from kafu.rules.verdict import DealResult
from kafu.rules.yaku import Made, YakuTable


class Phase(StrEnum):
    """What is awaited: a deal, bids, the stock that lies after them, declarations of dealt hands, a
    hand card, a stock card, a decision; or nothing, as the game is over.
    """

    DEAL = "deal"
    BID = "bid"
    PILE = "pile"
    SHOW = "show"
    HAND = "hand"
    STOCK = "stock"
    DECIDE = "decide"
    OVER = "over"


class State(Protocol):
    """The fields that the core reads of any ruleset's state.

    ``seat`` is the seat in turn (from 1), ``turn`` the turns begun in the deal, ``result`` how the
    last deal ended (None before the first and while one is played), ``final`` the settlement once
    the game is over, ``totals`` the sums so far, both a seat in the small unit.
    """

    @property
    def phase(self) -> Phase: ...
    @property
    def table(self) -> TableCards: ...
    @property
    def month(self) -> int: ...
    @property
    def grade(self) -> str | None: ...
    @property
    def turn(self) -> int: ...
    @property
    def seat(self) -> int: ...
    @property
    def totals(self) -> tuple[int, ...]: ...
    @property
    def result(self) -> DealResult | None: ...
    @property
    def final(self) -> tuple[int, ...] | None: ...


S = TypeVar("S", bound=State)


class Machine(ABC, Generic[S]):
    """One ruleset with its options, for a number of players."""

    id: str
    players: int
    #: The unit of the settlement in the verdict: 12 for kan, else 1.
    unit: int = 1
    #: Cards of a dealt hand.
    hand: int
    #: Turns that make a round of the movetext.
    round: int
    #: Captured-hand yaku of this house, in its own unit (mon, kan, points).
    captured_yaku: YakuTable
    #: Decision words of this ruleset.
    words: frozenset[str]
    #: Statements of kafu.md §4 beyond hands, field and stock that this ruleset allows.
    statements: frozenset[str]

    @abstractmethod
    def start(self) -> S:
        """The state before the first deal."""

    @abstractmethod
    def deal(self, state: S, random: Random) -> Deal:
        """A random deal that fits the state, for simulated games."""

    @abstractmethod
    def legal_actions(self, state: S) -> Sequence[Action]:
        """The legal actions of the player in turn; empty if a deal is awaited or the game is over.

        Declarations (`Show`) of every seat are listed with `Begin`, which goes on without one.
        """

    def pile(self, state: S, random: Random) -> Pile:
        """A random stock after the bids, for simulated games."""
        stock = list(cards.letters(cards.ALL & ~state.table.seen))
        random.shuffle(stock)
        return Pile("".join(stock))

    def in_play(self, state: S) -> tuple[int, ...]:
        """The seats that take part in the deal, if some sit out, in play order."""
        return tuple(range(1, self.players + 1))

    def apply(self, state: S, action: Action) -> tuple[S, tuple[Event, ...]]:
        """The state after an action, and the events. Raises `Illegal` if the rules forbid it."""
        match action:
            case Play():
                return self._play(state, action)
            case Draw():
                return self._turn(state, action)
            case Say(word):
                return self._say(state, word)
            case Deal():
                return self._deal(state, action)
            case Begin():
                return self._begin(state)
            case Show():
                return self._show(state, action)
            case Call(word, seat):
                return self._call(state, word, seat)
            case Redeal(reason):
                return self._redeal(state, reason)
            case Void():
                self._in_deal(state)
                return self._void(state, action)
        return self._before_play(state, action)

    # The actions, to be overridden by each ruleset; those that few have are refused here.

    @abstractmethod
    def _deal(self, state: S, deal: Deal) -> tuple[S, tuple[Event, ...]]: ...

    @abstractmethod
    def _show(self, state: S, show: Show) -> tuple[S, tuple[Event, ...]]: ...

    @abstractmethod
    def _begin(self, state: S) -> tuple[S, tuple[Event, ...]]: ...

    @abstractmethod
    def _play(self, state: S, action: Play) -> tuple[S, tuple[Event, ...]]: ...

    @abstractmethod
    def _turn(self, state: S, action: Draw) -> tuple[S, tuple[Event, ...]]: ...

    @abstractmethod
    def _redeal(self, state: S, reason: str) -> tuple[S, tuple[Event, ...]]: ...

    @abstractmethod
    def _void(self, state: S, void: Void) -> tuple[S, tuple[Event, ...]]: ...

    def _say(self, state: S, word: str) -> tuple[S, tuple[Event, ...]]:
        raise Illegal(codes.DECISION_UNKNOWN, word=word)

    def _call(self, state: S, word: str, seat: int) -> tuple[S, tuple[Event, ...]]:
        raise Illegal(codes.NO_PLACE, statement=f"={word}")

    def _before_play(self, state: S, action: Action) -> tuple[S, tuple[Event, ...]]:
        """Bids and related actions: `Blind`, `Swap`, `Bid`, `Pile`."""
        self._no_place(action)

    def completion(self, state: S, extra: tuple[int, ...], work: Budget) -> dict[int, int] | None:
        """Whole dealt hands (masks) of some seats that are hidden in a deal that has ended, with
        which it would have brought each seat so much more than was proved (C9); None where no
        completion does. Raises `completing.TooLarge`. Only where hands are paid without a word.
        """
        return None

    def may_be_owed(self, state: S, work: Budget) -> bool:
        """Whether some completion of the hidden hands of a deal that has ended would have brought
        more than was proved (C9). Raises as `completion` does.
        """
        return False

    @abstractmethod
    def yaku(self, state: S, seat: int) -> tuple[Made, ...]:
        """The captured-hand yaku that ``seat`` has now."""

    def _month_due(self, state: S, deal: Deal) -> None:
        """Raise Illegal unless a deal of this month is due."""
        if state.phase is Phase.OVER:
            raise Illegal(codes.GAME_OVER, where="month")
        if deal.month != state.month:
            raise Illegal(
                codes.MONTH_DUE,
                expected=(str(state.month),),
                where="month",
                month=deal.month,
                due=state.month,
            )

    def _dealer_due(self, deal: Deal, due: int) -> None:
        """Raise Illegal unless ``due`` deals; 0 is anybody."""
        if due and deal.dealer != due:
            raise Illegal(
                codes.DEALER_DUE,
                expected=(str(due),),
                where="month",
                seat=deal.dealer,
                due=due,
            )

    def unsaid(self, state: S) -> Say | None:
        """The decision that silence means where one is awaited; None if it must be declared."""
        return None

    def undecided(self, state: S) -> None:
        """Raise Illegal, with the legal words, if a decision is awaited."""
        if state.phase is Phase.DECIDE:
            due = tuple(say.word for say in self.legal_actions(state) if isinstance(say, Say))
            raise Illegal(codes.DECISION_DUE, expected=due, due=" / ".join(due))

    def _no_place(self, action: Action) -> NoReturn:
        """Raise Illegal for an action that this ruleset does not have."""
        raise Illegal(codes.NO_PLACE, statement=type(action).__name__.lower())

    def _in_deal(self, state: S) -> None:
        """Raise Illegal unless a deal is in play."""
        if state.phase in (Phase.DEAL, Phase.OVER):
            raise Illegal(codes.DEAL_OVER)

    def _await(self, state: S, phase: Phase) -> None:
        """Raise Illegal, with what is due, unless ``phase`` is what the state awaits."""
        self._in_deal(state)
        self.undecided(state)
        if state.phase is Phase.BID:
            raise Illegal(codes.BID_DUE, expected=(str(state.seat),), seat=state.seat)
        if state.phase is not phase:
            raise Illegal(codes.NO_PLACE, statement=phase.value)
