"""The interface of every ruleset: a state machine, for replay, statistics, editor
and simulator.

`Machine.step` changes a state in place; `Machine.apply` leaves it alone and gives the next one and
the events. The core knows no ruleset: a ruleset's own state is a `State` with more fields.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from enum import StrEnum
from random import Random
from typing import Any, ClassVar, Final, Generic, NoReturn, Self, TypeVar

from kafu import cards
from kafu.native import mypyc_attr
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


#: The phases that every turn has, as constants: an enumeration's members take time to look up.
AT_HAND: Final = Phase.HAND
AT_STOCK: Final = Phase.STOCK
AT_DECISION: Final = Phase.DECIDE
_NOTHING: Final = TableCards((), (), 0, (), (), 0, 0)
_FIELDS: Final = (
    "dealer",
    "deals",
    "final",
    "grade",
    "heard",
    "month",
    "phase",
    "result",
    "seat",
    "table",
    "totals",
    "turn",
    "unproved",
)


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """What the states of all rulesets have. A state changes in place from its deal to the end of
    it; the next deal makes a new one.

    ``month`` and ``dealer`` are those of the deal, after it those of the next one (dealer 0:
    anybody), ``deals`` how many were begun, ``seat`` the seat in turn (from 1), ``turn`` the turns
    begun in the deal, ``result`` how the last deal ended (None before the first and while one is
    played), ``final`` the settlement once the game is over, ``totals`` the sums so far, both a seat
    in the small unit. ``heard`` collects the events for who asks, and is None else; ``unproved`` is
    a claim, by seat and label, that the last action made about a hand with unknown cards (C9).
    """

    __slots__ = _FIELDS

    def __init__(self) -> None:
        """Before the first deal."""
        self.phase = Phase.DEAL
        self.month = 1
        self.dealer = 0
        self.deals = 0
        self.totals: tuple[int, ...] = ()
        self.table = _NOTHING
        self.grade: str | None = None
        self.seat = 0
        self.turn = 0
        self.result: DealResult | None = None
        self.final: tuple[int, ...] | None = None
        self.heard: list[Event] | None = None
        self.unproved: tuple[int, str] | None = None

    @property
    def carried(self) -> Hashable:
        """What earlier months bear on the deal that is due, apart from who deals: None where that
        is nothing.
        """
        return None

    #: The names of all fields; a ruleset adds its own.
    fields: ClassVar[tuple[str, ...]] = _FIELDS

    def copy(self) -> Self:
        """The same state as another value, which changes on its own."""
        other = type(self)()
        for name in self.fields:
            setattr(other, name, getattr(self, name))
        other.table = self.table.copy()
        return other

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and all(
            getattr(self, name) == getattr(other, name) for name in self.fields
        )

    def __repr__(self) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name in self.fields)
        return f"{type(self).__name__}({', '.join(shown)})"

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed, by name."""
        other = self.copy()
        for name, value in changes.items():
            setattr(other, name, value)
        return other

    def next_deal(self) -> Self:
        """The state of the next deal of the month that is due, with what the game carries on; a
        ruleset adds what it does.
        """
        other = type(self)()
        other.month, other.dealer, other.deals = self.month, self.dealer, self.deals + 1
        other.totals, other.heard = self.totals, self.heard
        return other


S = TypeVar("S", bound=State)


@mypyc_attr(allow_interpreted_subclasses=True)
class Machine(ABC, Generic[S]):
    """One ruleset with its options, for a number of players.

    A ruleset gives class variables in the body of its class, and the others to each machine, in
    ``__init__``: where the library is compiled they are found nowhere else.
    """

    id: ClassVar[str]
    players: int
    #: The unit of the settlement in the verdict: 12 for kan, else 1.
    unit: ClassVar[int] = 1
    #: Cards of a dealt hand.
    hand: ClassVar[int]
    #: Turns that make a round of the movetext.
    round: ClassVar[int]
    #: Captured-hand yaku of this house that every month has, in its own unit (mon, kan, points).
    captured_yaku: YakuTable
    #: Decision words of this ruleset.
    words: ClassVar[frozenset[str]]
    #: Statements of kafu.md §4 beyond hands, field and stock that this ruleset allows.
    statements: frozenset[str]

    @property
    def pays_hands(self) -> bool:
        """Whether dealt hands are paid without a declaration, so that silence tells of them."""
        return False

    @property
    def bars_hands(self) -> bool:
        """Whether some dealt hands have the month dealt again without a declaration."""
        return False

    def is_decided(self, totals: Sequence[int]) -> bool:
        """Whether such sums after a month end the game before its months are over (K15, K18)."""
        return False

    def undecided_by_sums(self) -> Machine[S]:
        """The same rules without what ends a game by its sums: these rules, where nothing does."""
        return self

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

    def claims(self, state: S) -> Sequence[Action]:
        """The claims that the seat in turn may rightly make now; `legal_actions` has none."""
        return ()

    def pile(self, state: S, random: Random) -> Pile:
        """A random stock after the bids, for simulated games."""
        stock = list(cards.letters(cards.ALL & ~state.table.seen))
        random.shuffle(stock)
        return Pile("".join(stock))

    def in_play(self, state: S) -> tuple[int, ...]:
        """The seats that take part in the deal, if some sit out, in play order."""
        return tuple(range(1, self.players + 1))

    def apply(self, state: S, action: Action) -> tuple[S, tuple[Event, ...]]:
        """The state after an action, and the events; ``state`` stays as it is.

        Raises `Illegal` if the rules forbid it.
        """
        after = state.copy()
        after.heard, after.unproved = [], None
        after = self.step(after, action)
        heard, after.heard = after.heard or [], None
        if isinstance(action, Play | Draw):
            i = state.seat - 1
            if taken := after.table.captured[i] & ~state.table.captured[i]:
                label = "" if action.take else "left-out"
                heard.insert(0, Event("capture", state.seat, label, cards=taken))
        if after.unproved:
            heard.append(Event("unproved", *after.unproved))
        return after, tuple(heard)

    def step(self, state: S, action: Action) -> S:
        """Apply an action to ``state`` itself, and return it; after a deal a new state.

        Raises `Illegal` if the rules forbid it: then ``state`` is of no use any more.
        """
        match action:
            case Play(card, take):
                self.hand_card(state, card, take)
            case Draw(card, take):
                self.stock_card(state, card, take)
            case Say(word):
                self.say(state, word)
            case Deal():
                return self._deal(state, action)
            case Begin():
                self._begin(state)
            case Show():
                self._show(state, action)
            case Call(word, seat):
                self._call(state, word, seat)
            case Redeal(reason):
                self._redeal(state, reason)
            case Void():
                self._in_deal(state)
                self._void(state, action)
            case _:
                self._before_play(state, action)
        return state

    # The actions, to be overridden by each ruleset; those that few have are refused here.

    @abstractmethod
    def hand_card(self, state: S, card: int, take: int) -> None:
        """Play a card of the hand of the seat in turn; masks, ``take`` as of `Play`."""

    @abstractmethod
    def stock_card(self, state: S, card: int, take: int) -> None:
        """Turn a card of the stock; masks, ``take`` as of `Draw`."""

    def say(self, state: S, word: str) -> None:
        """A decision of the seat in turn."""
        raise Illegal(codes.DECISION_UNKNOWN, word=word)

    @abstractmethod
    def _deal(self, state: S, deal: Deal) -> S: ...

    @abstractmethod
    def _show(self, state: S, show: Show) -> None: ...

    @abstractmethod
    def _begin(self, state: S) -> None: ...

    @abstractmethod
    def _redeal(self, state: S, reason: str) -> None: ...

    @abstractmethod
    def _void(self, state: S, void: Void) -> None: ...

    def _call(self, state: S, word: str, seat: int) -> None:
        raise Illegal(codes.NO_PLACE, statement=f"={word}")

    def _before_play(self, state: S, action: Action) -> None:
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

    def yaku_table(self, state: S) -> YakuTable:
        """The captured-hand yaku that count in the deal of a state; a house may have one of a month
        (K16).
        """
        return self.captured_yaku

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
