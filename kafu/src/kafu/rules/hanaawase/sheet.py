"""Score sheets of 三人花合わせ: yaku, card points and ふけ, checked month by month (S1–S4, S6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kafu import cards
from kafu.notation.game import Month, Payment
from kafu.rules import codes
from kafu.rules.hanaawase.machine import EVEN, FUKE, MONTHS, SEATS, settle
from kafu.rules.hanaawase.payments import FUKE as MARK
from kafu.rules.hanaawase.payments import PAYMENTS, VALUES, YAKU
from kafu.rules.hanaawase.sheet_cards import HanaawaseMonth
from kafu.rules.payments import POINTS, PaymentKind, PaymentRow
from kafu.rules.play.actions import Illegal
from kafu.rules.play.seating import turn_order
from kafu.rules.sheets.form import GameSheet
from kafu.rules.sheets.lines import (
    MONTH,
    PaymentLine,
    check_line,
    check_month_sum,
    check_once,
    check_points,
)
from kafu.rules.sheets.offers import Playing
from kafu.rules.sheets.totals import captured_totals
from kafu.rules.verdict import DealResult


class HanaawaseSheet(GameSheet):
    """The sheet of a year."""

    def __init__(self) -> None:
        """Begin a sheet of three players."""
        super().__init__(3, PAYMENTS)
        hand, captured = max(VALUES.values()), max(captured_totals(YAKU))
        points = cards.points(cards.ALL) - 2 * (FUKE + 1)
        #: The largest gain and loss of a player in a month. The gain is a dealt hand and all yaku,
        #: the loss is the opponents' hands and yaku.
        #: The card points are those of a month in which no player has ふけ (A3).
        self.most = 2 * (hand + captured) + points - EVEN
        self.least = FUKE + 1 - EVEN - 2 * hand - captured

    @property
    def is_over(self) -> bool:
        """Whether the year is over, after twelve months (A6)."""
        return len(self.deals) >= MONTHS

    def settle(self) -> tuple[int, ...]:
        """Return the year's sums with the 80 points (A6)."""
        return settle(self.totals)

    def strikes(self, offers: Sequence[PaymentRow], points: tuple[int, ...] | None) -> bool:
        """Return whether ふけ strikes out every line (A3)."""
        marked = any(offer.marks for offer in offers)
        return marked or (points is not None and self.strikes_points(points))

    def strikes_points(self, points: tuple[int, ...]) -> bool:
        """Return whether some player has thirty points or fewer (ふけ, A3)."""
        return EVEN + min(points) <= FUKE

    def receiver(self, payment: Payment, kind: PaymentKind, where: str) -> int:
        """Return the receiver of a payment; nobody for the line that only marks ふけ."""
        if payment.label == MARK:
            if any(payment.amounts) or payment.void:
                raise Illegal(codes.SHEET_MAKER, where=where, label=payment.label)
            return 0
        return super().receiver(payment, kind, where)

    def judge(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> DealResult | None:
        """Check the lines of a month and return the result.

        All lines are struck out if some player has thirty points or fewer (A3).
        """
        if not lines and self.open_end:
            return None
        check_once(lines, POINTS, MONTH, MARK)
        for number, line in enumerate(lines):
            self._check(line, month.dealer)
            self._check_twice(line, lines[:number])
        order = turn_order(month.dealer, 3)
        points = next((line for line in lines if line.label == POINTS), None)
        marked = any(line.label == MARK for line in lines)
        poor = [seat for seat in order if points and EVEN + points.amounts[seat - 1] <= FUKE]
        self._check_void(lines, poor, marked=marked)
        if not any(line.label == MONTH for line in lines):
            is_over = bool(points or month.stone) or not self.open_end
            self.witness = HanaawaseMonth.read(lines, order, is_over=is_over).check()
        self.number += 1
        result = self.result(month, None)
        is_zero = all(line.label == MONTH and not any(line.amounts) for line in lines)
        named = month.stone or (following.dealer if following else None)
        due: int | None
        if poor:
            due = poor[-1]  # of two players, the nearer to ビキ (A3)
        elif marked:
            due = named and self._find_maker(lines, order, named)
        elif is_zero and named:
            # Every seat may deal after a month without a gain, which is a month of ふけ or of 88
            # points for each of the three players (S6).
            due = named
        else:
            due = max(order, key=lambda seat: result.score[seat - 1])
        if due:
            self.check_stone(month, due)
        return result._replace(next_dealer=due, winner=due)

    def _find_maker(self, lines: Sequence[PaymentLine], order: tuple[int, ...], named: int) -> int:
        """Return the maker of a marked ふけ: the named next dealer, if possible, or another."""
        month = HanaawaseMonth.read(lines, order, is_over=False)
        seats = (named, *(seat for seat in SEATS if seat != named))
        return next(seat for seat in seats if replace(month, makers=(seat,)).find_cards())

    def _check(self, line: PaymentLine, dealer: int) -> None:
        """Raise Illegal unless each of the others pays the value of a line (A4)."""
        if line.label == MONTH:
            check_month_sum(line, self.most, self.least, kan=False)
        elif line.label == POINTS:
            check_points(line, range(-EVEN, cards.points(cards.ALL) - EVEN + 1), kan=False)
        elif line.seat:
            check_line(line, PAYMENTS, Playing(dealer, turn_order(dealer, 3), 3), kan=False)

    def _check_twice(self, line: PaymentLine, before: Sequence[PaymentLine]) -> None:
        """Raise Illegal for a second hand of a player (A1), and for a captured yaku twice."""
        for earlier in before:
            if line.kind is not earlier.kind or line.seat != earlier.seat:
                continue
            if line.kind is PaymentKind.DEALT:
                yaku = f"{earlier.label}+{line.label}"
                raise Illegal(codes.SHEET_HAND, where=line.where, seat=line.seat, yaku=yaku)
            if set(line.yaku) & set(earlier.yaku):
                raise Illegal(codes.SHEET_TWICE, where=line.where, label=line.label)

    def _check_void(self, lines: Sequence[PaymentLine], poor: list[int], *, marked: bool) -> None:
        """Raise Illegal unless exactly the months of ふけ have all lines struck out (A3)."""
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
