"""Score sheets of 八八: players in play, payers, carried grades (S1–S4, S7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import ClassVar, Final

from kafu.notation.game import Month, Payment
from kafu.notation.reading import amounts
from kafu.notation.vocabulary import KAN, SHEET_GRADES
from kafu.rules import codes
from kafu.rules.grades import SCALES, Carried
from kafu.rules.hachihachi_bga import pay, sheet_lines
from kafu.rules.hachihachi_bga.house import read_house
from kafu.rules.hachihachi_bga.payments import list_payments
from kafu.rules.hachihachi_bga.sheet_cards import HachihachiBgaMonth, find_fitting_fields
from kafu.rules.payments import POINTS, PaymentKind, PaymentRow, PaymentTable
from kafu.rules.play.actions import Illegal
from kafu.rules.play.seating import turn_order
from kafu.rules.sheets.dealt_hands import Brights
from kafu.rules.sheets.form import GameSheet
from kafu.rules.sheets.lines import MONTH, PaymentLine, check_once, list_grades
from kafu.rules.sheets.offers import Chosen, Playing
from kafu.rules.sheets.sums import check_sum
from kafu.rules.verdict import DealResult

#: Maximum number of carried brights that is counted; no year carries on more.
_MOST: Final = 6
#: The possible numbers of absolute and of large brights on a field (B2).
_FIELDS: Final = tuple((absolutes, larges) for absolutes in range(3) for larges in range(4))


class HachihachiBgaSheet(GameSheet):
    """The score sheet of a game.

    ``carried`` are the possible brights carried into the next month (B2); ``ended``: 四三 ended the
    game (B15).
    """

    kan: ClassVar[bool] = True
    sums_hide_next: ClassVar[bool] = True
    joined: ClassVar[frozenset[PaymentKind]] = frozenset(
        (PaymentKind.DEALT, PaymentKind.CAPTURED, PaymentKind.SPECIAL)
    )

    def __init__(self, options: Mapping[str, str], players: int) -> None:
        """Create the sheet before January."""
        self.house = read_house(options)
        super().__init__(players, list_payments(self.house), SCALES["A"])
        self.stones = self.house.tsukifuda
        self.totals = (-KAN * self.house.start_kan,) * players
        self.carried = {Carried()}
        self.ended = False

    @property
    def is_over(self) -> bool:
        """Return whether the game is over, with more months on the record.

        With 越年 further months follow the last one while a grade may be carried (B15).
        """
        return self._is_over(free=self.carried == {Carried()})

    @property
    def may_be_over(self) -> bool:
        """Return whether the game may be over at the end of the record.

        With 越年 a last month without a carried grade must be possible.
        """
        return self._is_over(free=Carried() in self.carried)

    def _is_over(self, *, free: bool) -> bool:
        """Return whether the game is over; ``free`` is true without a carried grade."""
        are_months_over = len(self.deals) >= self.house.months
        return self.ended or (are_months_over and (free or not self.house.etsunen))

    def settle(self) -> tuple[int, ...]:
        """Return the totals with the prize and the month card (B1, B15)."""
        stones = [sum(deal.next_dealer == seat for deal in self.deals) for seat in self.seats]
        return pay.settle(self.totals, self.house.start_kan, stones if self.stones else ())

    # Writing --------------------------------------------------------------------------------------

    def written(
        self,
        chosen: Sequence[Chosen],
        points: tuple[int, ...] | None,
        offers: Sequence[PaymentRow],
        playing: Playing,
    ) -> list[tuple[Payment, tuple[Chosen, ...]]]:
        """Return the lines of the month; fees of going out rise with the order (B3)."""
        fees = next((offer.each for offer in offers if offer.id == "ori"), ())
        fee_choices = [choice for choice in chosen if choice.label == "ori"]
        fee_choices.sort(key=lambda choice: (choice.payer - playing.dealer) % playing.players)
        due = iter(
            choice if choice.gain is not None else choice._replace(gain=fees[min(i, len(fees) - 1)])
            for i, choice in enumerate(fee_choices)
        )
        chosen = [next(due) if choice.label == "ori" else choice for choice in chosen]
        return super().written(chosen, points, offers, playing)

    def bars(self, offer: PaymentRow, seat: int, other: PaymentRow, other_seat: int) -> bool:
        """Return whether two offers exclude each other (S7).

        Captured yaku belong to a single player, and never go with special yaku.
        """
        ends = {PaymentKind.CAPTURED, PaymentKind.SPECIAL}
        if ends == {offer.kind, other.kind}:
            return True
        if seat != other_seat and offer.kind is other.kind is PaymentKind.CAPTURED:
            return True
        return super().bars(offer, seat, other, other_seat)

    def receiver(self, payment: Payment, kind: PaymentKind, where: str) -> int:
        """Return the receiver of a payment (S1).

        Raises Illegal with a hint if the amounts were copied from the site (C4).
        """
        total = sum(payment.amounts)
        shown = tuple(map(_as_shown, payment.amounts))
        if total and shown != payment.amounts:
            texts = tuple(amounts.text(amount, kan=True) for amount in shown)
            raise Illegal(
                codes.SHEET_SUM_OF_BGA,
                where=where,
                expected=() if sum(shown) else texts,
                label=payment.label,
                sum=amounts.text(total, kan=True),
            )
        return super().receiver(payment, kind, where)

    def grades_due(self) -> tuple[str, ...]:
        """Return the possible grades by the brights possibly carried into the month (B2)."""
        carried = self.carried
        if self.number > self.house.months:
            carried = carried - {Carried()}
        return tuple(
            ba
            for ba in SHEET_GRADES
            if any(before in carried for _, _, before, _ in self._list_fields([ba]))
        )

    def next_by(self, month: Month, lines: Sequence[PaymentLine]) -> Sequence[int]:
        """Return the winner of the month, and so the next dealer, by the lines (B13, B14)."""
        shiso = [line.seat for line in lines if "shiso" in line.yaku and self.house.shiso_ends]
        seats = turn_order(month.dealer, len(self.seats))
        winner = None if shiso else sheet_lines.find_winner(seats, lines)
        return (winner,) if winner else ()

    # A month --------------------------------------------------------------------------------------

    def judge(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> DealResult | None:
        """Check the grade of a month, the lines by the possible players, and the next dealer."""
        if not lines and self.open_end:
            return None
        check_once(lines, POINTS, MONTH, "mizuten")
        if self.number > self.house.months:  # 越年: a month follows only if a grade is carried
            self.carried.discard(Carried())
        shiso = [line.seat for line in lines if "shiso" in line.yaku and self.house.shiso_ends]
        is_over = bool(shiso or month.stone) or not self.open_end
        carried = self._find_carried(month, lines, is_over=is_over, ended=bool(shiso))
        bounds = {before.strongest for before, _ in carried}
        self.carried = {after for _, after in carried}
        seats = turn_order(month.dealer, len(self.seats))
        winner = sheet_lines.find_winner(seats, lines, shiso)
        summed = any(line.label == MONTH for line in lines)
        if summed:
            winner = month.stone or (following.dealer if following else None)
        due = None if shiso else winner
        if shiso and month.stone is not None:
            raise Illegal(codes.SHEET_STONE_SHISO, where="stone")
        if due:
            self.check_stone(month, due)
        if self.stones and not shiso and month.stone is None and not (summed and due):
            if self.open_end:
                return None
            raise Illegal(codes.SHEET_STONE_MISSING, month=month.month)
        self.number += 1
        self.ended = bool(shiso)
        bound = bounds.pop() if len(bounds) == 1 else None
        return self.result(month, due, winner=winner, bound=bound)

    # Grades ---------------------------------------------------------------------------------------

    def _list_fields(
        self, grades: Sequence[str]
    ) -> Iterator[tuple[str, tuple[int, int], Carried, Carried]]:
        """Yield the fields on which a month can have a grade of ``grades``.

        The values are the grade, the numbers of absolute and of large brights, and the brights
        carried into the month and on from it.
        """
        for before, (absolutes, larges) in product(sorted(self.carried), _FIELDS):
            grade, after = Carried(before.absolutes + absolutes, before.larges + larges).join(0)
            ba = f"{grade}2" if any(after) else grade
            if ba in grades:
                after = Carried(min(after.absolutes, _MOST), min(after.larges, _MOST))
                yield ba, (absolutes, larges), before, after

    def _find_carried(
        self, month: Month, lines: Sequence[PaymentLine], *, is_over: bool, ended: bool
    ) -> list[tuple[Carried, Carried]]:
        """Return the brights that may be carried into the month and on from it.

        ``ended``: 四三 ended the game. Raises Illegal if the lines fit no possible grade.
        """
        fitting: list[tuple[Carried, Carried]] = []
        fault: Illegal | None = None
        for ba in list_grades(month, self.grades_due()):
            payments = self.list_payments(ba)
            groups: dict[tuple[Carried, Carried], set[tuple[int, int]]] = {}
            for _, field, before, after in self._list_fields([ba]):
                groups.setdefault((before, after), set()).add(field)
            try:
                fields = [frozenset(group) for group in groups.values()]
                if any(line.label == MONTH for line in lines):
                    fits = self._find_fields_of_sum(month, lines[0], payments, fields)
                else:
                    orders = self._check_lines(month, lines, payments, is_over=is_over, ended=ended)
                    brights = frozenset().union(*fields)
                    months = [
                        HachihachiBgaMonth(
                            *(lines, payments, order, is_over, brights, self.house, shut_out)
                        )
                        for order, shut_out in orders
                    ]
                    fits, self.witness = find_fitting_fields(months, fields)
            except Illegal as illegal:
                fault = fault or illegal
            else:
                fitting += [pair for pair, group in groups.items() if not fits.isdisjoint(group)]
        if not fitting and fault:
            raise fault
        return fitting

    def _find_fields_of_sum(
        self, month: Month, line: PaymentLine, payments: PaymentTable, fields: Sequence[Brights]
    ) -> Brights:
        """Return fields (numbers of brights) with which a month can have a sum (S2).

        They have a field at least of each group of ``fields`` that has any. Raise Illegal if there
        are none.
        """
        fitting: Brights = frozenset()
        while groups := [group for group in fields if fitting.isdisjoint(group)]:
            brights = frozenset().union(*groups)
            questions = (
                question
                for part in sheet_lines.list_sums(line, payments, month.dealer)
                for question in HachihachiBgaMonth(
                    *((), payments, part.order, True, brights, self.house, part.shut_out)
                ).list_sums(part.amounts, part.fees)
            )
            try:
                possible_month = check_sum(line, questions, kan=True)
            except Illegal:
                if not fitting:
                    raise
                break
            assert isinstance(possible_month, HachihachiBgaMonth)
            fitting |= find_fitting_fields([possible_month], groups)[0]
        return fitting

    def _check_lines(
        self,
        month: Month,
        lines: Sequence[PaymentLine],
        payments: PaymentTable,
        *,
        is_over: bool,
        ended: bool,
    ) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return the possible threes in play, and who is shut out.

        Raise Illegal unless the lines fit this grade, with some three players in play.
        """
        captured = [line for line in lines if line.kind is PaymentKind.CAPTURED]
        for line in captured:
            if line.seat != captured[0].seat:
                raise Illegal(
                    codes.SHEET_WINNERS,
                    where=line.where,
                    label=line.label,
                    seat=line.seat,
                    due=captured[0].seat,
                )
        fault: Illegal | None = None
        orders = []
        out = {
            seat
            for line in lines
            if line.label == "ori"
            for seat in self.seats
            if line.amounts[seat - 1] < 0
        }
        for order in self._list_orders(month.dealer, lines, is_over=is_over, ended=ended):
            try:
                sheet_lines.check(lines, payments, Playing(month.dealer, order, len(self.seats)))
            except Illegal as illegal:
                fault = fault or illegal
            else:
                orders.append(
                    (
                        order,
                        tuple(seat for seat in self.seats if seat not in out and seat not in order),
                    )
                )
        if fault and not orders:
            raise fault
        return orders

    def _list_orders(
        self, dealer: int, lines: Sequence[PaymentLine], *, is_over: bool, ended: bool
    ) -> list[tuple[int, ...]]:
        """Return the possible threes in play, in play order (S7). Raise Illegal if there are none.

        In a complete month all who went out have paid a fee, so the first three of the others play.
        """
        seats = turn_order(dealer, len(self.seats))
        playing: dict[int, PaymentLine] = {}
        payers_of_fees: dict[int, PaymentLine] = {}
        shut_out: dict[int, PaymentLine] = {}
        for line in lines:
            paid = [seat for seat in seats if line.amounts[seat - 1]]
            if line.label == "ori":
                payers_of_fees |= {seat: line for seat in paid if seat != line.seat}
            elif line.label == "oikomi":
                shut_out[line.seat] = line
                playing |= {seat: line for seat in paid if seat != line.seat}
            elif line.label == "mizuten" or (ended and "shiso" in line.yaku):
                playing[line.seat] = line
            else:
                playing |= dict.fromkeys(paid, line)
        first_three = tuple(seat for seat in seats if seat not in payers_of_fees)[:3]
        orders = [
            order
            for order in ([first_three] if is_over else combinations(seats, 3))
            if playing.keys() <= set(order)
            and not (payers_of_fees.keys() | shut_out.keys()) & set(order)
        ]
        if (
            not orders
            or payers_of_fees.keys() & shut_out.keys()
            or len(payers_of_fees) > len(seats) - 3
        ):
            wrong = [
                *(payers_of_fees.keys() & shut_out.keys()),
                *(seat for seat in playing if seat in payers_of_fees),
            ]
            wrong += [seat for seat in shut_out if seat in first_three]
            wrong += [seat for seat in playing if seat not in first_three] or list(payers_of_fees)
            line = shut_out.get(wrong[0]) or playing.get(wrong[0]) or payers_of_fees[wrong[0]]
            raise Illegal(codes.SHEET_SEATS, where=line.where, seat=wrong[0])
        return orders


def _as_shown(amount: int) -> int:
    """Return the sum meant by an amount copied from the site, with its mon never negative."""
    kan, mon = divmod(-amount, KAN)
    return mon - kan * KAN if kan > 0 and mon else amount
