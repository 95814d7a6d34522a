"""The written parts of a month in the form for the machine."""

from __future__ import annotations

from typing import Any

from kafu import cards
from kafu.notation.game import Month
from kafu.rules import codes
from kafu.rules.play.actions import Deal, Illegal
from kafu.rules.play.machine import Machine


def check_statements(month: Month, machine: Machine[Any]) -> None:
    """Raise Illegal for a statement that the ruleset does not allow."""
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
        if value and statement not in machine.statements:
            raise Illegal(codes.NO_PLACE, where=where, statement=statement)


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
