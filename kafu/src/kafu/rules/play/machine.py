"""The interface of every ruleset: a state machine, for replay, statistics, editor and simulator.

`Machine.step` changes a state in place; `Machine.apply` returns a changed copy and the events. A
ruleset has its own subclass of `State` with more fields.
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
from kafu.rules.payments import PaymentTable
from kafu.rules.play.actions import (
    Action,
    Begin,
    CallAction,
    Deal,
    Draw,
    Illegal,
    Pile,
    Play,
    PlayEvent,
    Redeal,
    Say,
    ShowAction,
    Void,
)
from kafu.rules.play.completing import Budget
from kafu.rules.play.ledger import Entry, Thrown
from kafu.rules.play.table import TableCards
from kafu.rules.verdict import DealResult
from kafu.rules.yaku import Made, YakuTable


class Phase(StrEnum):
    """The expected action of a state.

    In order: a deal, bids, the draw pile after the bids, declarations of dealt hands, a hand card,
    a card of the draw pile, a decision; none after the end of the game.
    """

    DEAL = "deal"
    BID = "bid"
    PILE = "pile"
    SHOW = "show"
    HAND = "hand"
    STOCK = "stock"
    DECIDE = "decide"
    OVER = "over"


#: The phases of every turn, as constants: looking up members of an enumeration takes time.
AT_HAND: Final = Phase.HAND
AT_STOCK: Final = Phase.STOCK
AT_DECISION: Final = Phase.DECIDE
#: Phases outside of deals.
BETWEEN_DEALS: Final = (Phase.DEAL, Phase.OVER)
_NOTHING: Final = TableCards((), (), 0, (), (), 0, 0)
_FIELDS: Final = (
    "dealer",
    "deals",
    "entries",
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
    """The common fields of the states of all rulesets.

    A state changes in place from its deal to the end of the deal; the next deal makes a new state.

    ``month`` and ``dealer`` belong to the deal, after its end to the next deal (dealer 0: anybody).
    ``deals`` counts the deals begun, ``turn`` the turns begun in the deal; ``seat`` is the seat in
    turn (from 1). ``entries`` are the payments of the deal so far. ``result`` is the result of the
    last deal, None before the first and during a deal. ``totals`` are the sums so far and ``final``
    is the settlement of a finished game, for each seat in the small unit. ``heard`` collects events
    if it is a list. ``unproved`` is a claim of the last action about a hand with unknown cards
    (C9), by seat and label.
    """

    __slots__ = _FIELDS

    def __init__(self) -> None:
        """Begin before the first deal."""
        self.phase = Phase.DEAL
        self.month = 1
        self.dealer = 0
        self.deals = 0
        self.totals: tuple[int, ...] = ()
        self.table = _NOTHING
        self.grade: str | None = None
        self.seat = 0
        self.turn = 0
        self.entries: tuple[Entry, ...] = ()
        self.result: DealResult | None = None
        self.final: tuple[int, ...] | None = None
        self.heard: list[PlayEvent] | None = None
        self.unproved: tuple[int, str] | None = None

    @property
    def thrown(self) -> set[Thrown]:
        """The hatto cards of the deal; none in rulesets without 法度."""
        return set()

    #: The names of all fields; a ruleset adds its own.
    fields: ClassVar[tuple[str, ...]] = _FIELDS
    #: The names of fields without an effect once the turn is over.
    of_turn: ClassVar[frozenset[str]] = frozenset()

    def copy(self) -> Self:
        """Return an independent copy of the state."""
        state = type(self)()
        for name in self.fields:
            setattr(state, name, getattr(self, name))
        state.table = self.table.copy()
        return state

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and all(
            getattr(self, name) == getattr(other, name) for name in self.fields
        )

    def __repr__(self) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name in self.fields)
        return f"{type(self).__name__}({', '.join(shown)})"

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed, by name."""
        state = self.copy()
        for name, value in changes.items():
            setattr(state, name, value)
        return state

    def next_deal(self) -> Self:
        """Return the state of the next deal, with the month, dealer and sums of the game.

        A ruleset adds further fields to carry on.
        """
        state = type(self)()
        state.month, state.dealer, state.deals = self.month, self.dealer, self.deals + 1
        state.totals, state.heard = self.totals, self.heard
        return state


S = TypeVar("S", bound=State)


@mypyc_attr(allow_interpreted_subclasses=True)
class Machine(ABC, Generic[S]):
    """A ruleset with its options, for a number of players.

    A ruleset sets class variables in the body of the class, and the other attributes of each
    machine in ``__init__``: in the compiled library these exist nowhere else.
    """

    id: ClassVar[str]
    players: int
    #: The number of cards of a dealt hand.
    hand: ClassVar[int]
    #: Turns that make a round of the movetext.
    round: ClassVar[int]
    #: Captured-hand yaku of this house in every month, in the unit of the document.
    captured_yaku: YakuTable
    #: What a player may be paid for in this house, in a small field.
    payments: PaymentTable
    #: Decision words of this ruleset.
    words: ClassVar[frozenset[str]]
    #: Statements of kafu.md §4 allowed by this ruleset, in addition to hands, field and stock.
    statements: frozenset[str]

    @property
    def pays_hands(self) -> bool:
        """Whether dealt hands are paid without a declaration.

        If so, a record without ``show`` may still have paid hands.
        """
        return False

    @property
    def bars_hands(self) -> bool:
        """Whether some dealt hands require a new deal of the month without a declaration."""
        return False

    def find_payments(self, state: S) -> PaymentTable:
        """Return what a player may be paid for in the month."""
        return self.payments

    def is_decided(self, totals: Sequence[int]) -> bool:
        """Return whether sums after a month end the game before the last month (K15, K18)."""
        return False

    def find_carried(self, state: S) -> Hashable:
        """Return the effect of earlier deals on later ones, apart from the dealer; None for none.

        Seats in it count from the dealer.
        """
        return None

    def undecided_by_sums(self) -> Machine[S]:
        """Return the same rules without an end of the game by sums.

        This is the machine itself if sums never end a game.
        """
        return self

    @abstractmethod
    def start(self) -> S:
        """Return the state before the first deal."""

    @abstractmethod
    def deal(self, state: S, random: Random) -> Deal:
        """Return a random deal for the state, for simulated games."""

    @abstractmethod
    def legal_actions(self, state: S) -> Sequence[Action]:
        """Return the legal actions of the seat in turn; none before a deal and after the game.

        Declarations (`ShowAction`) of every seat are listed together with `Begin`, which ends
        declarations.
        """

    def claims(self, state: S) -> Sequence[Action]:
        """Return the valid claims of the seat in turn, which `legal_actions` leaves out."""
        return ()

    def pile(self, state: S, random: Random) -> Pile:
        """Return a random draw pile after the bids, for simulated games."""
        stock = list(cards.letters(cards.ALL & ~state.table.seen))
        random.shuffle(stock)
        return Pile("".join(stock))

    def in_play(self, state: S) -> tuple[int, ...]:
        """Return the seats that take part in the deal, in play order if some sit out."""
        return tuple(range(1, self.players + 1))

    def apply(self, state: S, action: Action) -> tuple[S, tuple[PlayEvent, ...]]:
        """Return the state after an action, and the events; ``state`` does not change.

        Raise `Illegal` if the rules forbid the action.
        """
        return self.play(state.copy(), action)

    def play(self, state: S, action: Action) -> tuple[S, tuple[PlayEvent, ...]]:
        """Apply an action to ``state`` itself, as `step`; return the state and the events."""
        seat, captured = state.seat, state.table.captured
        held = captured[seat - 1] if captured else 0
        before, state.heard, state.unproved = state, [], None
        state = self.step(state, action)
        heard, before.heard, state.heard = state.heard or [], None, None
        if isinstance(action, Play | Draw):
            gained = state.table.captured[seat - 1] & ~held
            if gained:
                label = "" if action.take else "left-out"
                heard.insert(0, PlayEvent("capture", seat, label, cards=gained))
        if state.unproved:
            heard.append(PlayEvent("unproved", *state.unproved))
        return state, tuple(heard)

    def step(self, state: S, action: Action) -> S:
        """Apply an action to ``state`` itself and return it; for a deal return a new state.

        Raise `Illegal` if the rules forbid the action. The state must not be used any more after
        that.
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
            case ShowAction():
                self._show(state, action)
            case CallAction(word, seat):
                self._call(state, word, seat)
            case Redeal(reason):
                self._redeal(state, reason)
            case Void():
                self._in_deal(state)
                self._void(state, action)
            case _:
                self._before_play(state, action)
        return state

    # Actions, to be overridden by each ruleset. Actions of few rulesets are refused here.

    @abstractmethod
    def hand_card(self, state: S, card: int, take: int) -> None:
        """Play a card of the hand of the seat in turn; masks, ``take`` as in `Play`."""

    @abstractmethod
    def stock_card(self, state: S, card: int, take: int) -> None:
        """Turn a card of the draw pile; masks, ``take`` as in `Draw`."""

    def resume(self, state: S, calls: tuple[int, ...]) -> None:
        """Complete a state whose cards were laid out before a hand card.

        ``calls`` are the decisions of each seat to play on, empty for none. Raise ValueError if the
        ruleset does not resume a deal with such calls.
        """
        if any(calls):
            raise ValueError(f"{self.id} resumes no deal with decisions to play on")

    def _find_caller(self, calls: tuple[int, ...]) -> int:
        """Return the seat with decisions to play on, 0 for none. Raise ValueError for several."""
        callers = [seat for seat, count in enumerate(calls, 1) if count]
        if len(callers) > 1:
            raise ValueError(f"only one seat of {self.id} plays on at a time")
        return callers[0] if callers else 0

    def count_quiet_turns(self, state: S) -> int:
        """Return the number of turns that may be quiet, from a hand card on.

        A quiet turn has no effect but on the table. Each of these turns plays a hand card and turns
        a card of the draw pile, and seats follow in the order of `in_play`.
        """
        return 0

    def find_loud_cards(self) -> int:
        """Return the cards (a mask) that a turn must move to need `is_quiet`."""
        return cards.ALL

    def is_quiet(self, state: S, card: int, take: int, drawn: int, taken: int) -> bool:
        """Return whether a turn is quiet apart from yaku for a decision.

        The seat in turn has played ``card`` with its capture ``take`` and turned ``drawn`` with
        ``taken`` (masks, 0 without a capture). Field, hands and captured cards have changed; the
        numbers of turns and of turned cards may be those of an earlier turn. Any turn may be called
        not quiet: `end_turn`, or `hand_card` and `stock_card`, then judge it.
        """
        return True

    def end_turn(self, state: S, card: int, take: int, drawn: int, taken: int) -> bool:
        """Judge a turn whose cards were moved, and go on; arguments as in `is_quiet`.

        The turn is one of `count_quiet_turns`, the numbers of turns and of turned cards have
        changed. Return False without a change if `hand_card` and `stock_card` have to judge it.
        """
        return False

    def list_decisions(self, state: S) -> tuple[str, ...]:
        """Return the legal decisions of the seat in turn, by which it stops or plays on."""
        return ()

    def say(self, state: S, word: str) -> None:
        """Apply a decision of the seat in turn."""
        raise Illegal(codes.DECISION_UNKNOWN, word=word)

    @abstractmethod
    def _deal(self, state: S, deal: Deal) -> S: ...

    @abstractmethod
    def _show(self, state: S, show: ShowAction) -> None: ...

    @abstractmethod
    def _begin(self, state: S) -> None: ...

    @abstractmethod
    def _redeal(self, state: S, reason: str) -> None: ...

    @abstractmethod
    def _void(self, state: S, void: Void) -> None: ...

    def _call(self, state: S, word: str, seat: int) -> None:
        raise Illegal(codes.NO_PLACE, statement=f"={word}")

    def _before_play(self, state: S, action: Action) -> None:
        """Apply an action before play: `Blind`, `Swap`, `Bid`, `Pile`."""
        self._no_place(action)

    def completion(self, state: S, extra: tuple[int, ...], work: Budget) -> dict[int, int] | None:
        """Return whole dealt hands (masks) for the hidden hands of a finished deal (C9).

        With the returned hands the deal would have paid each seat exactly ``extra`` more than was
        proved. None if no completion does. Raise `completing.TooLarge`. Only for rulesets that pay
        hands without a declaration.
        """
        return None

    def may_be_owed(self, state: S, work: Budget) -> bool:
        """Return whether some completion of hidden hands pays more than was proved (C9).

        The deal is finished. Raise the errors of `completion`.
        """
        return False

    @abstractmethod
    def yaku(self, state: S, seat: int) -> tuple[Made, ...]:
        """Return the captured-hand yaku of ``seat`` now."""

    def yaku_table(self, state: S) -> YakuTable:
        """Return the captured-hand yaku of a deal; a house may have a yaku of the month (K16)."""
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
        """Raise Illegal unless the dealer is ``due``; 0 allows anybody."""
        if due and deal.dealer != due:
            raise Illegal(
                codes.DEALER_DUE,
                expected=(str(due),),
                where="month",
                seat=deal.dealer,
                due=due,
            )

    def unsaid(self, state: S) -> Say | None:
        """Return the decision meant by silence when a decision is due; None to require a word."""
        return None

    def undecided(self, state: S) -> None:
        """Raise Illegal, with the legal words, if a decision is due."""
        if state.phase is Phase.DECIDE:
            due = tuple(say.word for say in self.legal_actions(state) if isinstance(say, Say))
            raise Illegal(codes.DECISION_DUE, expected=due, due=" / ".join(due))

    def _no_place(self, action: Action) -> NoReturn:
        """Raise Illegal for an action unknown to the ruleset."""
        raise Illegal(codes.NO_PLACE, statement=type(action).__name__.lower())

    def _in_deal(self, state: S) -> None:
        """Raise Illegal unless a deal is in play."""
        if state.phase in (Phase.DEAL, Phase.OVER):
            raise Illegal(codes.DEAL_OVER)

    def _await(self, state: S, phase: Phase) -> None:
        """Raise Illegal unless the state is in ``phase``, and name the expected action."""
        self._in_deal(state)
        self.undecided(state)
        if state.phase is Phase.BID:
            raise Illegal(codes.BID_DUE, expected=(str(state.seat),), seat=state.seat)
        if state.phase is not phase:
            raise Illegal(codes.NO_PLACE, statement=phase.value)
