"""Score sheets of the 10/5/1 game: the three seats in play, and the amounts (S1–S4, S8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from kafu.notation.game import Month
from kafu.rules import codes
from kafu.rules.payments import PaymentKind
from kafu.rules.play.actions import Illegal
from kafu.rules.play.seating import turn_order
from kafu.rules.sheets.form import GameSheet
from kafu.rules.sheets.lines import MONTH, PaymentLine, check_twice
from kafu.rules.sheets.sums import check_sum
from kafu.rules.ten_five_one.machine import PAR, TenFiveOne
from kafu.rules.ten_five_one.sheet_cards import TenFiveOneMonth
from kafu.rules.verdict import DealResult


class TenFiveOneSheet(GameSheet):
    """The sheet of a game. ``first`` is the seat of 四三 ending the game, 0 for nobody (T5)."""

    joined: ClassVar[frozenset[PaymentKind]] = frozenset((PaymentKind.DEALT,))

    def __init__(self, options: Mapping[str, str], players: int) -> None:
        """Begin a sheet of a house for a number of players."""
        self.machine = TenFiveOne(options, players)
        super().__init__(players, self.machine.payments, months=self.machine.months, par=PAR)
        self.first = 0

    @property
    def is_over(self) -> bool:
        """Whether the game is over, after the last month or by 四三 (T5)."""
        return super().is_over or self.first > 0

    def judge(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> DealResult | None:
        """Check the lines of a month, which must fit some three seats of the table (S8)."""
        ends = self.machine.shiso_ends
        makers = [line.seat for line in lines if ends and "shiso" in line.yaku]
        seats = turn_order(month.dealer, len(self.seats))
        self.first = next((seat for seat in seats if seat in makers), 0)
        result = super().judge(month, lines, following)
        if result and self.first:
            return result._replace(winner=self.first, first=self.first)
        return result

    def check_lines(self, month: Month, lines: Sequence[PaymentLine]) -> None:
        """Raise Illegal for lines beside 四三 ending the game, and for repetitions."""
        for line in lines:
            if self.first and line.label != "shiso":
                raise Illegal(codes.SHEET_MIXED, where=line.where, label=line.label, other="shiso")
        if not any(line.label == MONTH for line in lines):
            check_twice(lines)

    def check_month(self, month: Month, lines: Sequence[PaymentLine]) -> None:
        """Raise Illegal unless cards make a month of just these lines, of some three seats."""
        seats = turn_order(month.dealer, len(self.seats))
        paid = TenFiveOneMonth(lines, self.payments, (), True, self.machine, seats)
        if any(line.label == MONTH for line in lines):
            check_sum(lines[0], paid.list_sums(lines[0].amounts), kan=False)
        else:
            self.witness = paid.check()

    def find_next_dealer(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> int | None:
        """Return who got most (T7), nobody after 四三 ending the game."""
        return None if self.first else super().find_next_dealer(month, lines, following)
