"""A payment line of a score sheet: whether its label exists and its amounts are possible (S1).

Sums are in the small unit, one amount a seat; ``parts`` are what each of the others owes for each
yaku of a line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from enum import Enum
from typing import Final, NamedTuple

from kafu.notation.game import Payment
from kafu.notation.reading import amounts
from kafu.rules import sheet_codes
from kafu.rules.play.actions import Illegal

#: The label of a month's sum in the shortest form of a sheet (S2).
MONTH: Final = "month"
POINTS: Final = "points"
#: Labels of lines that no one player receives.
SHARED: Final = frozenset({MONTH, POINTS})
#: Maximum number of right sums in a message.
_SHOWN: Final = 6


class PaymentKind(Enum):
    """The purpose of a line; one of no yaku is known by its label."""

    DEALT = "dealt"
    CAPTURED = "captured"
    SPECIAL = "special"
    OTHER = "other"


class PaymentLine(NamedTuple):
    """A line that was read: its kind, the yaku of its label, who gets it (0: nobody alone), whether
    it is struck out, and the statement that it stands in.
    """

    kind: PaymentKind
    yaku: tuple[str, ...]
    seat: int
    amounts: tuple[int, ...]
    void: bool
    where: str

    @property
    def label(self) -> str:
        """The label as it is written."""
        return "+".join(self.yaku)


def receiver(payment: Payment, where: str, *, kan: bool, shared: Collection[str] = SHARED) -> int:
    """The one seat that gets a payment whose amounts sum to zero (C4); 0 for the ``shared`` lines,
    that none gets alone. Raises Illegal.
    """
    if total := sum(payment.amounts):
        wrong = amounts.text(total, kan=kan)
        raise Illegal(sheet_codes.SHEET_SUM, where=where, label=payment.label, sum=wrong)
    if payment.label in shared:
        return 0
    gains = [seat for seat, amount in enumerate(payment.amounts, start=1) if amount > 0]
    if len(gains) != 1:
        raise Illegal(sheet_codes.SHEET_MAKER, where=where, label=payment.label)
    return gains[0]


def check_value(line: PaymentLine, sums: Collection[int], gain: int, *, kan: bool) -> None:
    """Raise Illegal unless the receiver of a line gains one of these sums."""
    if gain in sums:
        return
    nearest = sorted(sums, key=lambda due: abs(due - gain))[:_SHOWN]
    due = tuple(amounts.text(one, kan=kan) for one in nearest)
    raise Illegal(
        sheet_codes.SHEET_VALUE,
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
    """Raise Illegal unless the others ``among`` those who play, who pay it all, pay their shares.

    ``owed`` are the possible payments of each, yaku by yaku. With ``alone`` a yaku may be paid by
    one of two instead of shared.
    """
    others = [seat for seat in among if seat != line.seat]
    paying = [-line.amounts[seat - 1] for seat in others]
    gain = line.amounts[line.seat - 1]
    fitting = [parts for parts in owed if len(others) * sum(parts) == gain]
    if alone and len(others) == 2:
        if not any(paying[0] in _shares(parts) for parts in fitting):
            raise Illegal(sheet_codes.SHEET_SHARES, where=line.where, label=line.label)
    elif len(set(paying)) > 1:
        raise Illegal(sheet_codes.SHEET_SHARED, where=line.where, label=line.label)


def _shares(parts: Sequence[int]) -> set[int]:
    """The possible payments of one of two: their share of each yaku, or (法度, 下げ) both or
    none.
    """
    sums = {0}
    for each in parts:
        sums = {so_far + share for so_far in sums for share in (0, each, 2 * each)}
    return sums


def check_points(line: PaymentLine, possible: Collection[int], *, kan: bool) -> None:
    """Raise Illegal unless each amount is one of the possible differences from par."""
    for amount in line.amounts:
        if amount not in possible:
            found = amounts.text(amount, kan=kan)
            raise Illegal(sheet_codes.SHEET_POINTS, where=line.where, found=found)


def check_month_sum(line: PaymentLine, most: int, least: int, *, kan: bool) -> None:
    """Raise Illegal if a month's sum is more than a player can get in a month, ``most``, or pay,
    ``least`` (S2).
    """
    for amount in line.amounts:
        if not least <= amount <= most:
            found = amounts.text(amount, kan=kan)
            raise Illegal(sheet_codes.SHEET_MONTH_SUM, where=line.where, found=found)


def check_once(lines: Iterable[PaymentLine], *labels: str) -> None:
    """Raise Illegal where one of these labels stands a second time in a month."""
    seen = set()
    for line in lines:
        if line.label in labels and line.label in seen:
            code = (
                sheet_codes.SHEET_POINTS_TWICE if line.label == POINTS else sheet_codes.SHEET_TWICE
            )
            raise Illegal(code, where=line.where, label=line.label)
        seen.add(line.label)
