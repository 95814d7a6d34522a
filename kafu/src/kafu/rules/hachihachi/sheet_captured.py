"""Captured yaku in a month of a score sheet: 三人はちはち (H24) and 八八 (S7).

The checks cover full and half payment, and the payers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

from kafu.rules import codes
from kafu.rules.grades import GradeScale
from kafu.rules.payments import PaymentKind
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.divisions import ways
from kafu.rules.sheets.lines import PaymentLine
from kafu.rules.yaku import YakuTable

_SEATS: Final = (1, 2, 3)


class CapturedPayment(NamedTuple):
    """A line of captured yaku: the line, whether it is paid by half, and possible kan values."""

    line: PaymentLine
    is_half: bool
    values: tuple[tuple[int, ...], ...]


def read_captured(
    lines: Sequence[PaymentLine], scale: GradeScale, table: YakuTable
) -> list[CapturedPayment]:
    """Return the lines of captured yaku with their possible values."""
    captured = []
    for line in lines:
        if line.kind is PaymentKind.CAPTURED and not line.void:
            gain = line.amounts[line.seat - 1]
            full = tuple(_values(line, gain // 2, scale, table))
            half = () if full else tuple(_values(line, gain, scale, table))
            captured.append(CapturedPayment(line, not full, full or half))
    return captured


def _values(
    line: PaymentLine, each: int, scale: GradeScale, table: YakuTable
) -> Iterator[tuple[int, ...]]:
    """Yield the values in kan of a line's captured yaku that add up to ``each`` points."""
    kan = [table.find(id).values for id in line.yaku]
    kan_by_points = {scale.yaku(value): value for choices in kan for value in choices}
    for way in ways([tuple(map(scale.yaku, choices)) for choices in kan], each):
        yield tuple(kan_by_points[points] for points in way)


def check_winner(captured: Sequence[CapturedPayment]) -> None:
    """Raise Illegal unless a single player is paid in full, or a single player by half.

    If both occur, the player paid by half was in 下げ, and pays the winner alone (H9, H11).
    """
    seats: dict[bool, int] = {}
    for payment in captured:
        line = payment.line
        details: dict[str, Any] = {"where": line.where, "label": line.label, "seat": line.seat}
        due = seats.setdefault(payment.is_half, line.seat)
        if due != line.seat:
            raise Illegal(codes.SHEET_WINNERS, due=due, **details)
        if seats.get(not payment.is_half) == line.seat:
            raise Illegal(codes.SHEET_HALVES, **details)
    if len(seats) < 2:
        return
    liable = seats[True]
    for payment in captured:
        if not payment.is_half and payment.line.amounts[_third(liable, payment.line.seat) - 1]:
            raise Illegal(
                codes.SHEET_LIABLE,
                where=payment.line.where,
                label=payment.line.label,
                seat=liable,
            )


def check_payers(
    captured: Sequence[CapturedPayment], scale: GradeScale, by_hatto: frozenset[str]
) -> None:
    """Raise Illegal if a yaku without 法度 is paid by one player without a 下げ (H12, H13).

    The 下げ is the payer's, or the receiver's after a hatto of the same payer.
    """
    in_sage = {payment.line.seat for payment in captured if payment.is_half}
    for payment in captured:
        hatto_payers = {
            payer
            for other_payment in captured
            if other_payment.line.seat == payment.line.seat
            for payers in list_payers(other_payment, scale)
            for id, payer in zip(other_payment.line.yaku, payers, strict=True)
            if id in by_hatto
        }
        excused = in_sage | hatto_payers | {0}
        if not any(
            all(
                payer in excused or id in by_hatto
                for id, payer in zip(payment.line.yaku, payers, strict=True)
            )
            for payers in list_payers(payment, scale)
        ):
            where, label = payment.line.where, payment.line.label
            raise Illegal(codes.SHEET_ALONE, where=where, label=label)


def list_payers(
    captured: CapturedPayment, scale: GradeScale, seats: Sequence[int] = _SEATS
) -> Iterator[tuple[int, ...]]:
    """Yield the possible payers of each yaku in a line, 0 if both others share the payment.

    ``seats`` are the three players.
    """
    line = captured.line
    other_seats = [seat for seat in seats if seat != line.seat]
    for kan in captured.values:
        shares = [scale.yaku(value) // (2 if captured.is_half else 1) for value in kan]
        for payers in product((0, *other_seats), repeat=len(shares)):
            if all(
                -line.amounts[seat - 1]
                == sum(
                    share * (1 if payer == 0 else 2)
                    for share, payer in zip(shares, payers, strict=True)
                    if payer in (0, seat)
                )
                for seat in other_seats
            ):
                yield payers


def _third(seat: int, other: int) -> int:
    """Return the first seat apart from these two."""
    return next(third for third in _SEATS if third not in (seat, other))
