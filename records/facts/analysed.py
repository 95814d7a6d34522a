"""Values of an analysis by choice, deal and seat, in whole thousandths of the small unit."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot
from typing import Any, Final, NamedTuple

from kafu.analysis.choices import BID, SAY
from kafu.analysis.report import Choice, DealParts
from kafu.rules.rulesets import RULESETS

#: The unit of stored amounts of an analysis, as a part of the small unit.
THOUSANDTHS: Final = 1000
#: The bids that go in, as `kafu.analysis.choices.format_option` writes them.
_GOING_IN: Final = ("in", "blind")


def list_loss_values(choice: Choice, ruleset: str) -> tuple[Any, ...]:
    """Return the own values of a row of the table ``losses``."""
    word = choice["played"] if choice["kind"] in (SAY, BID) else None
    loss = round(THOUSANDTHS * choice["loss"])
    return choice["kind"], loss, choice["costly"], word, is_bold(choice, ruleset)


def is_bold(choice: Mapping[str, Any], ruleset: str) -> bool | None:
    """Return whether a choice plays on or goes in; None for a choice without such a word."""
    words = RULESETS[ruleset].choice
    if choice["kind"] == BID:
        return choice["played"] in _GOING_IN
    if choice["kind"] == SAY and words is not None and choice["played"] in words:
        return bool(choice["played"] == words.on)
    return None


def list_luck_values(deal: DealParts, seat: int) -> tuple[int, ...]:
    """Return the own values of a row of the table ``luck``, of a measured deal of a report."""
    parts = deal["parts"]
    amounts = [parts[part]["value"][seat - 1] for part in ("deal", "stock", "own", "others")]
    error = hypot(*(parts[part]["error"][seat - 1] for part in ("deal", "stock")))
    return tuple(round(THOUSANDTHS * amount) for amount in (*amounts, error))


class SeatSums(NamedTuple):
    """The sums of a seat in a game.

    ``deals`` is the number of measured deals, ``luck`` that of deal and draw pile with its
    ``variance``, ``own_choices`` what the choices contributed, with ``own_variance``. ``bold`` and
    ``careful`` are the numbers of words and bids with a loss that were too bold or too careful.
    """

    deals: int
    luck: int
    variance: int
    own_choices: int
    own_variance: int
    bold: int
    careful: int


def sum_up_seat(report: Mapping[str, Any], ruleset: str, seat: int) -> SeatSums:
    """Return the sums of a seat in a report."""
    measured = [deal for deal in report["deals"] if deal["parts"]]
    values = [list_luck_values(deal, seat) for deal in measured]
    deal, stock, own, _others, error = zip(*values, strict=True) if values else [()] * 5
    own_error = [round(THOUSANDTHS * deal["parts"]["own"]["error"][seat - 1]) for deal in measured]
    directions = [
        is_bold(choice, ruleset)
        for choice in report["choices"]
        if choice["seat"] == seat and choice["loss"]
    ]
    return SeatSums(
        len(values),
        sum(deal) + sum(stock),
        sum(amount * amount for amount in error),
        sum(own),
        sum(amount * amount for amount in own_error),
        directions.count(True),
        directions.count(False),
    )
