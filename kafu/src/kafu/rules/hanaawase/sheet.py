"""Score sheets of 三人花合わせ: yaku, card points and ふけ, checked month by month (S1–S4, S6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kafu.notation.game import Month
from kafu.rules import codes
from kafu.rules.hanaawase.machine import EVEN, FUKE, MONTHS, SEATS, settle
from kafu.rules.hanaawase.payments import FUKE as MARK
from kafu.rules.hanaawase.payments import PAYMENTS
from kafu.rules.hanaawase.sheet_cards import HanaawaseMonth
from kafu.rules.hanaawase.sheet_sums import check_sum
from kafu.rules.payments import POINTS, PaymentKind
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.form import GameSheet
from kafu.rules.sheets.lines import MONTH, PaymentLine, check_twice
from kafu.rules.sheets.offers import Playing


class HanaawaseSheet(GameSheet):
    """The sheet of a year."""

    def __init__(self) -> None:
        """Begin a sheet of three players."""
        super().__init__(3, PAYMENTS, months=MONTHS)

    def settle(self) -> tuple[int, ...]:
        """Return the year's sums with the 80 points (A6)."""
        return settle(self.totals)

    def strikes_points(self, points: tuple[int, ...]) -> bool:
        """Return whether some player has thirty points or fewer (ふけ, A3)."""
        return EVEN + min(points) <= FUKE

    def check_month(self, month: Month, lines: Sequence[PaymentLine], *, is_over: bool) -> None:
        """Raise Illegal unless cards make the month.

        All lines are struck out if some player has thirty points or fewer (A3).
        """
        order = self.list_seats(month)
        self.check_lines(lines, self.payments, Playing(month.dealer, order, len(order)))
        check_twice((line for line in lines if line.kind is not PaymentKind.DEALT), self.payments)
        self._check_void(lines, self._find_poor(month, lines))
        if lines and lines[0].label == MONTH:
            check_sum(lines[0], order)
        else:
            is_over |= any(line.label == POINTS for line in lines)
            self.witness = HanaawaseMonth.read(lines, order, is_over=is_over).check()

    def list_next_dealers(
        self, month: Month, lines: Sequence[PaymentLine], named: int | None = None
    ) -> Sequence[int]:
        """Return the next dealer (A3, A5), none for a ふけ of which the sheet does not tell."""
        if poor := self._find_poor(month, lines):
            return (poor[-1],)  # of two players, the nearer to ビキ (A3)
        if any(line.label == MARK for line in lines):
            paid = HanaawaseMonth.read(lines, self.list_seats(month), is_over=False)
            return [seat for seat in SEATS if named and replace(paid, makers=(seat,)).find_cards()]
        if all(line.label == MONTH and not any(line.amounts) for line in lines):
            # Every seat may deal after a month without a gain, which is a month of ふけ or of 88
            # points for each of the three players (S6).
            return self.list_seats(month)
        return super().list_next_dealers(month, lines)

    def _find_poor(self, month: Month, lines: Sequence[PaymentLine]) -> list[int]:
        """Return the seats with thirty points or fewer, in play order; none without points."""
        points = next((line for line in lines if line.label == POINTS), None)
        seats = self.list_seats(month) if points else ()
        return [seat for seat in seats if points and EVEN + points.amounts[seat - 1] <= FUKE]

    def _check_void(self, lines: Sequence[PaymentLine], poor: list[int]) -> None:
        """Raise Illegal unless exactly the months of ふけ have all lines struck out (A3)."""
        marked = any(line.label == MARK for line in lines)
        for line in lines:
            if line.label == MARK:
                continue
            if poor and not line.void:
                raise Illegal(codes.SHEET_FUKE, where=line.where, seat=poor[-1])
            is_contrary = line.label == POINTS and not poor
            if marked and (not line.void or is_contrary):
                raise Illegal(codes.SHEET_MIXED, where=line.where, label=line.label, other=MARK)
            if line.void and not poor and not marked:
                raise Illegal(codes.SHEET_NO_FUKE, where=line.where)
