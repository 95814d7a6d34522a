"""Payment lines on score sheets of 八八 for three to six players (S7)."""

from __future__ import annotations

from collections.abc import Sequence

from kafu import cards
from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.hachihachi.sheet import check_sum
from kafu.rules.hachihachi.sheet_lines import check_factor
from kafu.rules.hachihachi.year import EVEN
from kafu.rules.hachihachi_bga.hands import COUNT
from kafu.rules.hachihachi_bga.state import YAKU
from kafu.rules.payments import POINTS, PaymentKind, PaymentTable
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.lines import MONTH, PaymentLine, check_line, check_points
from kafu.rules.sheets.offers import Playing


def check(lines: Sequence[PaymentLine], payments: PaymentTable, playing: Playing) -> None:
    """Raise Illegal unless all lines fit the grade, the seats in play, and each other."""
    _check_fees([line for line in lines if line.label == "ori"], payments, playing.dealer)
    factor = payments.find_each(POINTS)
    most = cards.points(cards.ALL) - EVEN
    for line in lines:
        if line.label == POINTS:
            check_points(line, range(-EVEN * factor, most * factor + 1, factor), kan=True)
        elif line.label == MONTH:
            _check_sum(line, payments, playing)
        elif line.label != "ori":
            check_line(line, payments, playing, kan=True)
    _check_halves([line for line in lines if line.kind is PaymentKind.CAPTURED], payments)


def _check_sum(line: PaymentLine, payments: PaymentTable, playing: Playing) -> None:
    """Raise Illegal unless a month can have the sum (S2).

    The sum of each seat not in play is a fee of going out or 追い込み代.
    """
    scale = payments.scale
    check_factor(line, scale)
    if not playing.idle:
        check_sum(line, scale, YAKU, COUNT)
        return
    fees, shut_out = payments["ori"].each, payments["oikomi"].each
    blind = payments.find_each("mizuten")
    playing_count = len(playing.order)
    extra = sum(fees) + playing.players * blind + playing_count * max(shut_out)
    check_sum(line, scale, YAKU, COUNT, extra)
    idle_sums = {-fee for fee in fees} | {playing_count * each for each in (0, *shut_out)}
    idle_sums |= {sum_ - blind for sum_ in idle_sums}
    if sum(amount in idle_sums for amount in line.amounts) < len(playing.idle):
        text = amounts.text(max(line.amounts, key=abs), kan=True)
        raise Illegal(codes.SHEET_MONTH_SUM, where=line.where, found=text)


def _check_halves(lines: Sequence[PaymentLine], payments: PaymentTable) -> None:
    """Raise Illegal unless captured yaku are paid in full, or all by half (B9)."""
    shares = set()
    for line in lines:
        shares.add(line.amounts[line.seat - 1] == 2 * sum(map(payments.find_each, line.yaku)))
        if len(shares) > 1:
            where, label = line.where, line.label
            raise Illegal(codes.SHEET_HALVES, where=where, label=label, seat=line.seat)


def _check_fees(lines: Sequence[PaymentLine], payments: PaymentTable, dealer: int) -> None:
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
