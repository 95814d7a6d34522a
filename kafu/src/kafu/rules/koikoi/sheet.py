"""Score sheets of こいこい, for every house: one winner a month (S1–S5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kafu.notation.game import Month, Payment
from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.koikoi import ending
from kafu.rules.koikoi.payments import list_payments
from kafu.rules.koikoi.profiles import Profile
from kafu.rules.koikoi.sheet_check import (
    DOUBLED,
    MonthSituation,
    check_captured,
    explain_mixed,
    list_additions,
)
from kafu.rules.koikoi.sheet_sums import check_sum
from kafu.rules.payments import PaymentKind, PaymentRow, PaymentTable
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.form import GameSheet, Remark
from kafu.rules.sheets.lines import MONTH, PaymentLine, check_twice, check_value
from kafu.rules.sheets.offers import Chosen, Playing, compute_gain
from kafu.rules.verdict import DealResult


class KoikoiSheet(GameSheet):
    """The score sheet of a game.

    ``winners`` are those of the months, ``winner`` is that of the month entered last, 0 for nobody.
    """

    def __init__(self, house: Profile) -> None:
        """Create the sheet before January."""
        super().__init__(2, list_payments(house, 1))
        self.house = house
        self.sums_to_zero = house.zero_sum
        self.totals = (house.start,) * 2
        self.winners: tuple[int, ...] = ()
        self.winner = 0
        #: Months, counted from 0, whose sum may be 親権 without a winner.
        self.unsure: set[int] = set()

    @property
    def replayed(self) -> bool:
        """Whether the sheet plays its last month again, under the same number (K9)."""
        return bool(self.deals) and self.deals[-1].month == self.number

    @property
    def is_over(self) -> bool:
        """Return whether the game is over: after the last month, or decided by the totals (K13)."""
        is_decided = ending.is_over(self.house, self.totals, self.winners)
        return bool(self.deals) and not self.replayed and is_decided

    def settle(self) -> tuple[int, ...]:
        """Return the totals with the winner's 吟味 (K14)."""
        return ending.settle(self.house, self.totals, self.winners)

    # Lines ----------------------------------------------------------------------------------------

    def list_payments(self, ba: str | None) -> PaymentTable:
        """Return the payments of the month due (K16)."""
        return list_payments(self.house, self.number)

    def receiver(self, payment: Payment, kind: PaymentKind, where: str) -> int:
        """Return the winner: the only seat that gets the payment (C4), 0 for the sum of a 流れ.

        Raises Illegal if there is none. Nobody pays, except in a zero-sum house. A negative amount
        is the hand that the loser showed, taken off the winner's sum (K3).
        """
        if _is_zero_sum(payment):
            return 0
        if self.house.zero_sum:
            return super().receiver(payment, kind, where)
        changed = [seat for seat, amount in enumerate(payment.amounts, start=1) if amount]
        least = min(payment.amounts)
        if len(changed) != 1 or (least < 0 and kind is not PaymentKind.DEALT):
            code = codes.SHEET_WINNER_GETS
            raise Illegal(code, where=where, label=payment.label)
        return changed[0]

    # Writing --------------------------------------------------------------------------------------

    def offers(
        self, ba: str | None, playing: Playing, chosen: Sequence[Chosen] = ()
    ) -> tuple[PaymentRow, ...]:
        """Return the possible payments of the month: shown hands, captured yaku, additions.

        ``chosen`` gives the total to which the house adds (K15).
        """
        rows = {row.id: row for row in super().offers(ba, playing)}
        total = sum(
            compute_gain(rows[choice.label], choice, playing)
            for choice in chosen
            if choice.label in rows and rows[choice.label].kind is PaymentKind.CAPTURED
        )
        ways = list_additions(self.house, total).values()
        bonus = 0
        if "koikoi" in rows:
            sums_ = sorted({way["koikoi"] for way in ways if "koikoi" in way})
            rows["koikoi"] = rows["koikoi"]._replace(each=tuple(sums_) or (0,))
            bonus = sum(
                compute_gain(rows["koikoi"], choice, playing)
                for choice in chosen
                if choice.label == "koikoi"
            )
        fitting = [way for way in ways if way.get("koikoi", 0) == bonus]
        for label in DOUBLED:
            if label in rows:
                highest = max((way.get(label, 0) for way in fitting), default=0)
                rows[label] = rows[label]._replace(each=(highest,))
        return tuple(rows.values())

    def complete(
        self, chosen: Sequence[Chosen], offers: Mapping[str, PaymentRow], playing: Playing
    ) -> Sequence[Chosen]:
        """Return chosen payments with the lower of two shown hands taken off the higher (K3).

        A due 倍 is added (K15).
        """
        hands = [choice for choice in chosen if offers[choice.label].kind is PaymentKind.DEALT]
        gains = [compute_gain(offers[choice.label], choice, playing) for choice in hands]
        completed = list(chosen)
        if len({choice.seat for choice in hands}) == 2:
            winner = hands[gains.index(max(gains))].seat
            for choice, gain in zip(hands, gains, strict=True):
                if choice.seat != winner:
                    deducted = choice._replace(seat=winner, gain=-gain)
                    completed[completed.index(choice)] = deducted
        bai = offers.get("bai")
        if bai and bai.each[0] and all(choice.label != "bai" for choice in chosen):
            others = [i for i, choice in enumerate(chosen) if choice.label != "koikoigaeshi"]
            completed.insert(others[-1] + 1, Chosen(chosen[0].seat, "bai"))
        return completed

    def prizes(self, payments: Sequence[Payment]) -> Iterator[Payment]:
        """Yield 小引 and 大引 if due after a month with these payments (K12, K15)."""
        if self.house.replay and all(map(_is_zero_sum, payments)):
            return
        sums_ = tuple(
            map(sum, zip((0, 0), *(payment.amounts for payment in payments), strict=True))
        )
        winner = sums_.index(max(sums_)) + 1 if any(sums_) else 0
        if not self.house.exhausted_wins and any(payment.label == "oyaken" for payment in payments):
            winner = 0
        for line in ending.list_prizes(self.house, (*self.winners, winner)):
            yield Payment(line.label, line.amounts)

    def is_replayed(self, month: Month) -> bool:
        """Return whether the month is a 流れ that the house plays over (K9)."""
        return self.house.replay and all(
            payment.label in self.prize_labels or _is_zero_sum(payment)
            for payment in month.payments
        )

    # A month --------------------------------------------------------------------------------------

    def check_dealer(self, month: Month) -> None:
        """Check that the previous winner deals (K2), and note a remark if not.

        The other player may deal after a 流れ that was not written (S5). Raises Illegal in a house
        where no 流れ changes the dealer.
        """
        if not self.dealer or month.dealer == self.dealer:
            return
        if not (self.house.replay and self.house.exhausted_change):
            super().check_dealer(month)
        values = {"seat": month.dealer, "due": self.dealer}
        self.remarks.append(Remark(codes.SHEET_DEALER, "month", values, (str(self.dealer),)))

    def result(self, month: Month, next_dealer: int | None) -> DealResult:
        """Return the result of a month by its winner, who need not deal next (K15)."""
        return super().result(month, next_dealer)._replace(winner=self.winner or None)

    def check_month(self, month: Month, lines: Sequence[PaymentLine], *, is_over: bool) -> None:
        """Raise Illegal unless one winner has possible values, and the prizes of a season."""
        check_twice(
            (line._replace(seat=0) for line in lines if line.kind is not PaymentKind.CAPTURED),
            self.payments,
        )
        main_lines = [line for line in lines if line.seat and line.label not in self.prize_labels]
        self.winner = self._find_winner(month, main_lines)
        is_replayed = self.is_replayed(month)
        if not is_replayed:
            self.winners = (*self.winners, self.winner)
        prizes = [line for line in lines if line.label in self.prize_labels]
        self._check_prizes(prizes, is_replayed=is_replayed)

    def list_next_dealers(
        self, month: Month, lines: Sequence[PaymentLine], named: int | None = None
    ) -> Sequence[int]:
        """Return the next dealer by the winner (K2), and the one after 親権 if it may be that."""
        winners = [self.winner, 0] if len(self.winners) - 1 in self.unsure else [self.winner]
        return [
            ending.next_dealer(self.house, month.dealer, winner or None, flowed=not winner)
            for winner in winners
        ]

    def due_after(self, result: DealResult) -> int:
        """Return the dealer of the next month, 0 if still open.

        After a 流れ in January before the first card, a new split may decide (K2).
        """
        return 0 if self.replayed and self.number == 1 else super().due_after(result)

    def _find_winner(self, month: Month, lines: Sequence[PaymentLine]) -> int:
        """Return the winner of the month by the lines, 0 for nobody.

        Raises Illegal if the lines name several winners, or an impossible value.
        """
        house = self.house
        if not lines:
            if house.exhausted_gain and not (house.replay or house.teyaku):
                # Of the months that nobody wins only a new deal would bring the dealer nothing.
                code = codes.SHEET_DUE
                raise Illegal(code, where="month", label="oyaken", seat=month.dealer)
            return 0
        first_line = lines[0]
        for line in lines[1:]:
            if self.payments[line.yaku[0]].ends != self.payments[first_line.yaku[0]].ends:
                raise explain_mixed(line, first_line.label)
        if first_line.kind is PaymentKind.DEALT:
            return self._check_dealt(lines)
        for line in lines[1:]:
            if line.seat != first_line.seat:
                raise _winner_fault(line, first_line.seat)
        if first_line.label == "oyaken":
            check_value(first_line, {house.exhausted_gain})
            if first_line.seat != month.dealer:
                raise _winner_fault(first_line, month.dealer)
            return first_line.seat if house.exhausted_wins else 0
        is_dealer = first_line.seat == month.dealer
        situation = MonthSituation(house, house.table(self.number), self.replayed, is_dealer)
        if first_line.label == MONTH:
            check_sum(first_line, situation)
            is_oyaken = (
                situation.is_dealer
                and first_line.amounts[first_line.seat - 1] == house.exhausted_gain
            )
            if is_oyaken and not house.exhausted_wins:
                self.unsure.add(len(self.winners))
        else:
            check_captured(lines, situation)
        return first_line.seat

    def _check_dealt(self, lines: Sequence[PaymentLine]) -> int:
        """Check the values of shown hands and return the winner (K3).

        The lower of two hands is taken off the higher.
        """
        values = {line.label: self.payments.find_each(line.label) for line in lines}
        best = max(lines, key=lambda line: values[line.label])
        check_value(best, {values[best.label]})
        for line in lines:
            if line is not best:
                if len(lines) > 2 or values[line.label] == values[best.label]:
                    raise explain_mixed(line, best.label)
                check_value(line._replace(seat=best.seat), {-values[line.label]})
        return best.seat

    def _check_prizes(self, prizes: Sequence[PaymentLine], *, is_replayed: bool) -> None:
        """Raise Illegal unless 小引 and 大引 are written exactly when due (K12, K15)."""
        winners = self.winners
        prizes_due = () if is_replayed else ending.list_prizes(self.house, winners)
        due = {line.label: line.amounts for line in prizes_due}
        written = {line.label: line for line in prizes}
        for label in self.prize_labels:
            line, sums_due = written.get(label), due.get(label, (0, 0))
            first = len(winners) - 3 if label == "kobiki" else 0
            if line is None and self.unsure & {*range(first, len(winners))}:
                continue
            if sums_due != (line.amounts if line else (0, 0)):
                raise Illegal(
                    codes.SHEET_SEASON,
                    where=line.where if line else "month",
                    expected=(amounts.text(max(sums_due), kan=False),),
                    label=label,
                    found=max(line.amounts) if line else 0,
                    due=max(sums_due),
                )


def _is_zero_sum(payment: Payment) -> bool:
    """Return whether a payment is the sum of a month that gave nobody anything, a 流れ (S5)."""
    return payment.label == MONTH and not any(payment.amounts)


def _winner_fault(line: PaymentLine, winner: int) -> Illegal:
    """Return the fault of a line that pays a seat other than the winner."""
    code = codes.SHEET_WINNERS
    return Illegal(code, where=line.where, label=line.label, seat=line.seat, due=winner)
