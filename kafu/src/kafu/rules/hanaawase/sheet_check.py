"""The check of a whole month on a score sheet of 三人花合わせ (S6), and the words for a fault.

Whether cards exist for the lines of a month is asked in `sheet_cards`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from operator import or_

from kafu import cards
from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.hanaawase.machine import EVEN, FUKE, SEATS
from kafu.rules.hanaawase.payments import FUKE as MARK
from kafu.rules.hanaawase.payments import PAYMENTS
from kafu.rules.hanaawase.sheet_cards import MonthSituation, find_cards, list_made
from kafu.rules.payments import POINTS, PaymentKind
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.lines import PaymentLine, find_needed
from kafu.rules.sheets.smallest import find_smallest
from kafu.rules.sheets.witness import Witness


def check_month(lines: Sequence[PaymentLine], dealer: int, *, is_over: bool) -> Witness:
    """Return cards that make the month. Raise Illegal at the first line that makes it impossible.

    A month that is over without a line of points gave 88 to each player. Points are compared last,
    wherever their line is, so that yaku that exclude each other are named without them.
    """
    listed = sorted(lines, key=lambda line: line.label == POINTS)
    if is_over and not any(line.label in (POINTS, MARK) for line in lines):
        listed.append(PaymentLine(PaymentKind.OTHER, (POINTS,), 0, (0, 0, 0), False, "month"))
    month = read_situation(listed, dealer)
    if is_over and not month.makers:
        month = month._replace(whole=SEATS)
    witness = find_cards(listed, month)
    if witness is None:
        smallest = find_smallest(listed, partial(_can_stand, dealer=dealer))
        raise _explain(smallest, listed, month) if smallest else _explain_missing(listed, month)
    return witness


def read_situation(lines: Sequence[PaymentLine], dealer: int) -> MonthSituation:
    """Return the situation of a month with these lines, and perhaps others."""
    line = next((line for line in lines if line.label == POINTS), None)
    points = line and tuple(EVEN + amount for amount in line.amounts)
    makers: tuple[int, ...] = ()
    if any(line.void or line.label == MARK for line in lines):
        makers = tuple(seat for seat in SEATS if points is None or points[seat - 1] <= FUKE)
    return MonthSituation(dealer, points, makers, whole=())


def _can_stand(lines: Sequence[PaymentLine], dealer: int) -> bool:
    """Return whether some month has these lines, and perhaps others."""
    return find_cards(lines, read_situation(lines, dealer)) is not None


def _explain(
    smallest: Sequence[PaymentLine], lines: Sequence[PaymentLine], month: MonthSituation
) -> Illegal:
    """Return the fault for the smallest set of lines that cannot stand together."""
    last = smallest[-1]
    captured = [line for line in smallest if line.kind is PaymentKind.CAPTURED]
    seats = {line.seat for line in captured}
    if len(captured) == len(smallest):
        if len(seats) == 1:
            return _explain_yaku(captured, last)
        if len(smallest) == 2 and find_needed(PAYMENTS, smallest[0]) & find_needed(PAYMENTS, last):
            return Illegal(
                codes.SHEET_CARDS,
                where=last.where,
                label=last.label,
                seat=last.seat,
                other=smallest[0].label,
                due=smallest[0].seat,
            )
        if all(find_needed(PAYMENTS, line) == 0 for line in smallest):
            return Illegal(codes.SHEET_TOO_MANY, where=last.where, label=last.label)
    points = next((line for line in smallest if line.label == POINTS), None)
    if points and len(smallest) == 1:
        worst = amounts.text(max(points.amounts, key=abs), kan=False)
        return Illegal(codes.SHEET_POINTS, where=points.where, found=worst)
    if points and len(captured) == len(smallest) - 1 and len(seats) == 1:
        of_seat = _list_captured(lines, captured[0].seat)
        if _need_more_yaku(of_seat, month):
            return _explain_yaku(of_seat, of_seat[0])
        seat = of_seat[0].seat
        found = EVEN + points.amounts[seat - 1]
        due = cards.points(reduce(or_, (find_needed(PAYMENTS, line) for line in captured)))
        if found < due:
            return Illegal(
                codes.SHEET_FEW_POINTS,
                where=of_seat[0].where,
                seat=seat,
                yaku="+".join(id for line in captured for id in line.yaku),
                found=found,
                due=due,
            )
    labels = ", ".join(line.label for line in smallest)
    return Illegal(codes.SHEET_NO_CARDS, where=last.where, lines=labels)


def _explain_yaku(captured: Sequence[PaymentLine], at: PaymentLine) -> Illegal:
    """Return the fault, at one of the lines, for captured yaku that a player cannot have alone."""
    yaku = "+".join(id for line in captured for id in line.yaku)
    return Illegal(codes.SHEET_TOGETHER, where=at.where, seat=at.seat, yaku=yaku)


def _explain_missing(lines: Sequence[PaymentLine], month: MonthSituation) -> Illegal:
    """Return the fault for a month that only further lines make possible."""
    for seat in SEATS:
        if find_cards(lines, month._replace(whole=(seat,))):
            continue
        captured = _list_captured(lines, seat)
        if captured and _need_more_yaku(captured, month):
            return _explain_yaku(captured, captured[0])
        points = next(line for line in lines if line.label == POINTS)
        found = EVEN + points.amounts[seat - 1]
        return Illegal(codes.SHEET_MANY_POINTS, where=points.where, seat=seat, found=found)
    witness = find_cards(lines, month._replace(whole=()))
    assert witness is not None
    written = {(line.seat, id) for line in lines for id in line.yaku}
    seat, label = next(
        (seat, id)
        for seat, made in list_made(witness, month).items()
        for id in made
        if (seat, id) not in written
    )
    return Illegal(codes.SHEET_DUE, where=lines[-1].where, label=label, seat=seat)


def _list_captured(lines: Sequence[PaymentLine], seat: int) -> list[PaymentLine]:
    """Return the lines of a player's captured yaku."""
    return [line for line in lines if line.seat == seat and line.kind is PaymentKind.CAPTURED]


def _need_more_yaku(captured: Sequence[PaymentLine], month: MonthSituation) -> bool:
    """Return whether other yaku are due to a player with these, whatever the points."""
    whole = (captured[0].seat,) if month.whole else ()
    return not find_cards(captured, month._replace(points=None, whole=whole))
