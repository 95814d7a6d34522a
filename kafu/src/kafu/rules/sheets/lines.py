"""The payment lines of a score sheet: receivers, possible amounts, and payers (S1).

Sums are in the small unit, one amount a seat. ``parts`` are the amounts owed by each payer for each
yaku of a line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations, product
from operator import or_
from typing import Final, NamedTuple

from kafu.notation.game import Month, Payment
from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.payments import POINTS, PaymentKind, PaymentRow, PaymentTable, Receivers
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.offers import Playing

#: The label of a month's sum in the shortest form of a sheet (S2).
MONTH: Final = "month"
#: Labels of lines without a single receiver.
SHARED: Final = frozenset({MONTH, POINTS})
#: The most correct sums in a message.
_MOST_SUMS: Final = 6


class PaymentLine(NamedTuple):
    """A payment read from a sheet.

    ``yaku`` are the parts of the label, ``seat`` is the receiver (0: no single receiver), ``void``
    is true for a line struck out, and ``where`` is the statement of the line.
    """

    kind: PaymentKind
    yaku: tuple[str, ...]
    seat: int
    amounts: tuple[int, ...]
    void: bool
    where: str

    @property
    def label(self) -> str:
        """The label as written."""
        return "+".join(self.yaku)


def find_needed(table: PaymentTable, line: PaymentLine) -> int:
    """Return the cards needed in any case for the payments of a line."""
    return reduce(or_, (table[id].cards for id in line.yaku), 0)


def list_grades(month: Month, due: Sequence[str]) -> Sequence[str]:
    """Return the possible grades of a month: the written grade, or all that are ``due`` (B2).

    Raise Illegal for an impossible grade.
    """
    if month.ba is None:
        return due
    if month.ba not in due:
        raise Illegal(
            codes.SHEET_BA,
            where="ba",
            expected=tuple(due),
            grade=month.ba,
            due=" / ".join(due),
        )
    return [month.ba]


def receiver(payment: Payment, where: str, *, kan: bool, shared: Collection[str] = SHARED) -> int:
    """Return the single receiver of a payment, 0 for the ``shared`` labels.

    Raise Illegal unless the amounts sum to zero (C4) and a single seat gains.
    """
    if total := sum(payment.amounts):
        wrong = amounts.text(total, kan=kan)
        raise Illegal(codes.SHEET_SUM, where=where, label=payment.label, sum=wrong)
    if payment.label in shared:
        return 0
    gains = [seat for seat, amount in enumerate(payment.amounts, start=1) if amount > 0]
    if len(gains) != 1:
        raise Illegal(codes.SHEET_MAKER, where=where, label=payment.label)
    return gains[0]


def check_value(line: PaymentLine, sums: Collection[int], gain: int, *, kan: bool) -> None:
    """Raise Illegal unless the receiver of a line gains one of the ``sums``."""
    if gain in sums:
        return
    nearest = sorted(sums, key=lambda due: abs(due - gain))[:_MOST_SUMS]
    due = tuple(amounts.text(sum_, kan=kan) for sum_ in nearest)
    raise Illegal(
        codes.SHEET_VALUE,
        where=line.where,
        expected=due,
        label=line.label,
        seat=line.seat,
        found=amounts.text(gain, kan=kan),
        due=" / ".join(due),
    )


def check_line(line: PaymentLine, table: PaymentTable, playing: Playing, *, kan: bool) -> None:
    """Raise Illegal unless the receiver, the value and the payers of a line fit its payments."""
    rows = [table[id] for id in line.yaku]
    for row in rows:
        check_receiver(line, row, playing)
    payers = {row.id: playing.list_payers(row, line.seat) for row in rows}
    gain = line.amounts[line.seat - 1]
    owed: dict[int, list[tuple[tuple[str, int], ...]]] = {}
    for parts in _list_parts(rows):
        owed.setdefault(sum(len(payers[id]) * each for id, each in parts), []).append(parts)
    check_value(line, owed, gain, kan=kan)
    paid = [max(0, -amount) for amount in line.amounts]
    if all(row.alone for row in rows) and len(payers[rows[0].id]) == 2:
        if not any(_can_divide(parts, payers[rows[0].id], paid) for parts in owed[gain]):
            raise Illegal(codes.SHEET_SHARES, where=line.where, label=line.label)
        return
    for parts in owed[gain]:
        shares = [0] * len(line.amounts)
        for id, each in parts:
            for seat in payers[id]:
                shares[seat - 1] += each
        if shares == paid:
            return
    raise Illegal(codes.SHEET_SHARED, where=line.where, label=line.label)


def check_receiver(line: PaymentLine, row: PaymentRow, playing: Playing) -> None:
    """Raise Illegal unless the receiver of a line may get a payment."""
    seats = playing.list_receivers(row)
    if line.seat in seats:
        return
    if row.receivers is Receivers.FIRST:
        due = seats[0]
        raise Illegal(codes.SHEET_SOHACHI, where=line.where, expected=(str(due),), due=due)
    raise Illegal(codes.SHEET_PLACE, where=line.where, label=row.id, seat=line.seat)


def _list_parts(rows: Sequence[PaymentRow]) -> Iterator[tuple[tuple[str, int], ...]]:
    """Yield the payments of a line, each with the amount of each payer."""
    for count in range(1, rows[0].most + 1):
        counted = [row for row in rows for _ in range(count)]
        for amounts_paid in product(*(row.each for row in counted)):
            parts = tuple((row.id, each) for row, each in zip(counted, amounts_paid, strict=True))
            yield parts
            if all(row.halves for row in rows):
                yield tuple((id, each // 2) for id, each in parts)


def _can_divide(
    parts: Sequence[tuple[str, int]], payers: Sequence[int], paid: Sequence[int]
) -> bool:
    """Return whether two payers can divide a line: each part is shared, or one pays all (法度)."""
    sums = {0}
    for _, each in parts:
        sums = {sum_ + share for sum_ in sums for share in (0, each, 2 * each)}
    first, second = (paid[seat - 1] for seat in payers)
    return first in sums and first + second == sum(paid)


def check_points(line: PaymentLine, possible: Collection[int], *, kan: bool) -> None:
    """Raise Illegal unless each amount is a possible difference from par."""
    for amount in line.amounts:
        if amount not in possible:
            text = amounts.text(amount, kan=kan)
            raise Illegal(codes.SHEET_POINTS, where=line.where, found=text)


def check_repetition(line: PaymentLine, earlier: PaymentLine, table: PaymentTable) -> None:
    """Raise Illegal for a second hand of a player, and for a captured yaku twice (S4)."""
    if line.kind is not earlier.kind or line.seat != earlier.seat:
        return
    if line.kind is PaymentKind.DEALT and table.find_kind((*earlier.yaku, *line.yaku)) is None:
        yaku = f"{earlier.label}+{line.label}"
        raise Illegal(codes.SHEET_HAND, where=line.where, seat=line.seat, yaku=yaku)
    if line.kind is not PaymentKind.OTHER and set(line.yaku) & set(earlier.yaku):
        raise Illegal(codes.SHEET_TWICE, where=line.where, label=line.label)


def check_cards(lines: Sequence[PaymentLine], table: PaymentTable) -> None:
    """Raise Illegal for captured yaku that exclude each other or need the same cards (S4)."""
    captured = [line for line in lines if line.kind is PaymentKind.CAPTURED]
    for earlier, line in combinations(captured, 2):
        if line.seat == earlier.seat:
            if table.find_kind((*earlier.yaku, *line.yaku)) is None:
                yaku = f"{earlier.label}+{line.label}"
                raise Illegal(codes.SHEET_TOGETHER, where=line.where, seat=line.seat, yaku=yaku)
        elif find_needed(table, earlier) & find_needed(table, line):
            raise Illegal(
                codes.SHEET_CARDS,
                where=line.where,
                label=line.label,
                seat=line.seat,
                other=earlier.label,
                due=earlier.seat,
            )


def check_once(lines: Iterable[PaymentLine], *labels: str) -> None:
    """Raise Illegal for the second line of a month with any of the ``labels``."""
    labels_before = set()
    for line in lines:
        if line.label in labels and line.label in labels_before:
            code = codes.SHEET_POINTS_TWICE if line.label == POINTS else codes.SHEET_TWICE
            raise Illegal(code, where=line.where, label=line.label)
        labels_before.add(line.label)


def check_twice(lines: Iterable[PaymentLine]) -> None:
    """Raise Illegal at the second line of a player with the same yaku."""
    paid: set[tuple[int, str]] = set()
    for line in lines:
        entries = {(line.seat, id) for id in line.yaku}
        if entries & paid:
            raise Illegal(codes.SHEET_TWICE, where=line.where, label=line.label)
        paid |= entries
