"""The check of a whole month on a sheet of 三人はちはち or 八八 (H24, S7), and words for a fault.

The modules `sheet_lines` check single lines. Here lines are compared as payments: which are there
twice, struck out, or without their hand. The modules `sheet_cards` ask whether cards exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import partial, reduce
from operator import or_
from typing import Final, Protocol

from kafu import cards
from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.grades import GradeScale
from kafu.rules.hachihachi import hands, sheet_lines, year
from kafu.rules.hachihachi.hatto import TOBIKOMI_KAN
from kafu.rules.hachihachi.sheet_captured import read_captured
from kafu.rules.hachihachi.sheet_cards import SEATS, SHISO, SPECIAL
from kafu.rules.hachihachi.sheet_specials import EVEN
from kafu.rules.hachihachi.state import YAKU
from kafu.rules.payments import POINTS, PaymentKind
from kafu.rules.play.actions import Illegal
from kafu.rules.play.seating import turn_order
from kafu.rules.sheets.lines import MONTH, PaymentLine
from kafu.rules.sheets.smallest import find_smallest
from kafu.rules.sheets.witness import Witness
from kafu.rules.yaku import YakuTable

NUKE: Final = "nuke"
TOBIKOMI: Final = "tobikomi"
#: Labels of which a player may have several lines.
_REPEATED: Final = frozenset({TOBIKOMI, "ori"})


class JudgedMonth(Protocol):
    """The context of a month's lines: the rules of the game, the scale, and who plays."""

    @property
    def scale(self) -> GradeScale:
        """The scale of the field's grade."""

    @property
    def order(self) -> tuple[int, ...]:
        """The seats of the three players, in play order."""

    @property
    def table(self) -> YakuTable:
        """The captured yaku of the game."""

    @property
    def threes(self) -> Collection[str]:
        """The dealt hands whose threes may make a 飛込み."""

    @property
    def may_omit_struck(self) -> bool:
        """Whether the lines of dealt hands that special yaku strike out may be missing."""

    def leave_open(self) -> JudgedMonth:
        """Return the month with lines that may be missing."""

    def list_ends(self, line: PaymentLine) -> frozenset[str]:
        """Return the ends of a month in which a line can stand."""

    def is_struck(self, line: PaymentLine) -> bool:
        """Return whether special yaku strike out a line."""

    def find_cards(self, lines: Sequence[PaymentLine]) -> Witness | None:
        """Return cards that make a month of these lines, None if there are none."""


def check_month(
    lines: Sequence[PaymentLine], month: JudgedMonth, *checks: Callable[[], None]
) -> Witness | None:
    """Return cards that make the month, None for a month written as its sum.

    ``checks`` are further checks of the payments. Raise Illegal at the first line that makes the
    month impossible (H24, S7).
    """
    if any(line.label == MONTH for line in lines):
        return None
    fault = _find_fault_of_payments(lines, month, checks)
    before = list(lines)
    if fault is not None:
        before = before[: 1 + next(i for i, line in enumerate(lines) if line.where == fault.where)]
    elif witness := month.find_cards(lines):
        return witness
    can_stand = month.leave_open().find_cards
    smallest = find_smallest(before, lambda some_lines: can_stand(some_lines) is not None)
    if smallest and (fault is None or smallest[-1].where != fault.where):
        raise _explain(smallest, month)
    raise fault or _explain_missing(lines, month)


# Payments -----------------------------------------------------------------------------------------


def _find_fault_of_payments(
    lines: Sequence[PaymentLine], month: JudgedMonth, checks: Sequence[Callable[[], None]]
) -> Illegal | None:
    """Return the fault at the first line that is no payment of a month with the others."""
    own_checks: list[Callable[[], None]] = [
        partial(_check_twice, lines),
        partial(_check_struck_out, lines, month),
        partial(_check_grounds, lines, month),
    ]
    faults = []
    for check_part in [*own_checks, *checks]:
        try:
            check_part()
        except Illegal as fault:
            faults.append(fault)
    positions = {line.where: number for number, line in enumerate(lines)}
    return min(faults, key=lambda fault: positions[str(fault.where)], default=None)


def _check_twice(lines: Sequence[PaymentLine]) -> None:
    """Raise Illegal at the second line of a player with the same yaku."""
    paid: set[tuple[int, str]] = set()
    for line in lines:
        entries = {(line.seat, id) for id in line.yaku}
        if line.kind is not PaymentKind.DEALT and line.label not in _REPEATED:
            if entries & paid:
                raise Illegal(codes.SHEET_TWICE, where=line.where, label=line.label)
            paid |= entries


def _check_struck_out(lines: Sequence[PaymentLine], month: JudgedMonth) -> None:
    """Raise Illegal unless only a special yaku strikes out lines (H16, B12)."""
    has_special = any(line.kind is PaymentKind.SPECIAL and not line.void for line in lines)
    for line in lines:
        if line.void and not (has_special and month.is_struck(line)):
            raise Illegal(codes.SHEET_VOID, where=line.where, label=line.label)


def _check_grounds(lines: Sequence[PaymentLine], month: JudgedMonth) -> None:
    """Raise Illegal unless each 飛込み has a three of a declared hand, and each 抜け a hand."""
    paid_for_one = 2 * month.scale.plain(TOBIKOMI_KAN)
    jumps: Counter[int] = Counter()
    for line in lines:
        if line.label not in (TOBIKOMI, NUKE) or (line.void and month.may_omit_struck):
            continue
        yaku = _list_dealt_yaku(lines, line.seat)
        if line.label == TOBIKOMI:
            jumps[line.seat] += line.amounts[line.seat - 1] // paid_for_one
            threes = [id for id in yaku if id in month.threes]
            is_grounded = jumps[line.seat] <= sum(map(hands.count_threes, threes))
        else:
            is_grounded = bool(hands.NUKE & set(yaku))
        if not is_grounded:
            code = codes.SHEET_GROUNDLESS
            raise Illegal(code, where=line.where, label=line.label, seat=line.seat)


def _list_dealt_yaku(lines: Sequence[PaymentLine], seat: int) -> list[str]:
    """Return the dealt-hand yaku of a player."""
    return [
        id
        for line in lines
        if line.kind is PaymentKind.DEALT and line.seat == seat
        for id in line.yaku
    ]


# The words for a fault of the cards ---------------------------------------------------------------


def _explain(smallest: Sequence[PaymentLine], month: JudgedMonth) -> Illegal:
    """Return the fault for lines that cannot stand together."""
    last, first = smallest[-1], smallest[0]
    if not frozenset.intersection(*map(month.list_ends, smallest)):
        struck = [line for line in smallest if SPECIAL not in month.list_ends(line)]
        if len(struck) < len(smallest) and (month.is_struck(struck[0]) or struck[0].label == NUKE):
            code = codes.SHEET_NOT_STRUCK
            return Illegal(code, where=last.where, label=struck[0].label, seat=struck[0].seat)
        code = codes.SHEET_MIXED
        return Illegal(code, where=last.where, label=last.label, other=first.label)
    kinds = {line.kind for line in smallest}
    if kinds == {PaymentKind.DEALT}:
        return _explain_hands(smallest)
    if kinds == {PaymentKind.CAPTURED}:
        return _explain_captured(smallest, month)
    labels = {line.label for line in smallest}
    if labels == {POINTS}:
        return _explain_points(last, month)
    if labels == {POINTS, NUKE}:
        nuke = next(line for line in smallest if line.label == NUKE)
        code = codes.SHEET_BONUS_POINTS
        return Illegal(code, where=last.where, label=NUKE, seat=nuke.seat)
    if kinds == {PaymentKind.SPECIAL} and len(smallest) > 1:
        code = codes.SHEET_MIXED
        return Illegal(code, where=last.where, label=last.label, other=first.label)
    return _name_lines(smallest)


def _name_lines(lines: Sequence[PaymentLine]) -> Illegal:
    """Return the fault that names all lines."""
    labels = ", ".join(line.label for line in lines)
    return Illegal(codes.SHEET_NO_CARDS, where=lines[-1].where, lines=labels)


def _explain_hands(smallest: Sequence[PaymentLine]) -> Illegal:
    """Return the fault for dealt hands that cannot be of one deal."""
    last = smallest[-1]
    if len(smallest) == 1:  # the hand is possible, but not beside the brights on the field
        return _name_lines(smallest)
    if all(line.seat == last.seat for line in smallest):
        yaku = "+".join(id for line in smallest for id in line.yaku)
        return Illegal(codes.SHEET_HAND, where=last.where, seat=last.seat, yaku=yaku)
    return Illegal(codes.SHEET_TOO_MANY, where=last.where, label=last.label)


def _explain_captured(smallest: Sequence[PaymentLine], month: JudgedMonth) -> Illegal:
    """Return the fault for captured yaku that cannot be of one month."""
    last = smallest[-1]
    other = next((line for line in smallest if line.seat != last.seat), None)
    if other is not None:
        needs = [
            reduce(or_, (month.table.find(id).required for id in line.yaku), 0)
            for line in (last, other)
        ]
        if needs[0] & needs[1] or {"nanatan"} <= set(last.yaku) & set(other.yaku):
            return Illegal(
                codes.SHEET_CARDS,
                where=last.where,
                label=last.label,
                seat=last.seat,
                other=other.label,
                due=other.seat,
            )
        return _name_lines(smallest)
    if any(not line.amounts[seat - 1] for line in smallest for seat in month.order):
        return _name_lines(smallest)  # who pays alone had cards too
    yaku = "+".join(id for line in smallest for id in line.yaku)
    return Illegal(codes.SHEET_TOGETHER, where=last.where, seat=last.seat, yaku=yaku)


def _explain_points(line: PaymentLine, month: JudgedMonth) -> Illegal:
    """Return the fault for card points that no captured cards have."""
    triples = sheet_lines.list_deviations(line.amounts, month.scale)
    least = year.SPECIALS["futahachi"].least - EVEN
    if all(not any(triple) or max(triple) >= least for triple in triples):
        return Illegal(codes.SHEET_SPECIAL_DUE, where=line.where)
    worst = max(line.amounts, key=abs)
    return Illegal(codes.SHEET_POINTS, where=line.where, found=amounts.text(worst, kan=True))


def _explain_missing(lines: Sequence[PaymentLine], month: JudgedMonth) -> Illegal:
    """Return the fault for a month that only further lines make possible."""
    ends = (PaymentKind.CAPTURED, PaymentKind.SPECIAL)
    points = next((line for line in lines if line.label == POINTS), None)
    if points is None and not any(
        (line.kind in ends and not line.void) or SHISO in line.yaku for line in lines
    ):
        return Illegal(codes.SHEET_NO_END, where="month")
    captured = [line for line in lines if line.kind is PaymentKind.CAPTURED]
    for seat in dict.fromkeys(line.seat for line in captured):
        of_seat = [line for line in captured if line.seat == seat]
        if not month.find_cards(of_seat):
            yaku = "+".join(id for line in of_seat for id in line.yaku)
            where = of_seat[-1].where
            return Illegal(codes.SHEET_TOGETHER, where=where, seat=seat, yaku=yaku)
    for line in lines:
        if set(month.threes) & set(line.yaku) and _has_cards_with_tobikomi(lines, line.seat, month):
            code = codes.SHEET_DUE
            return Illegal(code, where=line.where, label=TOBIKOMI, seat=line.seat)
    if captured:
        yaku = "+".join(id for line in captured for id in line.yaku)
        last = captured[-1]
        return Illegal(codes.SHEET_TOGETHER, where=last.where, seat=last.seat, yaku=yaku)
    witness = month.leave_open().find_cards(lines)
    assert witness is not None
    taken = dict(zip(month.order, witness.captured, strict=True))
    for seat in month.order:
        yaku_of_hand = _list_dealt_yaku(lines, seat)
        is_rich = cards.points(taken[seat]) > EVEN
        if points and is_rich and hands.NUKE & set(yaku_of_hand) and not _has(lines, NUKE, seat):
            return Illegal(codes.SHEET_NUKE_DUE, where=points.where, seat=seat)
    for label, seat, _ in year.specials(witness.captured, 1):
        if not points and not _has(lines, label, month.order[seat - 1]):
            special = next(line for line in lines if line.kind is PaymentKind.SPECIAL)
            return Illegal(
                codes.SHEET_DUE,
                where=special.where,
                label=label,
                seat=month.order[seat - 1],
            )
    return _name_lines(lines)


def _has_cards_with_tobikomi(lines: Sequence[PaymentLine], seat: int, month: JudgedMonth) -> bool:
    """Return whether one more 飛込み of a player makes the month possible."""
    each = month.scale.plain(TOBIKOMI_KAN)
    amounts = [0] * len(lines[0].amounts)
    for player in month.order:
        amounts[player - 1] = 2 * each if player == seat else -each
    paid = PaymentLine(PaymentKind.OTHER, (TOBIKOMI,), seat, tuple(amounts), False, "")
    return month.find_cards([*lines, paid]) is not None


def _has(lines: Sequence[PaymentLine], yaku: str, seat: int) -> bool:
    """Return whether a player is paid for a yaku."""
    return any(line.seat == seat and yaku in line.yaku for line in lines)


# The next dealer ----------------------------------------------------------------------------------


def list_next_dealers(lines: Sequence[PaymentLine], scale: GradeScale, dealer: int) -> list[int]:
    """Return the possible next dealers by the payments, none if still open (H19).

    The next dealer is the maker of the best paid special yaku, else the player whose captured yaku
    ended the month, else the player with most card points. Of equals the nearest to the dealer is
    chosen.
    """
    order = turn_order(dealer, len(SEATS))
    paid = [line for line in lines if not line.void]
    specials = [line for line in paid if line.kind is PaymentKind.SPECIAL]
    if specials:
        gains = Counter({line.seat: 0 for line in specials})
        for line in specials:
            gains[line.seat] += line.amounts[line.seat - 1]
        return [max(order, key=lambda seat: gains.get(seat, -1))]
    captured = read_captured(paid, scale, YAKU)
    if captured:
        winners = [payment.line.seat for payment in captured if not payment.is_half]
        return [(winners or [captured[0].line.seat])[0]]
    return sorted(
        {
            max(order, key=lambda seat: triple[seat - 1])
            for line in paid
            if line.label == POINTS
            for triple in sheet_lines.list_deviations(line.amounts, scale)
        }
    )
