"""Positions of a record's actions, in the order of play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from kafu.notation.game import Month, Turn
from kafu.rules.play.actions import (
    Action,
    Bid,
    Blind,
    Call,
    Deal,
    Draw,
    Play,
    Redeal,
    Say,
    Show,
    Swap,
    Void,
)


class Place(NamedTuple):
    """The position of one action in a month.

    ``kind`` is the kind of a replay step. ``number`` counts swaps, bids, declarations or entries of
    `Month.turns`. ``word`` counts the decisions of a turn; ``early`` marks a decision before the
    stock card.
    """

    kind: str
    number: int = 0
    word: int = 0
    early: bool = False


def places(month: Month) -> Iterator[Place]:
    """Yield the positions of all written actions of a deal."""
    yield Place("deal")
    if month.blind is not None:
        yield Place("blind")
    yield from (Place("swap", i) for i in range(len(month.swaps)))
    yield from (Place("bid", i) for i in range(len(month.bids)))
    yield from (Place("show", i) for i in range(len(month.shows)))
    if month.redeal:
        yield Place("redeal")
    for i, item in enumerate(month.turns):
        if not isinstance(item, Turn):
            yield Place("call", i)
            continue
        yield Place("hand", i)
        yield from (Place("say", i, word, early=True) for word in range(len(item.say1)))
        if item.turn:
            yield Place("stock", i)
        yield from (Place("say", i, word) for word in range(len(item.say)))
    if month.void:
        yield Place("void")


#: The kind of each action that is written.
_KINDS: Final[dict[type, str]] = {
    Deal: "deal",
    Blind: "blind",
    Swap: "swap",
    Bid: "bid",
    Show: "show",
    Redeal: "redeal",
    Play: "hand",
    Draw: "stock",
    Say: "say",
    Call: "call",
    Void: "void",
}


def kind_of(action: Action) -> str:
    """Return the kind of an action, as in `Place`.

    Return "" for an unwritten action: the beginning of play, or the stock after the bids.
    """
    return _KINDS.get(type(action), "")
