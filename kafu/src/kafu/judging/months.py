"""The written parts of a month in the form for the machine."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, Final

from kafu import cards
from kafu.notation.game import NUMBERED, Month
from kafu.rules import codes
from kafu.rules.play.actions import Deal, Illegal
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
    field, split = values.get("field"), values.get("split")
    return Deal(number, dealer, hands, field, stock, is_cut, draws, split, misdealt)
