"""The payment lines of a score sheet: known labels and possible amounts (S1).

Sums are in the small unit, one amount a seat. ``parts`` are the amounts owed by each of the others
for each yaku of a line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from enum import Enum
from typing import Final, NamedTuple

from kafu.notation.game import Payment
from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.play.actions import Illegal

#: The label of a month's sum in the shortest form of a sheet (S2).
MONTH: Final = "month"
POINTS: Final = "points"
#: Labels of lines without a single receiver.
SHARED: Final = frozenset({MONTH, POINTS})
#: The most correct sums in a message.
_MOST_SUMS: Final = 6


class PaymentKind(Enum):
    """The purpose of a line. A line without a yaku is known by the label."""

    DEALT = "dealt"
    CAPTURED = "captured"
    SPECIAL = "special"
    OTHER = "other"


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


def check_paid(
    line: PaymentLine, owed: Collection[tuple[int, ...]], among: Iterable[int], *, alone: bool
) -> None:
    """Raise Illegal unless the payers of a line pay equal shares.

    The payers are the seats ``among`` the seats in play without the receiver, and pay everything.
    ``owed`` are the possible payments of each payer, yaku by yaku. With ``alone`` either of two
    payers may pay a yaku for both.
    """
    payers = [seat for seat in among if seat != line.seat]
    payments = [-line.amounts[seat - 1] for seat in payers]
    gain = line.amounts[line.seat - 1]
    fitting = [parts for parts in owed if len(payers) * sum(parts) == gain]
    if alone and len(payers) == 2:
        if not any(payments[0] in _possible_shares(parts) for parts in fitting):
            raise Illegal(codes.SHEET_SHARES, where=line.where, label=line.label)
    elif len(set(payments)) > 1:
        raise Illegal(codes.SHEET_SHARED, where=line.where, label=line.label)


def _possible_shares(parts: Sequence[int]) -> set[int]:
    """Return the possible payments of either of two payers.

    For each yaku the payment is the share, or (法度, 下げ) both shares or none.
    """
    sums = {0}
    for each in parts:
        sums = {sum_ + share for sum_ in sums for share in (0, each, 2 * each)}
    return sums


def check_points(line: PaymentLine, possible: Collection[int], *, kan: bool) -> None:
    """Raise Illegal unless each amount is a possible difference from par."""
    for amount in line.amounts:
        if amount not in possible:
            text = amounts.text(amount, kan=kan)
            raise Illegal(codes.SHEET_POINTS, where=line.where, found=text)


def check_month_sum(line: PaymentLine, most: int, least: int, *, kan: bool) -> None:
    """Raise Illegal if a month's sum is not between ``least`` and ``most`` (S2).

    The limits are the largest loss and the largest gain of a player in a month.
    """
    for amount in line.amounts:
        if not least <= amount <= most:
            text = amounts.text(amount, kan=kan)
            raise Illegal(codes.SHEET_MONTH_SUM, where=line.where, found=text)


def check_once(lines: Iterable[PaymentLine], *labels: str) -> None:
    """Raise Illegal for the second line of a month with any of the ``labels``."""
    labels_before = set()
    for line in lines:
        if line.label in labels and line.label in labels_before:
            code = codes.SHEET_POINTS_TWICE if line.label == POINTS else codes.SHEET_TWICE
            raise Illegal(code, where=line.where, label=line.label)
        labels_before.add(line.label)
