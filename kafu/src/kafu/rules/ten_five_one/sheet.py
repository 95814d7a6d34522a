"""Score sheets of the 10/5/1 game: the three seats in play, and the amounts (S1–S4, S8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from kafu.notation.game import Month
from kafu.rules import codes
from kafu.rules.payments import PaymentKind
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.form import GameSheet
from kafu.rules.sheets.lines import MONTH, PaymentLine, check_twice
from kafu.rules.sheets.sums import check_sum
from kafu.rules.ten_five_one.machine import PAR, TenFiveOne
from kafu.rules.ten_five_one.sheet_cards import TenFiveOneMonth
from kafu.rules.verdict import DealResult


class TenFiveOneSheet(GameSheet):
    """The sheet of a game."""

    joined: ClassVar[frozenset[PaymentKind]] = frozenset((PaymentKind.DEALT,))

    def __init__(self, options: Mapping[str, str], players: int) -> None:
        """Begin a sheet of a house for a number of players."""
        self.machine = TenFiveOne(options, players)
        super().__init__(players, self.machine.payments, months=self.machine.months, par=PAR)

    def result(self, month: Month, next_dealer: int | None) -> DealResult:
        """Return the result of a month; the maker of a 四三 that ends the game is first (T5)."""
        result = super().result(month, next_dealer)
        return result._replace(first=self.enders[0]) if self.enders else result

    def check_month(self, month: Month, lines: Sequence[PaymentLine], *, is_over: bool) -> None:
        """Raise Illegal unless cards make a month of just these lines, of some three seats (S8)."""
        for line in lines:
            if self.enders and line.label != "shiso":
                raise Illegal(codes.SHEET_MIXED, where=line.where, label=line.label, other="shiso")
        seats = self.list_seats(month)
        paid = TenFiveOneMonth(lines, self.payments, (), True, self.machine, seats)
        if any(line.label == MONTH for line in lines):
            check_sum(lines[0], paid.list_sums(lines[0].amounts), kan=False)
        else:
            check_twice(lines, self.payments)
            self.witness = paid.check()
