"""A payment line of a score sheet: whether its label exists and its amounts are possible (H24,
kafu.md §6).

Sums are points, one amount a seat; ``each`` is what each of the other two owes.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import product
from typing import Final, NamedTuple

from kafu import cards
from kafu.notation.game import Payment
from kafu.notation.reading import amounts
from kafu.rules import sheet_codes
from kafu.rules.grades import Scale
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi.hatto import TOBIKOMI_KAN
from kafu.rules.hachihachi.state import YAKU
from kafu.rules.hachihachi.year import SPECIALS
from kafu.rules.play.actions import Illegal

_CAPTURED: Final = {row.id: row for row in YAKU}
_PLAIN: Final = {"tobikomi": TOBIKOMI_KAN, "nuke": hachihachi_hands.NUKE_KAN}
#: The limits of 特殊役: 二八 to all 264 points, 素十六 to all 27 dregs.
_MOST: Final = {"futahachi": 264, "sujuroku": 27}
#: 特殊役 with all their possible values in kan (H16).
_SPECIAL: Final = {
    label: range(
        one.kan, one.kan + one.step * (_MOST.get(label, one.least) - one.least) + 1, one.step or 1
    )
    for label, one in SPECIALS.items()
}
#: 複合せず in the table of compounds: no seven cards make both.
_NEVER: Final = (
    {"aka", "shiso"},
    {"karasu", "futasanbon"},
    {"pikaichi", "futatatesanbon"},
    {"karasu", "futatatesanbon"},
)
#: Card points of one player against 88: nothing, or the whole pack.
_DEVIATIONS: Final = range(-88, 264 - 88 + 1)
#: Maximum number of right sums in a message.
_SHOWN: Final = 6


class PaymentKind(Enum):
    """The purpose of a line."""

    DEALT = "dealt"
    CAPTURED = "captured"
    SPECIAL = "special"
    TOBIKOMI = "tobikomi"
    NUKE = "nuke"
    POINTS = "points"


class PaymentLine(NamedTuple):
    """A parsed line: its kind, the yaku of its label, who gets it (0: card points), whether struck
    out.
    """

    kind: PaymentKind
    yaku: tuple[str, ...]
    seat: int
    void: bool


def understand(payment: Payment, where: str) -> PaymentLine:
    """Parse a payment. Raises Illegal for an unknown label, and if the amounts do not sum to zero
    (C4).
    """
    yaku = tuple(payment.label.split("+"))
    kind = _kind(yaku)
    if kind is None:
        raise Illegal(sheet_codes.SHEET_LABEL, where=where, label=payment.label)
    if total := sum(payment.amounts):
        wrong = amounts.text(total, kan=True)
        raise Illegal(sheet_codes.SHEET_SUM, where=where, label=payment.label, sum=wrong)
    gains = [seat for seat, amount in enumerate(payment.amounts, start=1) if amount > 0]
    seat = gains[0] if kind is not PaymentKind.POINTS and len(gains) == 1 else 0
    if not seat and kind is not PaymentKind.POINTS:
        raise Illegal(sheet_codes.SHEET_MAKER, where=where, label=payment.label)
    return PaymentLine(kind, yaku, seat, payment.void)


def _kind(yaku: tuple[str, ...]) -> PaymentKind | None:
    if len(yaku) == 1 and yaku[0] in {"points", *_PLAIN}:
        return PaymentKind(yaku[0])
    if hachihachi_hands.value(yaku) is not None:
        return None if set(yaku) in _NEVER else PaymentKind.DEALT
    if len(set(yaku)) < len(yaku):
        return None
    if all(one in _SPECIAL for one in yaku):
        return PaymentKind.SPECIAL
    if all(one in _CAPTURED for one in yaku) and not {"goko", "shiko"} <= set(yaku):
        return PaymentKind.CAPTURED
    return None


def check(line: PaymentLine, payment: Payment, scale: Scale, dealer: int, where: str) -> None:
    """Raise Illegal unless the amounts fit the yaku at this grade.

    Captured yaku are paid in full or by half, and may be paid by one, as 飛込み may (H9, H11, H15);
    all others in full, each other player paying the same (H5, H16, H17). Sums are H24's.
    """
    if line.kind is PaymentKind.POINTS:
        _check_points(payment, scale, where)
        return
    gain = payment.amounts[line.seat - 1]
    owed = set(_parts(line, scale))
    sums = {2 * sum(parts) for parts in owed}
    if gain not in sums:
        nearest = sorted(sums, key=lambda due: abs(due - gain))[:_SHOWN]
        due = tuple(amounts.text(one, kan=True) for one in nearest)
        raise Illegal(
            sheet_codes.SHEET_VALUE,
            where=where,
            expected=due,
            label=payment.label,
            seat=line.seat,
            found=amounts.text(gain, kan=True),
            due=" / ".join(due),
        )
    if "sohachi" in line.yaku and line.seat != dealer:
        raise Illegal(sheet_codes.SHEET_SOHACHI, where=where, expected=(str(dealer),), due=dealer)
    payer = -payment.amounts[line.seat % 3]
    alone = line.kind in (PaymentKind.CAPTURED, PaymentKind.TOBIKOMI)
    if not any(payer in _shares(parts, alone=alone) for parts in owed if 2 * sum(parts) == gain):
        code = sheet_codes.SHEET_SHARES if alone else sheet_codes.SHEET_SHARED
        raise Illegal(code, where=where, label=payment.label)


def _parts(line: PaymentLine, scale: Scale) -> Iterator[tuple[int, ...]]:
    """All possible payments of each of the others for the yaku of a line, yaku by yaku."""
    match line.kind:
        case PaymentKind.DEALT:
            kan = hachihachi_hands.value(line.yaku) or 0
            yield (scale.yaku_sum(kan, len(line.yaku)),)
        case PaymentKind.CAPTURED:
            for values in product(*map(_captured, line.yaku)):
                full = tuple(map(scale.yaku, values))
                yield full
                yield tuple(each // 2 for each in full)
        case PaymentKind.SPECIAL:
            for values in product(*(_SPECIAL[one] for one in line.yaku)):
                yield tuple(map(scale.yaku, values))
        case _:
            yield (scale.plain(_PLAIN[line.yaku[0]]),)


def _captured(yaku: str) -> range:
    """The possible values in kan of a captured yaku: a counting one grows with its cards."""
    row = _CAPTURED[yaku]
    more = row.step * (cards.SLIPS.bit_count() - row.base) if row.step else 0
    return range(row.value, row.value + more + 1)


def _shares(parts: tuple[int, ...], *, alone: bool) -> set[int]:
    """The possible payments of one of the other two: their share of each yaku, or (法度, 下げ) both
    or none.
    """
    sums = {0}
    for each in parts:
        shares = (0, each, 2 * each) if alone else (each,)
        sums = {so_far + share for so_far in sums for share in shares}
    return sums


def _check_points(payment: Payment, scale: Scale, where: str) -> None:
    """Each amount is a deviation from 88 with the grade's factor (H17, H18)."""
    for amount in payment.amounts:
        deviation, rest = divmod(amount * 2, scale.halves)
        if rest or deviation not in _DEVIATIONS:
            found = amounts.text(amount, kan=True)
            raise Illegal(sheet_codes.SHEET_POINTS, where=where, found=found)
