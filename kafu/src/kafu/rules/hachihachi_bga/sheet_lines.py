"""Payment lines on score sheets of 八八 for three to six players (S7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from kafu import cards
from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.grades import GradeScale
from kafu.rules.hachihachi.hands import CHAFF, value
from kafu.rules.hachihachi.sheet import check_sum
from kafu.rules.hachihachi.sheet_lines import PLAIN, SPECIAL, check_factor, plain_parts
from kafu.rules.hachihachi.sheet_lines import kind as kind_of_three
from kafu.rules.hachihachi_bga.hands import COUNT, MOST_SHUT_OUT, SHUT_OUT_STEP
from kafu.rules.hachihachi_bga.house import HachihachiBgaHouse
from kafu.rules.hachihachi_bga.pay import EVEN, MIZUTEN_KAN
from kafu.rules.hachihachi_bga.state import YAKU
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.captured import need_of
from kafu.rules.sheets.lines import (
    POINTS,
    PaymentKind,
    PaymentLine,
    check_paid,
    check_points,
    check_value,
)
from kafu.rules.sheets.offers import Offer, Paid, Playing

_CAPTURED: Final = {row.id: row.value for row in YAKU}
_OTHER: Final = frozenset({POINTS, "ori", "oikomi", "mizuten", *PLAIN})
#: 下り賃 in halves of a kan, by the order of going out (B3).
_FEES: Final = (2, 3, 4)


def kind(yaku: tuple[str, ...]) -> PaymentKind | None:
    """Return the kind of a label, None if the yaku cannot be one payment."""
    return kind_of_three(yaku, _OTHER, COUNT, _CAPTURED)


@lru_cache(maxsize=256)  # a form is composed hundreds of times, at the same grades
def offers(scale: GradeScale, house: HachihachiBgaHouse, playing: Playing) -> tuple[Offer, ...]:
    """Return the possible payments of a month at a grade, chaff family first (B3–B12)."""
    return tuple(_iterate_offers(scale, house, playing))


def _iterate_offers(
    scale: GradeScale, house: HachihachiBgaHouse, playing: Playing
) -> Iterator[Offer]:
    """Yield the offers: dealt, captured and special yaku, 飛込み, 抜け, fees and bonuses."""
    factor = scale.halves // 2
    for label, kan in (*CHAFF.items(), *COUNT.items()):
        paid = Paid.TABLE if label == "shiso" and house.shiso_ends else Paid.PLAYING
        yield Offer(label, PaymentKind.DEALT, (scale.yaku(kan),), paid, struck=True)
    for row in YAKU:
        each, needs = (scale.yaku(row.value),), need_of(row)
        yield Offer(row.id, PaymentKind.CAPTURED, each, halves=True, alone=True, cards=needs)
    for label, values in SPECIAL.items():
        seats = playing.order[:1] if label == "sohachi" else ()
        yield Offer(label, PaymentKind.SPECIAL, tuple(map(scale.yaku, values)), seats=seats)
    for label, kan in PLAIN.items():
        alone = house.tobikomi_hatto and label == "tobikomi"
        yield Offer(label, PaymentKind.OTHER, (scale.plain(kan),), alone=alone, struck=True)
    if len(playing.order) == playing.players:
        return
    fees = tuple(scale.plain(halves) // 2 for halves in _FEES)
    yield Offer("ori", PaymentKind.OTHER, fees, Paid.ONE)
    idle_seats = tuple(seat for seat in range(1, playing.players + 1) if seat not in playing.order)
    steps = range(SHUT_OUT_STEP, MOST_SHUT_OUT + 1, SHUT_OUT_STEP)
    yield Offer(
        "oikomi", PaymentKind.OTHER, tuple(each * factor for each in steps), seats=idle_seats
    )
    if playing.dealer in playing.order:
        blind, seats = (scale.plain(MIZUTEN_KAN),), (playing.dealer,)
        yield Offer("mizuten", PaymentKind.OTHER, blind, Paid.TABLE, seats=seats)


def check(
    lines: Sequence[PaymentLine],
    scale: GradeScale,
    house: HachihachiBgaHouse,
    dealer: int,
    order: tuple[int, ...],
) -> None:
    """Raise Illegal unless all lines fit the grade, the seats in play, and each other."""
    _check_fees([line for line in lines if line.label == "ori"], scale, dealer)
    captured = [line for line in lines if line.kind is PaymentKind.CAPTURED]
    for line in lines:
        if line not in captured and line.label != "ori":
            _check(line, scale, house, dealer, order)
    _check_captured(captured, scale, order)


def _check(
    line: PaymentLine,
    scale: GradeScale,
    house: HachihachiBgaHouse,
    dealer: int,
    order: tuple[int, ...],
) -> None:
    """Raise Illegal unless the amounts of a line fit its label at this grade."""
    factor = scale.halves // 2
    everybody = range(1, len(line.amounts) + 1)
    among: Sequence[int] = order
    owed: set[tuple[int, ...]]
    match line.kind, line.label:
        case _, "points":
            most = cards.points(cards.ALL) - EVEN
            check_points(line, range(-EVEN * factor, most * factor + 1, factor), kan=True)
            return
        case _, "month":
            _check_sum(line, scale, order)
            return
        case PaymentKind.DEALT, _:
            if house.shiso_ends and "shiso" in line.yaku:
                _check_shiso(line, scale, order)
                return
            owed = {(scale.yaku(value(line.yaku, COUNT) or 0),)}
        case PaymentKind.SPECIAL, _:
            owed = {
                tuple(map(scale.yaku, kan)) for kan in product(*(SPECIAL[id] for id in line.yaku))
            }
            if "sohachi" in line.yaku and line.seat != order[0]:
                due = (str(order[0]),)
                raise Illegal(codes.SHEET_SOHACHI, where=line.where, expected=due, due=order[0])
        case _, "oikomi":
            steps = range(SHUT_OUT_STEP, MOST_SHUT_OUT + 1, SHUT_OUT_STEP)
            owed = {(each * factor,) for each in steps}
            among = (*order, line.seat)
        case _, "mizuten":
            owed, among = {(scale.plain(MIZUTEN_KAN),)}, everybody
            if line.seat != dealer or len(everybody) == 3 or dealer not in order:
                raise Illegal(codes.SHEET_PLACE, where=line.where, label=line.label, seat=line.seat)
        case _:
            owed = set(plain_parts(line, scale))
    payers = len(among) - 1
    sums = {payers * sum(parts) for parts in owed}
    check_value(line, sums, line.amounts[line.seat - 1], kan=True)
    check_paid(line, owed, among, alone=house.tobikomi_hatto and line.label == "tobikomi")


def _check_sum(line: PaymentLine, scale: GradeScale, order: Sequence[int]) -> None:
    """Raise Illegal unless a month can have the sum (S2).

    The sum of each seat not in play is a fee of going out or 追い込み代.
    """
    check_factor(line, scale)
    factor, players = scale.halves // 2, len(line.amounts)
    if players == len(order):
        check_sum(line, scale, YAKU, COUNT)
        return
    fees = sum(_FEES) // 2 + players * MIZUTEN_KAN
    extra = scale.plain(fees) + len(order) * MOST_SHUT_OUT * factor
    check_sum(line, scale, YAKU, COUNT, extra)
    steps = range(0, MOST_SHUT_OUT + 1, SHUT_OUT_STEP)
    idle_sums = {-scale.plain(halves) // 2 for halves in _FEES}
    idle_sums |= {len(order) * each * factor for each in steps}
    idle_sums |= {sum_ - scale.plain(MIZUTEN_KAN) for sum_ in idle_sums}
    if sum(amount in idle_sums for amount in line.amounts) < players - len(order):
        text = amounts.text(max(line.amounts, key=abs), kan=True)
        raise Illegal(codes.SHEET_MONTH_SUM, where=line.where, found=text)


def _check_shiso(line: PaymentLine, scale: GradeScale, order: Sequence[int]) -> None:
    """Check a 四三 at the end of the game: seats not in play pay for 四三 too (B15).

    A yaku joined to 四三 is paid by the others in play only.
    """
    whole, alone = (scale.yaku(value(yaku, COUNT) or 0) for yaku in (line.yaku, ("shiso",)))
    due = [
        0 if seat == line.seat else -(whole if seat in order else alone)
        for seat in range(1, len(line.amounts) + 1)
    ]
    due[line.seat - 1] = -sum(due)
    check_value(line, {due[line.seat - 1]}, line.amounts[line.seat - 1], kan=True)
    if tuple(due) != line.amounts:
        raise Illegal(codes.SHEET_SHARED, where=line.where, label=line.label)


def _check_captured(
    lines: Sequence[PaymentLine], scale: GradeScale, order: tuple[int, ...]
) -> None:
    """Raise Illegal unless captured yaku are paid in full, or all by half (B9).

    One player may pay for both others (B10).
    """
    shares: set[int] = set()
    for line in lines:
        full = tuple(scale.yaku(_CAPTURED[id]) for id in line.yaku)
        gain = line.amounts[line.seat - 1]
        share = 2 if gain == sum(full) else 1
        check_value(line, {sum(full), 2 * sum(full)}, gain, kan=True)
        check_paid(line, {tuple(each // share for each in full)}, order, alone=True)
        shares.add(share)
        if len(shares) > 1:
            where, label = line.where, line.label
            raise Illegal(codes.SHEET_HALVES, where=where, label=label, seat=line.seat)


def _check_fees(lines: Sequence[PaymentLine], scale: GradeScale, dealer: int) -> None:
    """Raise Illegal unless 下り賃 are 1, 1.5 and 2 kan by the order of going out (B3, B13).

    The order is the order of the seats from the dealer on, and one player gets all fees. The lines
    may have any order, and several fees may be in a line (S7).
    """
    due = tuple(scale.plain(halves) // 2 for halves in _FEES)
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
