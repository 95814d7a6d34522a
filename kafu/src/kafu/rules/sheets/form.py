"""The score sheet of a ruleset, checked month by month by its table of payments (S1–S3).

`GameSheet` is the sheet of a ruleset whose table says everything. A subclass adds what a table
cannot say: the question about cards, a settlement, another end of the game. A violation is a
fault. A doubtful entry, which the sheet cannot disprove, is a remark.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from kafu import cards
from kafu.notation.faults import Code
from kafu.notation.game import Month, Payment
from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.grades import GradeScale
from kafu.rules.payments import POINTS, Payers, PaymentKind, PaymentTable
from kafu.rules.play.actions import Illegal
from kafu.rules.play.ledger import score
from kafu.rules.play.seating import turn_order
from kafu.rules.sentences import RuleCode
from kafu.rules.sheets.lines import MONTH, PaymentLine, check_line, check_twice
from kafu.rules.sheets.offers import PaymentForm, Playing
from kafu.rules.sheets.sums import can_add_up, explain_sum
from kafu.rules.sheets.witness import Undecided, Witness
from kafu.rules.verdict import DealResult, Line

logger = logging.getLogger(__name__)

_NO_SCALES: Final[Mapping[str, GradeScale]] = {}
#: The points without gain or loss of each of three players (八十八).
THIRDS: Final = (cards.points(cards.ALL) // 3,) * 3


class Remark(NamedTuple):
    """A doubtful entry at a statement of the month, with the entry expected by the rules."""

    code: Code
    where: str
    values: dict[str, Any]
    expected: tuple[str, ...] = ()


class GameSheet(PaymentForm):
    """The sheet of one game by the rules of a house, up to the month that is due.

    ``dealer`` deals the due month, 0 if open. ``totals`` are the sums so far for each seat, in the
    small unit. ``deals`` are the finished months. These belong to the month entered last:
    ``grades`` are the possible ones, ``bound`` was carried into it, ``enders`` ended the game with
    a yaku; ``remarks``; and ``witness``, cards that make it, None for a month about whose cards
    nothing was asked.
    """

    #: Whether sums are written in kan.
    kan: ClassVar[bool] = False
    #: Whether the next dealer puts a stone in each month.
    stones: bool = False
    #: Whether a month's sum leaves the next dealer open.
    sums_hide_next: ClassVar[bool] = False
    #: Whether a month's sums are zero in total.
    sums_to_zero: bool = True
    #: The code of a month that another dealer deals.
    dealer_code: ClassVar[RuleCode] = codes.DEALER_DUE

    def __init__(
        self,
        players: int,
        payments: PaymentTable,
        scales: Mapping[str, GradeScale] = _NO_SCALES,
        *,
        months: int = 12,
        par: tuple[int, ...] = THIRDS,
    ) -> None:
        """Begin before the first month, which anybody may deal.

        ``payments`` are those of a small field, ``scales`` those of the grades. ``par`` are the
        card points without gain or loss, by the place in play order.
        """
        super().__init__(payments, scales, par)
        self.months = months
        self.seats = range(1, players + 1)
        self.number = 1
        self.dealer = 0
        self.totals = (0,) * players
        self.deals: list[DealResult] = []
        self.remarks: list[Remark] = []
        self.witness: Witness | None = None
        self.enders: tuple[int, ...] = ()
        self.grades: Sequence[str | None] = (None,)
        self.bound: str | None = None

    # Changed by rulesets --------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the game is over and no month may follow."""
        return len(self.deals) >= self.months or bool(self.enders)

    @property
    def may_be_over(self) -> bool:
        """Whether the record may end here as a whole game."""
        return self.is_over

    def settle(self) -> tuple[int, ...]:
        """Return the final sums of a finished game, in the small unit."""
        return self.totals

    def check_month(self, month: Month, lines: Sequence[PaymentLine], *, is_over: bool) -> None:
        """Raise Illegal for lines that cannot be in one month, as far as the table tells."""
        order, payments = self.list_seats(month), self.list_payments(month.ba)
        self.check_lines(lines, payments, Playing(month.dealer, order, len(self.seats)))
        check_twice(lines, payments)
        points = [payments.scale.list_amounts(self.deviations)] * len(order)
        for line in lines:
            if line.label == MONTH and not can_add_up(
                line.amounts, order, tuple(payments.values()), points
            ):
                raise explain_sum(line, kan=self.kan)

    def check_lines(
        self, lines: Sequence[PaymentLine], payments: PaymentTable, playing: Playing
    ) -> None:
        """Raise Illegal at the first line that a table does not permit."""
        possible = payments.scale.list_amounts(self.deviations)
        for line in lines:
            if line.label == POINTS:
                for amount in line.amounts:
                    if amount not in possible:
                        found = amounts.text(amount, kan=self.kan)
                        raise Illegal(codes.SHEET_POINTS, where=line.where, found=found)
            elif line.seat and payments[line.yaku[0]].payers is not Payers.ONE:
                check_line(line, payments, playing, kan=self.kan)

    def list_seats(self, month: Month) -> tuple[int, ...]:
        """Return all seats in play order."""
        return turn_order(month.dealer, len(self.seats))

    def find_enders(self, month: Month, lines: Sequence[PaymentLine]) -> tuple[int, ...]:
        """Return the makers of yaku that end the game (四三), in play order."""
        makers = {
            line.seat
            for line in lines
            for id in line.yaku
            if not line.void and id in self.payments and self.payments[id].ends_game
        }
        return tuple(seat for seat in self.list_seats(month) if seat in makers)

    def list_next_dealers(
        self, month: Month, lines: Sequence[PaymentLine], named: int | None = None
    ) -> Sequence[int]:
        """Return the possible next dealers, the most plausible first, none if nothing tells.

        By the table it is who got most, of equals the earlier in play order. ``named`` is the next
        dealer by the sheet.
        """
        if self.find_enders(month, lines):
            return ()
        sums = self.result(month, None).score
        order = self.list_seats(month)
        return (max(order, key=lambda seat: sums[seat - 1]),)

    def leaves_trace(self, line: Line, ledger: Sequence[Line]) -> bool:
        """Return whether a line of a judged month's ledger appears on the sheet (S10).

        A payment that was returned does not (H22), a payment that the month strikes out does.
        """
        if not line.void:
            return True
        rows = [self.payments[id] for paid in ledger for id in paid.label.split("+")]
        points = next((paid.amounts for paid in ledger if paid.label == POINTS), None)
        is_struck = all(self.payments[id].struck for id in line.label.split("+"))
        return is_struck and self.strikes(rows, points)

    def is_replayed(self, month: Month) -> bool:
        """Return whether a month with the given lines is played again, under the same number."""
        return False

    # Shared by all rulesets -----------------------------------------------------------------------

    def enter(self, month: Month, following: Month | None, *, open_end: bool) -> DealResult | None:
        """Check the next month of the sheet and return the result.

        ``following`` is the month after it, because some results show only in the next dealer. With
        ``open_end`` the last month may lack the closing lines; the result is None for an unfinished
        month. Raise Illegal for a month against the rules, and for a month that is not decided,
        which is an error of the engine.
        """
        self.remarks, self.witness = [], None
        if self.is_over:
            raise Illegal(codes.GAME_OVER)
        if month.month != self.number:
            raise Illegal(
                codes.MONTH_DUE,
                expected=(str(self.number),),
                month=month.month,
                due=self.number,
            )
        self.check_dealer(month)
        self._check_grade(month)
        lines = tuple(self.read(payment, f"pay.{i}") for i, payment in enumerate(month.payments))
        self._check_sums(lines)
        try:
            result = self._judge(month, lines, following, open_end=open_end)
        except Undecided as error:
            logger.exception("month %d of a sheet was not decided", month.month)
            raise Illegal(codes.SHEET_UNDECIDED, where="month", month=month.month) from error
        if result is None:
            return None
        self.deals.append(result)
        self.totals = tuple(map(sum, zip(self.totals, result.score, strict=True)))
        self.dealer = self.due_after(result)
        return result

    def _judge(
        self,
        month: Month,
        lines: Sequence[PaymentLine],
        following: Month | None,
        *,
        open_end: bool,
    ) -> DealResult | None:
        """Check the lines and the stone of a month and return the result, see `enter`."""
        if not lines and open_end and not (self.stones and month.stone):
            return None
        self.enders = self.find_enders(month, lines)
        self.check_month(month, lines, is_over=bool(self.enders or month.stone) or not open_end)
        is_sum = any(line.label == MONTH for line in lines)
        if self.stones and not (self.enders or month.stone or (is_sum and following)):
            if open_end:
                return None
            raise Illegal(codes.SHEET_STONE_MISSING, month=month.month)
        named = month.stone or (following.dealer if following else None)
        dealers = self.list_next_dealers(month, lines, named)
        self.check_stone(month, dealers)
        self.number += not self.is_replayed(month)
        due = month.stone or (named if named in dealers or not dealers else dealers[0])
        return self.result(month, None if self.enders else due)

    def _check_grade(self, month: Month) -> None:
        """Raise Illegal unless a written grade is one of those due (B2)."""
        due = self.grades_due()
        if month.ba is not None and not due:
            raise Illegal(codes.NO_PLACE, where="ba", statement="ba")
        if month.ba is not None and month.ba not in due:
            values = {"grade": month.ba, "due": " / ".join(due)}
            raise Illegal(codes.SHEET_BA, where="ba", expected=due, **values)
        self.grades = (month.ba,) if month.ba else due or (None,)

    def due_after(self, result: DealResult) -> int:
        """Return the next dealer after a month with a given result, 0 if open."""
        return result.next_dealer or 0

    def check_dealer(self, month: Month) -> None:
        """Raise Illegal unless the due dealer, if known, deals the month (S3)."""
        if self.dealer and month.dealer != self.dealer:
            raise Illegal(
                self.dealer_code,
                expected=(str(self.dealer),),
                seat=month.dealer,
                due=self.dealer,
            )

    def read(self, payment: Payment, where: str) -> PaymentLine:
        """Return a payment as a line.

        Raise Illegal for an unknown label, for a sum that is not zero, for several receivers, and
        for a struck-out line where nothing is struck out.
        """
        yaku = tuple(payment.label.split("+"))
        kind = PaymentKind.OTHER if payment.label == MONTH else self.payments.find_kind(yaku)
        if kind is None:
            nearest = self.payments.list_similar(payment.label)
            raise Illegal(codes.SHEET_LABEL, where=where, expected=nearest, label=payment.label)
        if payment.void and not any(row.struck for row in self.payments.values()):
            raise Illegal(codes.SHEET_VOID, where=where, label=payment.label)
        seat = self.receiver(payment, kind, where)
        return PaymentLine(kind, yaku, seat, payment.amounts, payment.void, where)

    def receiver(self, payment: Payment, kind: PaymentKind, where: str) -> int:
        """Return the receiver of a payment (S1), 0 for a mark and for a line without a single one.

        Raise Illegal if the amounts are impossible.
        """
        label, row = payment.label, self.payments.get(payment.label)
        if row and row.marks:
            if any(payment.amounts) or payment.void:
                raise Illegal(codes.SHEET_MAKER, where=where, label=label)
            return 0
        if total := sum(payment.amounts):
            wrong = amounts.text(total, kan=self.kan)
            raise Illegal(codes.SHEET_SUM, where=where, label=label, sum=wrong)
        if label == POINTS or (label == MONTH and self.pointed):
            return 0
        gains = [seat for seat, amount in enumerate(payment.amounts, start=1) if amount > 0]
        if len(gains) != 1:
            raise Illegal(codes.SHEET_MAKER, where=where, label=label)
        return gains[0]

    def _check_sums(self, lines: Sequence[PaymentLine]) -> None:
        """Raise Illegal for a month's sum next to other lines than prizes (S2)."""
        sums = [line for line in lines if line.label == MONTH]
        month_lines = [line for line in lines if line.label not in self.prize_labels]
        wrong = [line for line in month_lines if line is not sums[0]] if sums else []
        if wrong or (sums and sums[0].void):
            raise Illegal(codes.SHEET_MONTH_ALONE, where=(wrong or sums)[0].where)

    def result(self, month: Month, next_dealer: int | None) -> DealResult:
        """Return the result of a month with the lines as written.

        The winner is who ended the game, or else the next dealer.
        """
        ledger = tuple(
            Line(payment.label, payment.amounts, payment.void) for payment in month.payments
        )
        sums = score(ledger, len(self.seats))
        return DealResult(
            *(month.month, month.dealer, month.ba, self.bound, ledger, sums),
            *(next_dealer, "sheet", self.enders[0] if self.enders else next_dealer),
        )

    def check_stone(self, month: Month, dealers: Sequence[int]) -> None:
        """Raise Illegal if the ``stone`` of a month is not a possible next dealer (S3).

        In rulesets without month stones a sheet may still name the next dealer by ``stone``.
        """
        if month.stone and dealers and month.stone not in dealers:
            due = dealers[0]
            raise Illegal(
                codes.SHEET_NEXT, where="stone", expected=(str(due),), seat=month.stone, due=due
            )
