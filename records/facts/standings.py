"""What the sums of a game say at a deal: the standing of each seat, and who paid whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kafu.analysis.search import margin
from kafu.rules.sheets.lines import MONTH
from kafu.rules.verdict import DealResult


class Standing(NamedTuple):
    """The sums of a game by seat before a deal, and whether each seat won the game alone.

    ``winners`` is empty for a game without an end.
    """

    sums: Sequence[int]
    winners: Sequence[bool]

    def of_seat(self, seat: int) -> tuple[int, bool | None]:
        """Return the lead of a seat on the best other seat, and whether it won the game."""
        others = [total for number, total in enumerate(self.sums, start=1) if number != seat]
        return self.sums[seat - 1] - max(others), self.winners[seat - 1] if self.winners else None


def list_balances(result: DealResult) -> list[list[int]] | None:
    """Return what each seat received from each seat of the table, less what it paid to it.

    Each payment has one payer or one receiver. Two seats have their margins, because the loser of
    a house may pay nothing. Return None for sums whose payers are not recorded.
    """
    seats = range(len(result.score))
    if not seats[2:]:
        lead = margin(result.score, 1)
        return [[0, lead], [-lead, 0]]
    balances = [[0 for _ in seats] for _ in seats]
    for label, amounts, void in result.ledger:
        if void or not any(amounts):
            continue
        receivers = [seat for seat in seats if amounts[seat] > 0]
        payers = [seat for seat in seats if amounts[seat] < 0]
        single = min(receivers, payers, key=len)
        if label == MONTH or len(single) != 1:
            return None
        for seat in {*seats} - {*single}:
            balances[seat][single[0]] += amounts[seat]
            balances[single[0]][seat] -= amounts[seat]
    return balances
