"""Legal actions as Kafu, as alternatives to a record's actions."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any, Final

from kafu import cards
from kafu.notation.json_types import OneOf
from kafu.rules.play.actions import (
    Action,
    Bid,
    Blind,
    Call,
    Draw,
    Play,
    Redeal,
    Say,
    Show,
    Swap,
    Void,
)

#: The place of the stock card in a move while it is yet to be turned.
REST: Final = "/…"
MoveKind = Annotated[
    str,
    OneOf(
        "MoveKind",
        (
            *("hand", "stock", "say", "show", "bid", "blind"),
            *("swap", "call", "redeal", "month", "round"),
        ),
    ),
]


@dataclass(frozen=True, slots=True)
class Option:
    """One legal move, as Kafu and in the fields of a replay step.

    ``card`` and ``take`` are letters, ``say`` the word, yaku, reason or number.
    """

    text: Annotated[str, "`/…` stands for the card from the draw pile."]
    kind: MoveKind
    seat: int = 0
    card: str = ""
    take: str = ""
    say: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the object of docs/api.md's ``legal``."""
        return asdict(self)


def make_option(action: Action, seat: int, turn: str) -> Option:
    """Return a legal action as an option of ``seat``; ``turn`` is the text of the turn so far.

    ``action`` is from `Machine.legal_actions`, but not the unwritten `Begin`.
    """
    match action:
        case Play(card, take):
            move = capture_text(card, take) + REST
            return Option(move, "hand", seat, cards.letters(card), cards.letters(take))
        case Draw(card, take):
            move = f"{turn}/{capture_text(card, take)}"
            return Option(move, "stock", seat, cards.letters(card), cards.letters(take))
        case Say(word):
            return Option(f"{turn}={word}", "say", seat, say=word)
        case Show(by, yaku, shown):
            say = "+".join(yaku)
            return Option(statement_text(action), "show", by, take=cards.letters(shown), say=say)
        case Bid(by, goes_in):
            return Option(statement_text(action), "bid", by, say="in" if goes_in else "out")
        case Call(word, by):
            return Option(statement_text(action), "call", by, say=word)
        case Redeal(reason):
            return Option(statement_text(action), "redeal", say=reason)
    assert isinstance(action, Blind | Swap), "no ruleset lists others"
    return Option(statement_text(action), type(action).__name__.lower(), action.seat)


def distance(action: Action, card: int, take: int) -> tuple[Any, ...]:
    """Return the distance of an action from ``card`` with the capture ``take``, as a sorting key.

    The same card, the same capture and the same month come first; actions without a card come last.
    """
    if not isinstance(action, Play | Draw):
        return (True, isinstance(action, Call))
    month = cards.MATCH[card] if card else 0
    return (
        False,
        action.card != card,
        not take or action.take != take,
        not action.card & month,
        action.card,
        action.take,
    )


def capture_text(card: int, take: int) -> str:
    """Return a card and its capture as Kafu: ``BxA``."""
    return f"{cards.letters(card)}x{cards.letters(take)}" if take else cards.letters(card)


def bid_text(bid: Bid) -> str:
    return f"{bid.seat}{'in' if bid.goes_in else 'out'}"


def statement_text(action: Call | Show | Bid | Blind | Swap | Redeal | Void) -> str:
    """Return a statement or call as Kafu."""
    match action:
        case Call(word, seat):
            return f"={word} {seat}"
        case Show(seat, yaku, shown):
            return f"show {seat} {'+'.join(yaku)} {cards.letters(shown) or '-'}"
        case Bid():
            return f"bid {bid_text(action)}"
        case Blind(seat):
            return f"blind {seat}"
        case Swap(seat):
            return f"swap {seat}"
        case Redeal(reason):
            return f"redeal {reason}"
    return f"void {action.reason}"
