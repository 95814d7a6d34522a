"""Checks of a whole month on a score sheet of 八八 (S7).

`sheet_lines` checks single lines. The checks here compare a month's lines with each other: how the
month ended, the winner, and the possible dealt hands and captured cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, Final, NamedTuple

from kafu import cards
from kafu.rules import codes
from kafu.rules.grades import GradeScale
from kafu.rules.hachihachi import hands, sheet_lines
from kafu.rules.hachihachi.hatto import TOBIKOMI_KAN
from kafu.rules.hachihachi.sheet_captured import (
    CapturedPayment,
    check_cards,
    check_winner,
    read_captured,
)
from kafu.rules.hachihachi.year import SPECIALS
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.lines import MONTH, POINTS, PaymentKind, PaymentLine
from kafu.rules.sheets.together import ways
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
    """The conditions for a month on the sheets of a ruleset.

    - ``yaku``: the captured yaku. ``counts``: the count yaku in kan.
    - ``never_together``: pairs of payment sorts excluded in a month; struck-out lines do not count.
    - ``threes``: the number of threes in a dealt hand, each for a possible 飛込み.
    - ``half_played_out``: a month with captured yaku paid by half was played to its end, so 抜け
      and みずてん may be paid.
    - ``shiso_ends``: 四三 ends the game before the first card and is never struck out.
    """

    yaku: YakuTable
    never_together: tuple[tuple[str, str], ...]
    counts: Mapping[str, int]
    threes: Mapping[str, int]
    half_played_out: bool = False
    shiso_ends: bool = False


def threes_of(tobikomi: Iterable[str]) -> dict[str, int]:
    """Return the number of threes in each dealt hand."""
    return {yaku: 2 if yaku.startswith("futa") or "-" in yaku else 1 for yaku in tobikomi}


#: Standing threes by dealt hand, and those of the pack: months 4, 5, 7, chaff of paulownia (H4).
_STANDING: Final = {"tatesanbon": 1, "sanbon-tatesanbon": 1, "futatatesanbon": 2}
_STANDING_THREES: Final = 4
#: The points of all chaff, and of the three willow cards that count as chaff, in rising order.
_CHAFF_POINTS: Final = (*(1,) * 24, 5, 10, 20)
_ALL_POINTS: Final = cards.points(cards.ALL)
_EVEN: Final = _ALL_POINTS // 3
#: The points beyond 88 that 二八 needs, and that 抜け and みずてん need.
_FUTAHACHI: Final = SPECIALS["futahachi"].least - _EVEN
_BONUS: Final = 1


def check(
    lines: Sequence[PaymentLine], scale: GradeScale, rules: MonthRules, *, is_over: bool
) -> None:
    """Raise Illegal at the first line with which the month is impossible (H24, S7).

    ``is_over``: the month is complete, so all due payments must be written.
    """
    if any(line.label == MONTH for line in lines):
        return
    captured = read_captured(lines, scale, rules.yaku)
    checks: list[Callable[[], None]] = [
        *(
            partial(_check_line, lines[:count], captured, scale, rules)
            for count in range(1, len(lines) + 1)
        ),
        partial(_check_struck_out, lines, rules),
        partial(_check_tobikomi, lines, scale, rules),
        partial(check_winner, captured),
        partial(check_cards, captured, rules.yaku),
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
    is_rounded = scale.halves % 2 == 1  # 87, 88 and 89 points may be paid as nothing (H18)
    if (
        is_over
        and not is_rounded
        and not any(
            sort in (CAPTURED, HALF, SPECIAL, SHISO, POINTS)
            for line in lines
            for sort in _list_sorts(line, captured, rules)
        )
    ):
        raise Illegal(codes.SHEET_NO_END, where="month")


def _list_sorts(
    line: PaymentLine, captured: Sequence[CapturedPayment], rules: MonthRules
) -> Iterator[str]:
    """Yield the sorts of a line, as in `MonthRules.never_together`."""
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
    lines: Sequence[PaymentLine],
    captured: Sequence[CapturedPayment],
    scale: GradeScale,
    rules: MonthRules,
) -> None:
    """Raise Illegal if the last of the lines contradicts an earlier one."""
    line, before = lines[-1], lines[:-1]
    pairs = {frozenset(pair) for pair in rules.never_together}
    for earlier in before:
        sorts = [set(_list_sorts(payment, captured, rules)) for payment in (line, earlier)]
        if any(frozenset(pair) in pairs for pair in product(*sorts)):
            struck = [
                payment
                for payment, names in zip((line, earlier), sorts, strict=True)
                if names & {DEALT, TOBIKOMI, NUKE}
            ]
            if struck and SPECIAL in sorts[0] | sorts[1]:
                label, seat = struck[0].label, struck[0].seat
                code = codes.SHEET_NOT_STRUCK
                raise Illegal(code, where=line.where, label=label, seat=seat)
            raise Illegal(
                codes.SHEET_MIXED, where=line.where, label=line.label, other=earlier.label
            )
    same_seat = [earlier for earlier in before if earlier.seat == line.seat]
    if line.kind is PaymentKind.DEALT:
        yaku = tuple(id for earlier in [*same_seat, line] for id in _dealt_yaku(earlier))
        if hands.value(yaku, rules.counts) is None or set(yaku) in sheet_lines.NEVER:
            raise Illegal(codes.SHEET_HAND, where=line.where, seat=line.seat, yaku="+".join(yaku))
    standing = sum(_STANDING.get(id, 0) for earlier in lines for id in _dealt_yaku(earlier))
    if standing > _STANDING_THREES:
        raise Illegal(codes.SHEET_TOO_MANY, where=line.where, label=line.label)
    if any(set(line.yaku) & set(earlier.yaku) for earlier in same_seat) and (
        line.kind is not PaymentKind.OTHER or line.label in (NUKE, "oikomi")
    ):
        raise Illegal(codes.SHEET_TWICE, where=line.where, label=line.label)
    if line.kind is PaymentKind.SPECIAL:
        _check_special(lines, scale)


def _dealt_yaku(line: PaymentLine) -> tuple[str, ...]:
    """Return the dealt-hand yaku of a line, none for other lines."""
    return line.yaku if line.kind is PaymentKind.DEALT else ()


def _check_special(lines: Sequence[PaymentLine], scale: GradeScale) -> None:
    """Raise Illegal if three players cannot capture the cards for all special yaku."""
    specials = [line for line in lines if line.kind is PaymentKind.SPECIAL]
    seats = {id: line.seat for line in specials for id in line.yaku}
    is_clash = len(seats) < sum(len(line.yaku) for line in specials)
    is_clash |= seats.keys() >= {"sohachi", "futahachi"}
    if not is_clash and seats.keys() >= {"futahachi", "sujuroku"}:
        points, chaff = (_least_special(specials, id, scale) for id in ("futahachi", "sujuroku"))
        is_same = seats["futahachi"] == seats["sujuroku"]
        is_clash = not is_same and points + sum(_CHAFF_POINTS[:chaff]) > _ALL_POINTS
    if is_clash:
        line, first_line = specials[-1], specials[0]
        raise Illegal(codes.SHEET_MIXED, where=line.where, label=line.label, other=first_line.label)


def _least_special(lines: Sequence[PaymentLine], id: str, scale: GradeScale) -> int:
    """Return the fewest points or chaff cards for the paid value of a special yaku."""
    line = next(line for line in lines if id in line.yaku)
    special = SPECIALS[id]
    each = line.amounts[line.seat - 1] // 2
    choices = [tuple(map(scale.yaku, sheet_lines.SPECIAL[label])) for label in line.yaku]
    position = line.yaku.index(id)
    paid = min(way[position] for way in ways(choices, each))
    kan = next(kan for kan in sheet_lines.SPECIAL[id] if scale.yaku(kan) == paid)
    return special.least + (kan - special.kan) // special.step


def _check_struck_out(lines: Sequence[PaymentLine], rules: MonthRules) -> None:
    """Raise Illegal unless only a special yaku strikes out dealt hands and 飛込み (H16, B12)."""
    has_special = any(line.kind is PaymentKind.SPECIAL and not line.void for line in lines)
    for line in lines:
        is_struck = line.kind is PaymentKind.DEALT or line.label == TOBIKOMI
        is_struck |= line.label == NUKE and rules.half_played_out
        is_struck &= not (rules.shiso_ends and SHISO in line.yaku)
        if line.void and not (has_special and is_struck):
            raise Illegal(codes.SHEET_VOID, where=line.where, label=line.label)


def _check_tobikomi(lines: Sequence[PaymentLine], scale: GradeScale, rules: MonthRules) -> None:
    """Raise Illegal unless each 飛込み belongs to a three of a declared hand (H15)."""
    paid_for_one = 2 * scale.plain(TOBIKOMI_KAN)
    jumps: Counter[int] = Counter()
    for line in lines:
        if line.label == TOBIKOMI:
            jumps[line.seat] += line.amounts[line.seat - 1] // paid_for_one
            threes = sum(
                rules.threes.get(id, 0)
                for hand_line in lines
                if hand_line.seat == line.seat
                for id in _dealt_yaku(hand_line)
            )
            if jumps[line.seat] > threes:
                raise Illegal(
                    codes.SHEET_GROUNDLESS,
                    where=line.where,
                    label=TOBIKOMI,
                    seat=line.seat,
                )


def _check_points(lines: Sequence[PaymentLine], scale: GradeScale, *, is_over: bool) -> None:
    """Raise Illegal if card points, 抜け or みずてん contradict each other (H16, H17, B11).

    Card points need a month without special yaku; 抜け and みずてん need 89 points.
    """
    points = next((line for line in lines if line.label == POINTS), None)
    possible_points = (
        []
        if points is None
        else [
            captured
            for captured in sheet_lines.list_deviations(points.amounts, scale)
            if any(captured) and max(captured) < _FUTAHACHI
        ]
    )
    if points is not None and not possible_points:
        raise Illegal(codes.SHEET_SPECIAL_DUE, where=points.where)
    bonuses = {(line.label, line.seat): line for line in lines if line.label in (NUKE, MIZUTEN)}
    seats_with_hand = {
        line.seat for line in lines if hands.NUKE & set(_dealt_yaku(line)) and not line.void
    }
    for (label, seat), line in bonuses.items():
        details: dict[str, Any] = {"where": line.where, "label": label, "seat": seat}
        has_hand = any(
            hand_line.seat == seat and hands.NUKE & set(_dealt_yaku(hand_line))
            for hand_line in lines
        )
        if label == NUKE and not has_hand:
            raise Illegal(codes.SHEET_GROUNDLESS, **details)
        if points and not any(triple[seat - 1] >= _BONUS for triple in possible_points):
            details["where"] = max(points, line, key=lines.index).where
            raise Illegal(codes.SHEET_BONUS_POINTS, **details)
    for seat in sorted(seats_with_hand):
        is_due = is_over and all(triple[seat - 1] >= _BONUS for triple in possible_points)
        if points and is_due and (NUKE, seat) not in bonuses:
            raise Illegal(codes.SHEET_NUKE_DUE, where=points.where, seat=seat)


def _check_bonuses_of_specials(lines: Sequence[PaymentLine], scale: GradeScale) -> None:
    """Raise Illegal if special yaku leave too few points for 抜け and みずてん.

    総八 does, and 二八 of another player.
    """
    specials = [line for line in lines if line.kind is PaymentKind.SPECIAL]
    pairs = product(specials, (line for line in lines if line.label in (NUKE, MIZUTEN)))
    for special, line in pairs:
        highest = _ALL_POINTS
        if "sohachi" in special.yaku:
            highest = _EVEN
        elif "futahachi" in special.yaku and special.seat != line.seat:
            highest -= _least_special([special], "futahachi", scale)
        if highest < _EVEN + _BONUS:
            raise Illegal(
                codes.SHEET_BONUS_POINTS,
                where=max(special, line, key=lines.index).where,
                label=line.label,
                seat=line.seat,
            )
