"""Checks a whole month of a score sheet: 三人はちはち (H24), and 八八 (S7).

`sheet_lines` checks each line for itself. Here a month's lines are compared with one another: how
the month ended, who won it, and what a dealt hand or captured cards can make.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from itertools import product
from operator import or_
from typing import Any, Final, NamedTuple

from kafu import cards
from kafu.rules import sheet_codes
from kafu.rules.grades import Scale
from kafu.rules.hachihachi import hands, sheet_lines
from kafu.rules.hachihachi.hatto import YAKU as HATTO
from kafu.rules.hachihachi.state import YAKU
from kafu.rules.hachihachi.year import SPECIALS
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.captured import values
from kafu.rules.sheets.lines import MONTH, POINTS, PaymentKind, PaymentLine
from kafu.rules.sheets.together import need_of, possible, ways
from kafu.rules.yaku import YakuTable

#: The sorts of payments in `MonthRules.never_together`; card points and 総八 have their labels.
DEALT: Final = "dealt"
CAPTURED: Final = "captured"
HALF: Final = "captured by half"
SPECIAL: Final = "special"
SHISO: Final = "shiso"
TOBIKOMI: Final = "tobikomi"
NUKE: Final = "nuke"
MIZUTEN: Final = "mizuten"


class MonthRules(NamedTuple):
    """The conditions that the months of a ruleset's sheets must meet.

    ``never_together`` are pairs of payments that no month has; a struck-out line is in none of
    them. ``counts`` are the dealt hands by count with their values, ``threes`` the threes of a
    dealt hand that may each make one 飛込み. ``by_hatto`` are the captured yaku that one player can
    pay alone without a 下げ, None where a sheet cannot tell. ``half_played_out``: A month whose
    captured yaku are paid by half was played to its end, so that 抜け and みずてん may be paid.
    ``shiso_ends``: 四三 ends the game before the first card, so that nothing strikes it out.
    """

    yaku: YakuTable
    never_together: tuple[tuple[str, str], ...]
    counts: Mapping[str, int]
    threes: Mapping[str, int]
    by_hatto: frozenset[str] | None = None
    half_played_out: bool = False
    shiso_ends: bool = False


def threes_of(tobikomi: Iterable[str]) -> dict[str, int]:
    """Return the number of threes of each of these dealt hands."""
    return {yaku: 2 if yaku.startswith("futa") or "-" in yaku else 1 for yaku in tobikomi}


#: What H24 says of 三人はちはち, by the number of its sentence.
HACHIHACHI: Final = MonthRules(
    YAKU,
    (
        (CAPTURED, POINTS),  # 1: a captured yaku ends the month without card points
        (CAPTURED, NUKE),
        (CAPTURED, SPECIAL),  # 2: special yaku need a month without captured ones
        (SPECIAL, POINTS),  # 3: a special yaku strikes out the other payments
        (SPECIAL, NUKE),
        (SPECIAL, DEALT),
        (SPECIAL, TOBIKOMI),
        (SHISO, CAPTURED),  # 4: 四三 ends the month before the first card
        (SHISO, SPECIAL),
        (SHISO, POINTS),
        (SHISO, TOBIKOMI),
        (SHISO, NUKE),
    ),
    hands.COUNT,
    threes_of(hands.TOBIKOMI),
    by_hatto=frozenset(HATTO),
    shiso_ends=True,
)
_SEATS: Final = (1, 2, 3)
#: All dregs with the three willow cards that count as such, by points from the least.
_DREGS_POINTS: Final = (*(1,) * 24, 5, 10, 20)
_ALL_POINTS: Final = cards.points(cards.ALL)
_EVEN: Final = _ALL_POINTS // 3
#: What 二八 needs more than 88 points, and what 抜け and みずてん need.
_FUTAHACHI: Final = SPECIALS["futahachi"].least - _EVEN
_BONUS: Final = 1


class _Captured(NamedTuple):
    """A captured line: whether it is paid by half, and the values in kan that its yaku can have."""

    line: PaymentLine
    is_half: bool
    values: tuple[tuple[int, ...], ...]


def check(lines: Sequence[PaymentLine], scale: Scale, rules: MonthRules, *, is_over: bool) -> None:
    """Raise Illegal at the first line that makes the month impossible (H24, S7).

    ``is_over``: The month is complete, so that what is due must be there.
    """
    if any(line.label == MONTH for line in lines):
        return
    captured = _read_captured(lines, scale, rules)
    checks: list[Callable[[], None]] = [
        *(
            partial(_check_line, lines[:count], captured, scale, rules)
            for count in range(1, len(lines) + 1)
        ),
        partial(_check_struck_out, lines, rules),
        partial(_check_tobikomi, lines, rules),
        partial(_check_winner, captured),
        partial(_check_payers, captured, scale, rules.by_hatto),
        partial(_check_cards, captured, rules),
        partial(_check_points, lines, scale, is_over=is_over),
        partial(_check_bonuses_of_specials, lines, scale),
    ]
    faults = []
    for check_part in checks:
        try:
            check_part()
        except Illegal as fault:
            faults.append(fault)
    if faults:
        positions = {line.where: number for number, line in enumerate(lines)}
        raise min(faults, key=lambda fault: positions[str(fault.where)])
    if is_over and not any(
        sort in (CAPTURED, HALF, SPECIAL, SHISO, POINTS)
        for line in lines
        for sort in _sorts(line, captured, rules)
    ):
        raise Illegal(sheet_codes.SHEET_NO_END, where="month")


def deviations(amounts: Sequence[int], scale: Scale) -> list[tuple[int, ...]]:
    """Return the differences from 88, by seat, that can be paid with these ``amounts``.

    More than one is possible only where an odd difference is rounded (H18).
    """
    nearest = tuple(2 * amount // scale.halves for amount in amounts)
    if scale.halves % 2 == 0:
        return [nearest]
    around = range(-2, 3)
    triples = (
        (nearest[0] + first, nearest[1] + second, nearest[2] - first - second)
        for first, second in product(around, repeat=2)
    )
    return [
        triple
        for triple in triples
        if min(triple) >= -_EVEN and scale.card_points(triple) == tuple(amounts)
    ]


def next_dealers(lines: Sequence[PaymentLine], scale: Scale, dealer: int) -> list[int]:
    """Return who can deal next by the payments, no one if they do not show it (H19).

    That is the maker of the special yaku paid most, the player whose captured yaku ended the month,
    else the player with most card points. Of equals it is the one nearer to the dealer.
    """
    order = [(dealer - 1 + turn) % len(_SEATS) + 1 for turn in range(len(_SEATS))]
    paid = [line for line in lines if not line.void]
    specials = [line for line in paid if line.kind is PaymentKind.SPECIAL]
    if specials:
        gains = Counter({line.seat: 0 for line in specials})
        for line in specials:
            gains[line.seat] += line.amounts[line.seat - 1]
        return [max(order, key=lambda seat: gains.get(seat, -1))]
    captured = _read_captured(paid, scale, HACHIHACHI)
    if captured:
        winners = [payment.line.seat for payment in captured if not payment.is_half]
        return [(winners or [captured[0].line.seat])[0]]
    return sorted(
        {
            max(order, key=lambda seat: triple[seat - 1])
            for line in paid
            if line.label == POINTS
            for triple in deviations(line.amounts, scale)
        }
    )


def _sorts(line: PaymentLine, captured: Sequence[_Captured], rules: MonthRules) -> Iterator[str]:
    """Return what a line is in `MonthRules.never_together`."""
    if line.void:
        return
    if line.kind is PaymentKind.OTHER:
        yield line.label
    elif line.kind is PaymentKind.DEALT:
        yield DEALT
        if SHISO in line.yaku:
            yield SHISO
    elif line.kind is PaymentKind.SPECIAL:
        yield SPECIAL
        yield from line.yaku
    else:
        is_half = any(payment.line is line and payment.is_half for payment in captured)
        yield HALF if is_half and rules.half_played_out else CAPTURED


def _check_line(
    lines: Sequence[PaymentLine], captured: Sequence[_Captured], scale: Scale, rules: MonthRules
) -> None:
    """Raise Illegal if the last of the lines contradicts one before it."""
    line, before = lines[-1], lines[:-1]
    pairs = {frozenset(pair) for pair in rules.never_together}
    for other in before:
        sorts = [set(_sorts(payment, captured, rules)) for payment in (line, other)]
        if any(frozenset(pair) in pairs for pair in product(*sorts)):
            struck = [
                payment
                for payment, names in zip((line, other), sorts, strict=True)
                if names & {DEALT, TOBIKOMI, NUKE}
            ]
            if struck and SPECIAL in sorts[0] | sorts[1]:
                label, seat = struck[0].label, struck[0].seat
                code = sheet_codes.SHEET_NOT_STRUCK
                raise Illegal(code, where=line.where, label=label, seat=seat)
            raise Illegal(
                sheet_codes.SHEET_MIXED, where=line.where, label=line.label, other=other.label
            )
    same_seat = [other for other in before if other.seat == line.seat]
    if line.kind is PaymentKind.DEALT:
        yaku = tuple(id for other in [*same_seat, line] for id in _dealt(other))
        if hands.value(yaku, rules.counts) is None or set(yaku) in sheet_lines.NEVER:
            raise Illegal(
                sheet_codes.SHEET_HAND, where=line.where, seat=line.seat, yaku="+".join(yaku)
            )
    if any(set(line.yaku) & set(other.yaku) for other in same_seat) and (
        line.kind is not PaymentKind.OTHER or line.label in (NUKE, "oikomi")
    ):
        raise Illegal(sheet_codes.SHEET_TWICE, where=line.where, label=line.label)
    if line.kind is PaymentKind.SPECIAL:
        _check_special(lines, scale)


def _dealt(line: PaymentLine) -> tuple[str, ...]:
    return line.yaku if line.kind is PaymentKind.DEALT else ()


def _check_special(lines: Sequence[PaymentLine], scale: Scale) -> None:
    """Raise Illegal if three players cannot capture what the special yaku of the lines need."""
    specials = [line for line in lines if line.kind is PaymentKind.SPECIAL]
    seats = {id: line.seat for line in specials for id in line.yaku}
    is_clash = len(seats) < sum(len(line.yaku) for line in specials)
    is_clash |= seats.keys() >= {"sohachi", "futahachi"}
    if not is_clash and seats.keys() >= {"futahachi", "sujuroku"}:
        points, dregs = (_least_special(specials, id, scale) for id in ("futahachi", "sujuroku"))
        is_same = seats["futahachi"] == seats["sujuroku"]
        is_clash = not is_same and points + sum(_DREGS_POINTS[:dregs]) > _ALL_POINTS
    if is_clash:
        line, other = specials[-1], specials[0]
        raise Illegal(
            sheet_codes.SHEET_MIXED, where=line.where, label=line.label, other=other.label
        )


def _least_special(lines: Sequence[PaymentLine], id: str, scale: Scale) -> int:
    """Return the fewest points or dregs with which a special yaku is worth what a line pays."""
    line = next(line for line in lines if id in line.yaku)
    special = SPECIALS[id]
    each = line.amounts[line.seat - 1] // 2
    choices = [tuple(map(scale.yaku, sheet_lines.SPECIAL[other])) for other in line.yaku]
    position = line.yaku.index(id)
    paid = min(way[position] for way in ways(choices, each))
    kan = next(kan for kan in sheet_lines.SPECIAL[id] if scale.yaku(kan) == paid)
    return special.least + (kan - special.kan) // special.step


def _check_struck_out(lines: Sequence[PaymentLine], rules: MonthRules) -> None:
    """Only a special yaku strikes out dealt hands and what belongs to them (H16, B12).

    Raises Illegal.
    """
    has_special = any(line.kind is PaymentKind.SPECIAL and not line.void for line in lines)
    for line in lines:
        is_struck = line.kind is PaymentKind.DEALT or line.label == TOBIKOMI
        is_struck |= line.label == NUKE and rules.half_played_out
        is_struck &= not (rules.shiso_ends and SHISO in line.yaku)
        if line.void and not (has_special and is_struck):
            raise Illegal(sheet_codes.SHEET_VOID, where=line.where, label=line.label)


def _read_captured(
    lines: Sequence[PaymentLine], scale: Scale, rules: MonthRules
) -> list[_Captured]:
    """Return the captured lines with what they are worth."""
    captured = []
    for line in lines:
        if line.kind is PaymentKind.CAPTURED and not line.void:
            gain = line.amounts[line.seat - 1]
            full = tuple(_values(line, gain // 2, scale, rules.yaku))
            half = () if full else tuple(_values(line, gain, scale, rules.yaku))
            captured.append(_Captured(line, not full, full or half))
    return captured


def _values(
    line: PaymentLine, each: int, scale: Scale, table: YakuTable
) -> Iterator[tuple[int, ...]]:
    """Return the values in kan of a line's captured yaku that add up to ``each`` points."""
    kan = [values(table.find(id)) for id in line.yaku]
    kan_by_points = {scale.yaku(value): value for choices in kan for value in choices}
    for way in ways([tuple(map(scale.yaku, choices)) for choices in kan], each):
        yield tuple(kan_by_points[points] for points in way)


def _check_winner(captured: Sequence[_Captured]) -> None:
    """One player is paid in full; one in 下げ by half, who then pays the winner alone (H9, H11).

    Raises Illegal.
    """
    seats: dict[bool, int] = {}
    for payment in captured:
        line = payment.line
        details: dict[str, Any] = {"where": line.where, "label": line.label, "seat": line.seat}
        due = seats.setdefault(payment.is_half, line.seat)
        if due != line.seat:
            raise Illegal(sheet_codes.SHEET_WINNERS, due=due, **details)
        if seats.get(not payment.is_half) == line.seat:
            raise Illegal(sheet_codes.SHEET_HALVES, **details)
    if len(seats) < 2:
        return
    liable = seats[True]
    for payment in captured:
        if not payment.is_half and payment.line.amounts[_third(liable, payment.line.seat) - 1]:
            raise Illegal(
                sheet_codes.SHEET_LIABLE,
                where=payment.line.where,
                label=payment.line.label,
                seat=liable,
            )


def _check_payers(
    captured: Sequence[_Captured], scale: Scale, by_hatto: frozenset[str] | None
) -> None:
    """A yaku without 法度 is paid by one player only after a 下げ (H12, H13). Raises Illegal.

    That is the payer's own 下げ, or one of the receiver after a hatto of the same payer. A sheet
    tells nothing of it where ``by_hatto`` is None.
    """
    if by_hatto is None:
        return
    in_sage = {payment.line.seat for payment in captured if payment.is_half}
    for payment in captured:
        hatto_payers = {
            payer
            for other in captured
            if other.line.seat == payment.line.seat
            for payers in _payers(other, scale)
            for id, payer in zip(other.line.yaku, payers, strict=True)
            if id in by_hatto
        }
        excused = in_sage | hatto_payers | {0}
        if not any(
            all(
                payer in excused or id in by_hatto
                for id, payer in zip(payment.line.yaku, payers, strict=True)
            )
            for payers in _payers(payment, scale)
        ):
            where, label = payment.line.where, payment.line.label
            raise Illegal(sheet_codes.SHEET_ALONE, where=where, label=label)


def _payers(captured: _Captured, scale: Scale) -> Iterator[tuple[int, ...]]:
    """Return who can have paid each yaku of a line alone, 0 where both others share it."""
    line = captured.line
    others = [seat for seat in _SEATS if seat != line.seat]
    for kan in captured.values:
        shares = [scale.yaku(value) // (2 if captured.is_half else 1) for value in kan]
        for payers in product((0, *others), repeat=len(shares)):
            if all(
                -line.amounts[seat - 1]
                == sum(
                    share * (1 if payer == 0 else 2)
                    for share, payer in zip(shares, payers, strict=True)
                    if payer in (0, seat)
                )
                for seat in others
            ):
                yield payers


def _third(seat: int, other: int) -> int:
    """Return the first seat that is neither of two."""
    return next(third for third in _SEATS if third not in (seat, other))


def _check_cards(captured: Sequence[_Captured], rules: MonthRules) -> None:
    """Some cards of the pack make just the captured yaku of each player (H8, S4).

    Raises Illegal.
    """
    needs = [
        reduce(or_, (need_of(rules.yaku.find(id)) for id in payment.line.yaku))
        for payment in captured
    ]
    for number, (payment, need) in enumerate(zip(captured, needs, strict=True)):
        line = payment.line
        details: dict[str, Any] = {"where": line.where, "seat": line.seat}
        for other, other_need in zip(captured[:number], needs, strict=False):
            counts_ribbons = "nanatan" in line.yaku and "nanatan" in other.line.yaku
            if other.line.seat != line.seat and (need & other_need or counts_ribbons):
                raise Illegal(
                    sheet_codes.SHEET_CARDS,
                    label=line.label,
                    other=other.line.label,
                    due=other.line.seat,
                    **details,
                )
    for seat in {payment.line.seat: None for payment in captured}:
        lines = [payment for payment in captured if payment.line.seat == seat]
        without = reduce(
            or_,
            (need for payment, need in zip(captured, needs, strict=True) if payment not in lines),
            0,
        )
        yaku = tuple(id for payment in lines for id in payment.line.yaku)
        if not any(
            possible(rules.yaku, frozenset(zip(yaku, sum(kan, ()), strict=True)), without=without)
            for kan in product(*(payment.values for payment in lines))
        ):
            raise Illegal(
                sheet_codes.SHEET_TOGETHER,
                where=lines[-1].line.where,
                seat=seat,
                yaku="+".join(yaku),
            )


def _check_points(lines: Sequence[PaymentLine], scale: Scale, *, is_over: bool) -> None:
    """Card points need a month without special yaku, and 抜け and みずてん need 89 (H16, H17, B11).

    Raises Illegal.
    """
    points = next((line for line in lines if line.label == POINTS), None)
    possible_points = (
        []
        if points is None
        else [
            captured
            for captured in deviations(points.amounts, scale)
            if any(captured) and max(captured) < _FUTAHACHI
        ]
    )
    if points is not None and not possible_points:
        raise Illegal(sheet_codes.SHEET_SPECIAL_DUE, where=points.where)
    bonuses = {(line.label, line.seat): line for line in lines if line.label in (NUKE, MIZUTEN)}
    seats_with_hand = {
        line.seat for line in lines if hands.NUKE & set(_dealt(line)) and not line.void
    }
    for (label, seat), line in bonuses.items():
        details: dict[str, Any] = {"where": line.where, "label": label, "seat": seat}
        has_hand = any(other.seat == seat and hands.NUKE & set(_dealt(other)) for other in lines)
        if label == NUKE and not has_hand:
            raise Illegal(sheet_codes.SHEET_GROUNDLESS, **details)
        if points and not any(triple[seat - 1] >= _BONUS for triple in possible_points):
            raise Illegal(sheet_codes.SHEET_BONUS_POINTS, **details)
    for seat in sorted(seats_with_hand):
        is_due = is_over and all(triple[seat - 1] >= _BONUS for triple in possible_points)
        if points and is_due and (NUKE, seat) not in bonuses:
            raise Illegal(sheet_codes.SHEET_NUKE_DUE, where=points.where, seat=seat)


def _check_bonuses_of_specials(lines: Sequence[PaymentLine], scale: Scale) -> None:
    """With 総八 or another's 二八 too few points are left for 抜け and みずてん. Raises Illegal."""
    specials = [line for line in lines if line.kind is PaymentKind.SPECIAL]
    pairs = product(specials, (line for line in lines if line.label in (NUKE, MIZUTEN)))
    for special, line in pairs:
        most = _ALL_POINTS
        if "sohachi" in special.yaku:
            most = _EVEN
        elif "futahachi" in special.yaku and special.seat != line.seat:
            most -= _least_special([special], "futahachi", scale)
        if most < _EVEN + _BONUS:
            raise Illegal(
                sheet_codes.SHEET_BONUS_POINTS,
                where=max(special, line, key=lines.index).where,
                label=line.label,
                seat=line.seat,
            )


def _check_tobikomi(lines: Sequence[PaymentLine], rules: MonthRules) -> None:
    """Each 飛込み belongs to a three of a declared hand (H15). Raises Illegal."""
    jumps: Counter[int] = Counter()
    for line in lines:
        if line.label == TOBIKOMI:
            jumps[line.seat] += 1
            threes = sum(
                rules.threes.get(id, 0)
                for other in lines
                if other.seat == line.seat
                for id in _dealt(other)
            )
            if jumps[line.seat] > threes:
                raise Illegal(
                    sheet_codes.SHEET_GROUNDLESS,
                    where=line.where,
                    label=TOBIKOMI,
                    seat=line.seat,
                )
