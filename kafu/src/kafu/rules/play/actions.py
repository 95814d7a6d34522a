"""Actions and events of a deal: the machine's vocabulary, shared by all rulesets.

Cards are masks (`kafu.cards`): one bit for a card played, any number for a capture.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from kafu.notation.faults import Code


class Deal(NamedTuple):
    """A deal of a month: an act of chance, as recorded. Card strings as in
    `kafu.notation.game.Month`.

    ``misdealt`` says that the deal was thrown in for a mistake in dealing (``redeal misdeal``,
    ``void misdeal``, ``void mismatch``; H25), so that its cards need not be right.
    """

    month: int
    dealer: int
    hands: dict[int, str]
    field: str | None
    stock: str | None
    stock_cut: bool = False
    draws: tuple[dict[int, str], ...] = ()
    split: Mapping[int, str] = MappingProxyType({})
    misdealt: bool = False


class Blind(NamedTuple):
    """みずてん: the dealer goes in before any bid, and unseen (B3)."""

    seat: int


class Swap(NamedTuple):
    """親手をもらう: a seat takes the dealer's dealt hand for its own, before any is seen (T4)."""

    seat: int


class Bid(NamedTuple):
    """出る or 下りる: whether a seat takes part in the deal; three do (B3, T3)."""

    seat: int
    goes_in: bool


class Pile(NamedTuple):
    """The stock as it lies after the bids, the hands of those who are out shuffled into it: an act
    of chance (B5, T3). As in `Deal`.
    """

    stock: str | None
    stock_cut: bool = False


class Show(NamedTuple):
    """A dealt-hand declaration (手役): yaku ids and the cards laid open.

    ``disputed``: the record says later that it proved wrong (``=void-show``).
    """

    seat: int
    yaku: tuple[str, ...]
    cards: int
    disputed: bool = False


class Begin(NamedTuple):
    """No more declarations: the first card may be played, or the deal ends by what was shown."""


class Play(NamedTuple):
    """A card from the hand of the seat whose turn it is, and what it captures (0: nothing
    named).
    """

    card: int
    take: int = 0


class Draw(NamedTuple):
    """The card turned from the stock, and what it captures (0: nothing named)."""

    card: int
    take: int = 0


class Say(NamedTuple):
    """A decision of the seat whose turn it is: ``shobu``, ``koikoi``, ``agari``, ``sage`` …"""

    word: str


class Call(NamedTuple):
    """A word between turns: ``torikeshi``, ``void-show``."""

    word: str
    seat: int


class Redeal(NamedTuple):
    """The deal ends without play and the month is dealt again (C10)."""

    reason: str


class Void(NamedTuple):
    """The deal is abandoned in play and the same dealer deals the month again (C6); ``played`` says
    that the record has turns of it (those of a misdealt deal are not applied).
    """

    reason: str
    played: bool = False


Action = Deal | Blind | Swap | Bid | Pile | Show | Begin | Play | Draw | Say | Call | Redeal | Void


class Event(NamedTuple):
    """An effect of an action. ``seat`` 0 is nobody; amounts in the small unit.

    Kinds: ``capture`` (cards: the captured ones, ``label`` "left-out" if the record did not name
    it), ``yaku`` (label, amount: made or grown), ``right`` (a decision is due), ``pay`` (label,
    amounts: a payment to ``seat``), ``unproved`` (label: a claim about a hand with unknown cards,
    C9), ``deal-end`` (label: how, amounts: the score), ``game-end`` (amounts: the settlement).

    ``why`` of a payment is "share" (each other player pays), "hatto" or "sage" (``payer`` pays all:
    for the hatto card ``cards`` thrown in ``turn``, or for being in 下げ since ``turn``), or
    "calls" (``amount`` calls of こいこい multiply a total, K17).
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
    """An action that the rules do not allow now. ``where`` names the statement at fault, if one
    is; ``action`` is the action, once a record's playthrough knows it.
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
