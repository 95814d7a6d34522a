"""Score sheets of the 10/5/1 game: the three seats in play, and the amounts (S1–S4, S8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from kafu.notation.game import Month, Payment
from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.payments import POINTS, PaymentKind
from kafu.rules.play.actions import Illegal
from kafu.rules.play.seating import turn_order
from kafu.rules.sheets.form import GameSheet
from kafu.rules.sheets.lines import MONTH, PaymentLine, check_once, check_twice
from kafu.rules.sheets.offers import Playing
from kafu.rules.ten_five_one.machine import PAR, TenFiveOne
from kafu.rules.ten_five_one.sheet_cards import TenFiveOneMonth, find_cards
from kafu.rules.ten_five_one.sheet_sums import list_months
from kafu.rules.verdict import DealResult


class TenFiveOneSheet(GameSheet):
    """The sheet of a game. ``first`` is the seat of 四三 ending the game, 0 for nobody (T5)."""

    joined: ClassVar[frozenset[PaymentKind]] = frozenset((PaymentKind.DEALT,))
    whole: ClassVar[int] = sum(PAR)

    def __init__(self, options: Mapping[str, str], players: int) -> None:
        """Begin a sheet of a house for a number of players."""
        self.machine = TenFiveOne(options, players)
        super().__init__(players, self.machine.payments)
        self.first = 0

    @property
    def is_over(self) -> bool:
        """Whether the game is over, after the last month or by 四三 (T5)."""
        return len(self.deals) >= self.machine.months or self.first > 0

    def settle(self) -> tuple[int, ...]:
        """Return the sums of the months: there is no settlement."""
        return self.totals

    def deviations(self, captured: tuple[int, ...], playing: Playing) -> tuple[int, ...]:
        """Return card points less 100, 110 and 120 by the place in play order (T1)."""
        deviations = [0] * playing.players
        for seat, par in zip(playing.order, PAR, strict=True):
            deviations[seat - 1] = captured[seat - 1] - par
        return tuple(deviations)

    def receiver(self, payment: Payment, kind: PaymentKind, where: str) -> int:
        """Return the receiver of a payment.

        Raise Illegal for a void payment: no rule strikes out payments.
        """
        if payment.void:
            raise Illegal(codes.SHEET_VOID, where=where, label=payment.label)
        return super().receiver(payment, kind, where)

    def judge(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> DealResult | None:
        """Check the lines of a month, which must fit some three seats of the table (S8)."""
        if not lines and self.open_end:
            return None
        check_once(lines, POINTS, MONTH)
        ends = self.machine.shiso_ends
        makers = [line.seat for line in lines if ends and "shiso" in line.yaku]
        for line in lines:
            if makers and line.label != "shiso":
                raise Illegal(codes.SHEET_MIXED, where=line.where, label=line.label, other="shiso")
        seats = turn_order(month.dealer, len(self.seats))
        paid = TenFiveOneMonth(lines, self.payments, (), True, self.machine, seats)
        if any(line.label == MONTH for line in lines):
            self._check_sum(lines[0], paid)
        else:
            check_twice(lines)
            self.witness = paid.check()
        self.number += 1
        result = self.result(month, None)
        if makers:
            self.first = next(seat for seat in seats if seat in makers)
            return result._replace(winner=self.first, first=self.first)
        due = max(seats, key=lambda seat: result.score[seat - 1])
        self.check_stone(month, due)
        return result._replace(next_dealer=due, winner=due)

    def _check_sum(self, line: PaymentLine, month: TenFiveOneMonth) -> None:
        """Raise Illegal unless cards make a month with this sum (S2)."""
        for order in month.list_orders():
            scores = tuple(line.amounts[seat - 1] for seat in order)
            for paid in list_months(scores, self.machine, is_forced=month.is_forced(order)):
                if find_cards(paid, self.machine):
                    return
        worst = amounts.text(max(line.amounts, key=abs), kan=False)
        raise Illegal(codes.SHEET_MONTH_SUM, where=line.where, found=worst)
