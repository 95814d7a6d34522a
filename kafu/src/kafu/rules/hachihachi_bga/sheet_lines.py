"""Payment lines on score sheets of 八八 for three to six players (S7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from operator import sub

from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.hachihachi.sheet import SumOfThree
from kafu.rules.payments import PaymentKind, PaymentTable
from kafu.rules.play.actions import Illegal
from kafu.rules.play.ledger import score, share
from kafu.rules.play.seating import turn_order
from kafu.rules.sheets.lines import PaymentLine


def list_sums(line: PaymentLine, payments: PaymentTable, dealer: int) -> Iterator[SumOfThree]:
    """Yield the readings of a month's sum: who is out, and who gets the fees (B3, B4, B11)."""
    players = len(line.amounts)
    seats = turn_order(dealer, players)
    blind = share("mizuten", dealer, payments.find_each("mizuten"), seats, players)
    fees = payments["ori"].each
    for out in (out for count in range(players - 2) for out in combinations(seats, count)):
        order = tuple(seat for seat in seats if seat not in out)[:3]
        shut_out = tuple(seat for seat in seats if seat not in (*order, *out))
        first = [(), (blind,)] if players > 3 and dealer in order else [()]
        for ledger, winner in product(first, order if out else order[:1]):
            ledger += tuple(
                share("ori", winner, fee, (seat,), players)
                for seat, fee in zip(out, fees, strict=False)
            )
            for seat in shut_out:
                left = line.amounts[seat - 1] - score(ledger, players)[seat - 1]
                if left > 0:
                    ledger += (share("oikomi", seat, left // 3, order, players),)
            paid = score(ledger, players)
            amounts = tuple(map(sub, line.amounts, paid))
            values = {line.amounts[order[0] - 1] for line in ledger if line.label == "oikomi"}
            is_right = values <= {-each for each in payments["oikomi"].each}
            if is_right and not any(amounts[seat - 1] for seat in (*out, *shut_out)):
                lines = (
                    PaymentLine(PaymentKind.OTHER, (fee.label,), seat, fee.amounts, False, "month")
                    for fee in ledger
                    for seat in seats
                    if fee.amounts[seat - 1] > 0
                )
                yield SumOfThree(order, shut_out, amounts, tuple(lines))


def check_fees(lines: Sequence[PaymentLine], payments: PaymentTable, dealer: int) -> None:
    """Raise Illegal unless 下り賃 are 1, 1.5 and 2 kan by the order of going out (B3, B13).

    The order is the order of the seats from the dealer on, and one player gets all fees. The lines
    may have any order, and several fees may be in a line (S7).
    """
    due = payments["ori"].each
    texts = tuple(amounts.text(fee, kan=True) for fee in due)
    fees = [
        ((seat - dealer) % len(line.amounts), -amount, line)
        for line in lines
        for seat, amount in enumerate(line.amounts, start=1)
        if amount < 0
    ]
    fees.sort(key=lambda fee: fee[0])
    previous_place = -1
    for number, (place, fee, line) in enumerate(fees):
        is_fee = place > previous_place and number < len(due) and fee == due[number]
        if not is_fee or line.seat != lines[0].seat:
            raise Illegal(codes.SHEET_FEES, where=line.where, expected=texts, due=" / ".join(texts))
        previous_place = place
