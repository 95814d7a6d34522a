"""The written parts of a month in the form for the machine."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, Final

from kafu import cards
from kafu.notation.game import NUMBERED, Call, Month, Statement
from kafu.rules import codes
from kafu.rules.play.actions import (
    Action,
    Bid,
    Blind,
    Deal,
    Illegal,
    Redeal,
    ShowAction,
    Swap,
    Void,
)
from kafu.rules.play.machine import Machine

#: Statements that not every ruleset allows.
_NOT_EVERYWHERE: Final = ("draw", "split", "blind", "swap", "bid", "ba")


def check_statements(keywords: Container[str], machine: Machine[Any]) -> None:
    """Raise Illegal for a statement that the ruleset does not allow."""
    for keyword in _NOT_EVERYWHERE:
        if keyword in keywords and keyword not in machine.statements:
            where = f"{keyword}.0" if keyword in NUMBERED else keyword
            raise Illegal(codes.NO_PLACE, where=where, statement=keyword)


def is_hidden(month: Month) -> bool:
    """Return whether a dealt hand has unrecorded cards."""
    hands = [statement.value[1] for statement in month.written if statement.keyword == "hand"]
    return cards.UNKNOWN in "".join(hands)


def make_deal(month: Month, misdealt: bool) -> Deal:
    """Return the deal of a month as an action."""
    values = {statement.keyword: statement.value for statement in month.written}
    number, dealer = values["month"]
    hands = dict([item.value for item in month.written if item.keyword == "hand"])
    stock, is_cut = values.get("stock", (None, False))
    draws = month.draws if "draw" in values else ()
    field, split = values.get("field"), values.get("split", {})
    return Deal(number, dealer, hands, field, stock, is_cut, draws, split, misdealt)


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


def read_actions(statement: Statement, month: Month) -> list[Action]:
    """Return the actions of a statement between the cards and the turns, or at the end."""
    value = statement.value
    match statement.keyword:
        case "blind":
            return [Blind(value)]
        case "swap":
            return [Swap(value)]
        case "bid":
            return [Bid(*bid) for bid in value]
        case "show":
            disputed = month.rows is None and any(  # rows contain no calls
                isinstance(call, Call) and (call.word, call.seat) == ("void-show", value.seat)
                for call in month.turns
            )
            return [ShowAction(value.seat, value.yaku, read_mask(value.cards), disputed)]
        case "redeal":
            return [Redeal(value)]
    return [Void(value, month.played > 0)]
