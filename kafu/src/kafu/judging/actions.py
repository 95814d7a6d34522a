"""Actions and events in card letters, and in the form of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from kafu import cards
from kafu.notation.actions import Action
from kafu.rules import codes
from kafu.rules.play import actions as engine
from kafu.rules.play.table import TableCards

#: The values of `Event.kind`.
EventKind = Literal[
    "bid",
    "swap",
    "show",
    "say",
    "capture",
    "yaku",
    "right",
    "pay",
    "unproved",
    "deal-end",
    "game-end",
]


@dataclass(frozen=True, slots=True)
class Event:
    """The effect of an action; seat 0 is nobody, and amounts are in the small unit.

    ``kind`` is ``bid``, ``swap``, ``show`` or ``say`` (the action itself, with its word as
    ``label``), ``capture`` (``cards``), ``yaku`` (a new or grown yaku: ``label``, ``amount``),
    ``right`` (a decision is due), ``pay`` (``label``, ``amounts`` by seat), ``unproved`` (a claim
    about unknown cards), ``deal-end`` (``label``: the way it ended, ``amounts``: the score) or
    ``game-end`` (``amounts``: the settlement). If one seat pays for all, ``why``, ``payer`` and
    ``turn`` explain the payment. With the ``why`` ``calls``, ``amount`` is the number of koi-koi
    calls that multiply a total (K17).

    >>> import kafu
    >>> table = kafu.Table("koikoi").deal(7).apply("begin")
    >>> table = table.apply(table.legal_actions[0])
    >>> [(event.kind, event.seat, event.cards) for event in table.events]
    []
    """

    kind: EventKind
    seat: int = 0
    label: str = ""
    amount: int = 0
    cards: str = ""
    amounts: tuple[int, ...] = ()
    payer: int = 0
    why: str = ""
    turn: int = 0


@lru_cache(maxsize=1 << 12)  # the cards and captures of all games recur
def to_engine(action: Action) -> engine.Action:
    """Return an action in the form of the rules.

    Raises Illegal for a repeated card, ValueError for an invalid action, and for an action of
    chance.
    """
    kind, seat, card, take, word = action
    try:
        match kind:
            case "hand":
                return engine.Play(cards.BIT[card], _read_mask(take))
            case "stock":
                return engine.Draw(cards.BIT[card], _read_mask(take))
            case "show":
                return engine.ShowAction(seat, tuple(word.split("+")), _read_mask(take))
            case "bid" if word in ("in", "out"):
                return engine.Bid(seat, word == "in")
    except KeyError as error:
        raise ValueError(f"no such card: {error}") from None
    match kind:
        case "say":
            return engine.Say(word)
        case "redeal":
            return engine.Redeal(word)
        case "void":
            return engine.Void(word)
        case "blind":
            return engine.Blind(seat)
        case "swap":
            return engine.Swap(seat)
        case "call":
            return engine.CallAction(word, seat)
        case "begin":
            return engine.Begin()
    raise ValueError(f"nothing that a player does: {action}")


def _read_mask(letters: str) -> int:
    """Return a written set of cards as a mask. Raise Illegal for a repeated card."""
    cards_mask = cards.mask(letters)
    if cards_mask.bit_count() != len(letters):
        twice = next(card for card in letters if letters.count(card) > 1)
        raise engine.Illegal(codes.CARD_TWICE, card=twice)
    return cards_mask


def from_engine(action: engine.Action, seat: int) -> Action:
    """Return an action of the rules in letters; ``seat`` is the seat in turn."""
    match action:
        case engine.Play(card, take):
            return Action("hand", seat, cards.letters(card), cards.letters(take))
        case engine.Draw(card, take):
            return Action("stock", seat, cards.letters(card), cards.letters(take))
        case engine.Say(word):
            return Action("say", seat, say=word)
        case engine.ShowAction(by, yaku, shown):
            return Action("show", by, take=cards.letters(shown), say="+".join(yaku))
        case engine.Bid(by, goes_in):
            return Action("bid", by, say="in" if goes_in else "out")
        case engine.Blind(by):
            return Action("blind", by)
        case engine.Swap(by):
            return Action("swap", by)
        case engine.CallAction(word, by):
            return Action("call", by, say=word)
        case engine.Redeal(reason):
            return Action("redeal", say=reason)
        case engine.Void(reason):
            return Action("void", say=reason)
        case engine.Deal(month, dealer):
            return Action("deal", say=f"month {month} dealer {dealer}")
        case engine.Begin():
            return Action("begin")
    return Action("pile")


def write_hands(table: TableCards) -> tuple[str, ...]:
    """Return the hands of a table in letters, with ``?`` for each unknown card."""
    return tuple(
        cards.letters(hand) + cards.UNKNOWN * hidden
        for hand, hidden in zip(table.hands, table.hidden, strict=True)
    )


def event_of(event: engine.PlayEvent) -> Event:
    """Return an event of the rules in letters."""
    return Event(**event._asdict() | {"cards": cards.letters(event.cards)})
