"""The score sheet of a ruleset, checked month by month by its table of payments (S1–S3).

`GameSheet` is the sheet of a ruleset whose table says everything. A subclass adds what a table
cannot say: the question about cards, a settlement, another end of the game. A violation is a
fault. A doubtful entry, which the sheet cannot disprove, is a remark.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from kafu import cards
from kafu.notation.faults import Code
from kafu.notation.game import Month, Payment
from kafu.rules import codes
from kafu.rules.grades import GradeScale
from kafu.rules.payments import POINTS, Payers, PaymentKind, PaymentRow, PaymentTable
from kafu.rules.play.actions import Illegal
from kafu.rules.play.ledger import score
from kafu.rules.play.seating import turn_order
from kafu.rules.sheets.lines import (
    MONTH,
    PaymentLine,
    check_cards,
    check_line,
    check_once,
    check_points,
    check_repetition,
    receiver,
)
from kafu.rules.sheets.offers import Chosen, Playing, compute_amounts, join_payments
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


class GameSheet:
    """The sheet of one game by the rules of a house, up to the month that is due.

    ``dealer`` deals the due month, 0 if open. ``totals`` are the sums so far for each seat, in the
    small unit. ``deals`` are the finished months; ``summed``: some month has nothing but a sum
    (S2). ``remarks`` belong to the month entered last, like ``witness``, cards that make it; None
    for a month about whose cards nothing was asked.
    """

    #: The unit of the settlement, in small units.
    unit: ClassVar[int] = 1
    #: Whether sums are written in kan.
    kan: ClassVar[bool] = False
    #: Whether the next dealer puts a stone in each month.
    stones: bool = False
    #: Whether a month's sum leaves the next dealer open.
    sums_hide_next: ClassVar[bool] = False
    #: Whether a month's sums are zero in total.
    sums_to_zero: bool = True
    #: Kinds of payments joined in one line for each player.
    joined: ClassVar[frozenset[PaymentKind]] = frozenset()

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
        self.payments, self.scales = payments, scales
        self.months, self.par = months, par
        #: The points of all cards.
        self.whole = sum(par)
        self.seats = range(1, players + 1)
        self.number = 1
        self.dealer = 0
        self.totals = (0,) * players
        self.deals: list[DealResult] = []
        self.summed = False
        self.remarks: list[Remark] = []
        self.witness: Witness | None = None
        self.open_end = False

    @property
    def graded(self) -> bool:
        """Whether months have a field grade, ``ba``."""
        return bool(self.scales)

    @property
    def pointed(self) -> bool:
        """Whether card points are paid."""
        return POINTS in self.payments

    # Changed by rulesets --------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the game is over and no month may follow."""
        return len(self.deals) >= self.months

    @property
    def may_be_over(self) -> bool:
        """Whether the record may end here as a whole game."""
        return self.is_over

    def settle(self) -> tuple[int, ...]:
        """Return the final sums of a finished game, in the small unit."""
        return self.totals

    def judge(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> DealResult | None:
        """Check the lines of a month and return the result.

        ``following`` is the next month on the sheet, because some results show only in the next
        dealer. The result is None with ``open_end`` for an unfinished month. Raise Illegal for a
        wrong line.
        """
        if not lines and self.open_end:
            return None
        marks = (row.id for row in self.payments.values() if row.marks)
        check_once(lines, POINTS, MONTH, *marks)
        self.check_lines(month, lines)
        self.check_month(month, lines)
        self.number += 1
        result = self.result(month, None)
        due = self.find_next_dealer(month, lines, following)
        if due:
            self.check_stone(month, due)
        return result._replace(next_dealer=due, winner=due)

    def check_lines(self, month: Month, lines: Sequence[PaymentLine]) -> None:
        """Raise Illegal at the first line that the table does not permit, or that repeats one."""
        count = len(self.seats)
        playing = Playing(month.dealer, turn_order(month.dealer, count), count)
        for number, line in enumerate(lines):
            if line.label == POINTS:
                check_points(line, self._list_points(), kan=self.kan)
            elif line.seat:
                check_line(line, self.list_payments(month.ba), playing, kan=self.kan)
            for earlier in lines[:number]:
                check_repetition(line, earlier, self.payments)

    def check_month(self, month: Month, lines: Sequence[PaymentLine]) -> None:
        """Raise Illegal for lines that cannot be in one month, as far as the table tells."""
        check_cards(lines, self.payments)
        order, rows = turn_order(month.dealer, len(self.seats)), self.list_payments(month.ba)
        for line in lines:
            points = [self._list_points()] * len(order)
            if line.label == MONTH and not can_add_up(
                line.amounts, order, tuple(rows.values()), points
            ):
                raise explain_sum(line, kan=self.kan)

    def _list_points(self) -> range:
        """Return the possible differences from par."""
        return range(-max(self.par), self.whole - min(self.par) + 1)

    def find_next_dealer(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> int | None:
        """Return the next dealer: who got most, of equals the earlier in play order.

        Return None if nobody deals, or if the sheet does not tell.
        """
        sums = self.result(month, None).score
        return max(turn_order(month.dealer, len(self.seats)), key=lambda seat: sums[seat - 1])

    def list_payments(self, ba: str | None) -> PaymentTable:
        """Return the payments of the due month at a grade (H18, B2)."""
        if not self.scales:
            return self.payments
        return self.payments.at(self.scales[(ba or "small").removesuffix("2")])

    def offers(
        self, ba: str | None, playing: Playing, chosen: Sequence[Chosen] = ()
    ) -> tuple[PaymentRow, ...]:
        """Return the possible payments of the due month, at a grade.

        Joined yaku of a player are in the same order. ``chosen`` is for values that depend on the
        other lines.
        """
        return tuple(
            row
            for row in self.list_payments(ba).values()
            if row.payers is not Payers.BALANCE and playing.list_receivers(row)
        )

    def grades_due(self) -> tuple[str, ...]:
        """Return the possible grades of the due month, the plainest first; none without grades."""
        return ()

    def bars(self, offer: PaymentRow, seat: int, other: PaymentRow, other_seat: int) -> bool:
        """Return whether a player cannot have an offer because of another taken offer (S1, S4)."""
        if seat != other_seat:
            return bool(offer.cards & other.cards)
        yaku = offer.kind is not PaymentKind.OTHER and offer.kind is other.kind
        return yaku and self.payments.find_kind((offer.id, other.id)) is None

    def written(
        self,
        chosen: Sequence[Chosen],
        points: tuple[int, ...] | None,
        offers: Sequence[PaymentRow],
        playing: Playing,
    ) -> list[tuple[Payment, tuple[Chosen, ...]]]:
        """Return the lines of a month by the chosen payments, each with the choices in the line.

        Yaku come in the order of entry, then card points. Raise KeyError for a payment not offered.
        """
        by_label = {offer.id: offer for offer in offers}
        strikes = self.strikes([by_label[choice.label] for choice in chosen], points)
        lines: list[tuple[Payment, tuple[Chosen, ...]]] = []
        to_join: list[tuple[PaymentRow, Chosen, Payment]] = []
        for choice in chosen:
            offer = by_label[choice.label]
            void = offer.struck and strikes if choice.void is None else choice.void
            payment = Payment(choice.label, compute_amounts(offer, choice, playing), void)
            if offer.kind in self.joined:
                to_join.append((offer, choice, payment))
            else:
                lines.append((payment, (choice,)))
        lines += join_payments(to_join, list(by_label))
        places = {id(choice): place for place, choice in enumerate(chosen)}
        lines.sort(key=lambda line: places[id(line[1][0])])
        if points is not None:
            lines.append((Payment(POINTS, points, self.strikes_points(points)), ()))
        return lines

    def strikes(self, offers: Sequence[PaymentRow], points: tuple[int, ...] | None) -> bool:
        """Return whether a month strikes out the lines with the flag ``struck``."""
        return any(offer.kind is PaymentKind.SPECIAL for offer in offers)

    def strikes_points(self, points: tuple[int, ...]) -> bool:
        """Return whether card points themselves are struck out."""
        return False

    def paid_points(
        self, captured: tuple[int, ...], ba: str | None, playing: Playing
    ) -> tuple[int, ...]:
        """Return the payments for card points ``captured``, by seat; 0 for seats not in play."""
        deviations = [0] * playing.players
        for seat, par in zip(playing.order, self.par, strict=False):
            deviations[seat - 1] = captured[seat - 1] - par
        return self.list_payments(ba).scale.card_points(tuple(deviations))

    def prizes(self, payments: Sequence[Payment]) -> Iterable[Payment]:
        """Return the lines that follow from earlier months and the month's ``payments``."""
        return ()

    def leaves_trace(self, line: Line, ledger: Sequence[Line]) -> bool:
        """Return whether a line of a judged month's ledger appears on the sheet (S10)."""
        return True

    def is_replayed(self, month: Month) -> bool:
        """Return whether a month with the given lines is played again, under the same number."""
        return False

    def next_by(self, month: Month, lines: Sequence[PaymentLine]) -> Sequence[int]:
        """Return the seats that may put in the stone of a month, none if the lines do not tell."""
        return ()

    # Shared by all rulesets -----------------------------------------------------------------------

    def enter(self, month: Month, following: Month | None, *, open_end: bool) -> DealResult | None:
        """Check the next month of the sheet and return the result.

        With ``open_end`` the last month may lack the closing lines; the result is None for an
        unfinished month. Raise Illegal for a month against the rules, and for a month that is not
        decided, which is an error of the engine.
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
        if month.ba is not None and not self.graded:
            raise Illegal(codes.NO_PLACE, where="ba", statement="ba")
        lines = tuple(self.read(payment, f"pay.{i}") for i, payment in enumerate(month.payments))
        self._check_sums(lines)
        self.open_end = open_end
        try:
            result = self.judge(month, lines, following)
        except Undecided as error:
            logger.exception("month %d of a sheet was not decided", month.month)
            raise Illegal(codes.SHEET_UNDECIDED, where="month", month=month.month) from error
        if result is None:
            return None
        self.deals.append(result)
        self.totals = tuple(map(sum, zip(self.totals, result.score, strict=True)))
        self.dealer = self.due_after(result)
        return result

    def due_after(self, result: DealResult) -> int:
        """Return the next dealer after a month with a given result, 0 if open."""
        return result.next_dealer or 0

    def check_dealer(self, month: Month) -> None:
        """Raise Illegal unless the due dealer, if known, deals the month (S3)."""
        if self.dealer and month.dealer != self.dealer:
            raise Illegal(
                codes.DEALER_DUE,
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
        row = self.payments.get(payment.label)
        if row and row.marks:
            if any(payment.amounts) or payment.void:
                raise Illegal(codes.SHEET_MAKER, where=where, label=payment.label)
            return 0
        return receiver(payment, where, kan=self.kan)

    def _check_sums(self, lines: Sequence[PaymentLine]) -> None:
        """Raise Illegal for a month's sum next to other lines, except extra lines (S2)."""
        sums = [line for line in lines if line.label == MONTH]
        if not sums:
            return
        self.summed = True
        wrong = [line for line in lines if line is not sums[0] and not self.is_extra(line)]
        if wrong or sums[0].void:
            raise Illegal(codes.SHEET_MONTH_ALONE, where=(wrong or sums)[0].where)

    def is_extra(self, line: PaymentLine) -> bool:
        """Return whether a line may stand next to a month's sum."""
        return False

    def result(
        self,
        month: Month,
        next_dealer: int | None,
        *,
        winner: int | None = None,
        bound: str | None = None,
    ) -> DealResult:
        """Return the result of a month with the lines as written."""
        ledger = tuple(
            Line(payment.label, payment.amounts, payment.void) for payment in month.payments
        )
        sums = score(ledger, len(self.seats))
        return DealResult(
            *(month.month, month.dealer, month.ba, bound, ledger, sums),
            *(next_dealer, "sheet", winner),
        )

    def check_stone(self, month: Month, due: int) -> None:
        """Raise Illegal if the ``stone`` of a month is not the due next dealer (S3).

        In rulesets without month stones a sheet may still name the next dealer by ``stone``.
        """
        if month.stone not in (None, due):
            seats = (str(due),)
            raise Illegal(
                codes.SHEET_NEXT, where="stone", expected=seats, seat=month.stone, due=due
            )
