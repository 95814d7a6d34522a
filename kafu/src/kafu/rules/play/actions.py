"""Actions and events of a deal, the vocabulary of the state machines of all rulesets.

Cards are masks (`kafu.cards`): one bit for a card played, any number for a capture.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from kafu.notation.faults import Code


class Deal(NamedTuple):
    """A deal of a month, a chance action as recorded.

    Card strings are as in `kafu.notation.game.Month`. ``misdealt``: the deal was thrown in for a
    mistake in dealing (``redeal misdeal``, ``void misdeal``, ``void mismatch``; H25), so the cards
    need not be right.
    """

    month: int
    dealer: int
    hands: dict[int, str]
    field: str | None
    stock: str | None
    stock_cut: bool = False
    draws: tuple[dict[int, str], ...] = ()
    split: Mapping[int, str] | None = None
    misdealt: bool = False


class Blind(NamedTuple):
    """みずてん: the dealer goes in before any bid, without seeing the hand (B3)."""

    seat: int


class Swap(NamedTuple):
    """親手をもらう: a seat takes the dealer's dealt hand in exchange for its own, unseen (T4)."""

    seat: int


class Bid(NamedTuple):
    """出る or 下りる: a seat goes in or stays out; three seats play (B3, T3)."""

    seat: int
    goes_in: bool


class Pile(NamedTuple):
    """The draw pile after the bids, with the hands of seats that are out shuffled in (B5, T3).

    A chance action; the fields are as in `Deal`.
    """

    stock: str | None
    stock_cut: bool = False


class ShowAction(NamedTuple):
    """A dealt-hand declaration (手役): yaku ids and the cards laid open.

    ``disputed``: the record strikes the declaration out later, as false (``=void-show``).
    """

    seat: int
    yaku: tuple[str, ...]
    cards: int
    disputed: bool = False


class Begin(NamedTuple):
    """The end of declarations: the first card may be played, or the shown hands end the deal."""


class Play(NamedTuple):
    """A card from the hand of the seat in turn, and the captured cards (0: none named)."""

    card: int
    take: int = 0


class Draw(NamedTuple):
    """A card turned from the draw pile, and the captured cards (0: none named)."""

    card: int
    take: int = 0


class Say(NamedTuple):
    """A decision of the seat in turn: ``shobu``, ``koikoi``, ``agari``, ``sage`` and others."""

    word: str


class CallAction(NamedTuple):
    """A word between turns: ``torikeshi``, ``void-show``."""

    word: str
    seat: int


class Redeal(NamedTuple):
    """The end of a deal without play; the month is dealt again (C10)."""

    reason: str


class Void(NamedTuple):
    """The end of a deal abandoned in play; the same dealer deals the month again (C6).

    ``played``: the record has turns of the deal. Turns of a misdealt deal are not applied.
    """

    reason: str
    played: bool = False


Action = (
    Deal
    | Blind
    | Swap
    | Bid
    | Pile
    | ShowAction
    | Begin
    | Play
    | Draw
    | Say
    | CallAction
    | Redeal
    | Void
)


class PlayEvent(NamedTuple):
    """An effect of an action. ``seat`` 0 is nobody; amounts are in the small unit.

    Kinds: ``capture`` (``cards`` are the captured ones, ``label`` is "left-out" if the record did
    not name them), ``yaku`` (``label`` and ``amount`` of a new or grown yaku), ``right`` (a
    decision is due), ``pay`` (``label`` and ``amounts`` of a payment to ``seat``), ``unproved``
    (``label`` of a claim about a hand with unknown cards, C9), ``deal-end`` (``label`` is the end,
    ``amounts`` the score), ``game-end`` (``amounts`` are the settlement).

    ``why`` is the reason of a payment. "share": each other player pays. "hatto" or "sage":
    ``payer`` pays all, for the hatto card ``cards`` discarded in ``turn``, or for being in 下げ
    since ``turn``. "calls": ``amount`` calls of こいこい multiply a total (K17).
    """

    kind: str
    seat: int = 0
    label: str = ""
    amount: int = 0
    cards: int = 0
    amounts: tuple[int, ...] = ()
    payer: int = 0
    why: str = ""
    turn: int = 0


class Illegal(Exception):
    """An action against the rules.

    ``where`` names the statement at fault, if any; ``action`` is set by the playthrough of a
    record.
    """

    def __init__(
        self, code: Code, *, where: str = "", expected: tuple[str, ...] = (), **values: Any
    ) -> None:
        super().__init__(code.text("en", values))
        self.action: Action | None = None
        self.code = code
        self.where = where
        self.expected = expected
        self.values = values
