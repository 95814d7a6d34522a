"""Score sheets of 八八: players in play, payers, carried brights (S1–S4, S7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Final

from kafu.notation.game import Month, Payment
from kafu.notation.reading import amounts
from kafu.notation.vocabulary import KAN
from kafu.rules import codes
from kafu.rules.grades import BRIGHT_GRADES, SCALES, Carried
from kafu.rules.hachihachi.sheet import HachiSheet, SumOfThree
from kafu.rules.hachihachi_bga import pay, sheet_lines
from kafu.rules.hachihachi_bga.house import read_house
from kafu.rules.hachihachi_bga.payments import list_payments
from kafu.rules.hachihachi_bga.sheet_cards import HachihachiBgaMonth
from kafu.rules.payments import PaymentKind, PaymentRow, PaymentTable
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.lines import PaymentLine
from kafu.rules.sheets.offers import Chosen, Playing

#: Maximum number of carried brights that is counted; no year carries on more.
_MOST: Final = 6


class HachihachiBgaSheet(HachiSheet):
    """The score sheet of a game."""

    sums_hide_next = True
    sequence = BRIGHT_GRADES

    def __init__(self, options: Mapping[str, str], players: int) -> None:
        """Create the sheet before January."""
        house = read_house(options)
        super().__init__(players, list_payments(house), SCALES["A"], house.months)
        self.make_month = partial(HachihachiBgaMonth, house=house)
        self.start_kan, self.etsunen, self.stones = house.start_kan, house.etsunen, house.tsukifuda
        self.totals = (-KAN * house.start_kan,) * players

    def settle(self) -> tuple[int, ...]:
        """Return the totals with the prize and the month card (B1, B15)."""
        return pay.settle(self.totals, self.start_kan, self.count_stones() if self.stones else ())

    def step(self, field: int, carried: Carried) -> tuple[str, Carried]:
        """Return the grade of a month with a field, and the brights carried on (B2)."""
        grade, after = super().step(field, carried)
        return grade, Carried(min(after.absolutes, _MOST), min(after.larges, _MOST))

    # Writing --------------------------------------------------------------------------------------

    def complete(
        self, chosen: Sequence[Chosen], offers: Mapping[str, PaymentRow], playing: Playing
    ) -> Sequence[Chosen]:
        """Return chosen payments with the fees of going out, which rise with the order (B3)."""
        fees = [choice for choice in chosen if choice.label == "ori"]
        fees.sort(key=lambda choice: (choice.payer - playing.dealer) % playing.players)
        each = offers["ori"].each if fees else ()
        due = iter(
            choice if choice.gain is not None else choice._replace(gain=each[min(i, len(each) - 1)])
            for i, choice in enumerate(fees)
        )
        return [next(due) if choice.label == "ori" else choice for choice in chosen]

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

    # A month --------------------------------------------------------------------------------------

    def check_lines(
        self, lines: Sequence[PaymentLine], payments: PaymentTable, playing: Playing
    ) -> None:
        """Raise Illegal unless all lines fit the grade and the seats in play."""
        fees = [line for line in lines if line.label == "ori"]
        sheet_lines.check_fees(fees, payments, playing.dealer)
        super().check_lines(lines, payments, playing)

    def list_sums(
        self, month: Month, line: PaymentLine, payments: PaymentTable
    ) -> Iterable[SumOfThree]:
        """Return the readings of a month's sum, by who is out (S2)."""
        return sheet_lines.list_sums(line, payments, month.dealer)

    def list_orders(
        self, month: Month, lines: Sequence[PaymentLine], *, is_over: bool
    ) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return the possible threes in play, in play order, each with who is shut out (S7).

        In a complete month all who went out have paid a fee, so the first three of the others play.
        The seats that are shut out come after those in play (B3). Raise Illegal if there are none.
        """
        seats = self.list_seats(month)
        playing: dict[int, PaymentLine] = {}
        out: dict[int, PaymentLine] = {}
        shut_out: dict[int, PaymentLine] = {}
        for line in lines:
            paid = [seat for seat in seats if line.amounts[seat - 1]]
            if line.label == "ori":
                out |= {seat: line for seat in paid if seat != line.seat}
            elif line.label == "oikomi":
                shut_out[line.seat] = line
                playing |= {seat: line for seat in paid if seat != line.seat}
            elif line.label == "mizuten" or (self.enders and "shiso" in line.yaku):
                playing[line.seat] = line
            else:
                playing |= dict.fromkeys(paid, line)
        first_three = tuple(seat for seat in seats if seat not in out)[:3]
        orders = [
            order
            for order in ([first_three] if is_over else combinations(seats, 3))
            if playing.keys() <= set(order)
            and out.keys().isdisjoint(order)
            and shut_out.keys() <= {*seats[seats.index(order[-1]) + 1 :]}
        ]
        both = out.keys() & shut_out.keys()
        if not orders or both or len(out) > len(seats) - 3:
            wrong = [*both, *(seat for seat in playing if seat in out)]
            wrong += [seat for seat in shut_out if seat in first_three]
            wrong += [*(seat for seat in playing if seat not in first_three), *out]
            line = shut_out.get(wrong[0]) or playing.get(wrong[0]) or out[wrong[0]]
            raise Illegal(codes.SHEET_SEATS, where=line.where, seat=wrong[0])
        return [
            (order, tuple(seat for seat in self.seats if seat not in (*order, *out)))
            for order in orders
        ]


def _as_shown(amount: int) -> int:
    """Return the sum meant by an amount copied from the site, with its mon never negative."""
    kan, mon = divmod(-amount, KAN)
    return mon - kan * KAN if kan > 0 and mon else amount
