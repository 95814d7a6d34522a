"""The cards that make a month of a score sheet of 三人はちはち (H24).

The lines of a month become demands on the cards (`sheets.question`), one for each end of the month
and each way to read the amounts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple, Self

from kafu import cards
from kafu.rules import grades
from kafu.rules.grades import GradeScale
from kafu.rules.hachihachi import hands, sheet_lines, year
from kafu.rules.hachihachi.hatto import TOBIKOMI_KAN
from kafu.rules.hachihachi.hatto import YAKU as HATTO
from kafu.rules.hachihachi.payments import PAYMENTS
from kafu.rules.hachihachi.sheet_captured import list_payers, read_captured
from kafu.rules.hachihachi.sheet_hands import find_kind
from kafu.rules.hachihachi.sheet_specials import EVEN, demand_specials
from kafu.rules.hachihachi.state import YAKU
from kafu.rules.payments import POINTS, PaymentKind
from kafu.rules.play.seating import turn_order
from kafu.rules.sheets.capture_rules import Help
from kafu.rules.sheets.dealt_hands import Brights
from kafu.rules.sheets.lines import PaymentLine
from kafu.rules.sheets.question import Demand, DemandedPlayer, find_witness
from kafu.rules.sheets.witness import Undecided, Witness
from kafu.rules.yaku import Made, YakuTable, made

SEATS: Final = (1, 2, 3)
CHAFF: Final = cards.CHAFF | cards.WILLOW
#: The ends of a month: 四三, captured yaku, special yaku, card points.
SHISO: Final = "shiso"
CAPTURED: Final = "captured"
SPECIAL: Final = "special"
#: The most points and chaff cards of a player without a special yaku.
MOST_POINTS: Final = year.SPECIALS["futahachi"].least - 1
MOST_CHAFF: Final = year.SPECIALS["sujuroku"].least - 1


class MonthSituation(NamedTuple):
    """The context of a month's lines: scale, dealer, field, and whether no line is missing."""

    scale: GradeScale
    dealer: int
    brights: Brights
    is_over: bool

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in play order."""
        return turn_order(self.dealer, len(SEATS))

    @property
    def table(self) -> YakuTable:
        """The captured yaku."""
        return YAKU

    @property
    def threes(self) -> frozenset[str]:
        """The dealt hands whose threes may make a 飛込み (H15)."""
        return hands.TOBIKOMI

    @property
    def may_omit_struck(self) -> bool:
        """Whether the hand of a struck-out 飛込み may be missing."""
        return False

    def leave_open(self) -> Self:
        """Return the month with lines that may be missing."""
        return self._replace(is_over=False)

    def is_struck(self, line: PaymentLine) -> bool:
        """Return whether special yaku strike out a line (H6, H16)."""
        return line.label == "tobikomi" or (
            line.kind is PaymentKind.DEALT and SHISO not in line.yaku
        )

    def list_ends(self, line: PaymentLine) -> frozenset[str]:
        """Return the ends of a month in which a line can stand."""
        return list_ends(line)

    def find_cards(self, lines: Sequence[PaymentLine]) -> Witness | None:
        """Return cards that make a month of these lines, None if there are none."""
        return find_cards(lines, self)


def list_brights(ba: str, bound: str | None) -> Brights:
    """Return the numbers of brights on the field in a month of this grade (H1).

    ``bound`` is the 二代しばり carried in. The grade's mark 2 says that one is carried on.
    """
    numbers = set()
    for absolutes, larges in product(range(3), range(4)):
        field = sum(list(cards.bits(grades.ABSOLUTE))[:absolutes])
        field |= sum(list(cards.bits(grades.LARGE))[:larges])
        grade, carried = grades.grade(field, bound)
        if ba == (f"{grade}2" if carried else grade):
            numbers.add((absolutes, larges))
    return frozenset(numbers)


def list_ends(line: PaymentLine) -> frozenset[str]:
    """Return the ends of a month in which a line can stand (H6, H9, H16, H17)."""
    if line.void or line.kind is PaymentKind.SPECIAL:
        return frozenset({SPECIAL})
    if line.kind is PaymentKind.CAPTURED:
        return frozenset({CAPTURED})
    if line.kind is PaymentKind.DEALT:
        return frozenset({SHISO} if SHISO in line.yaku else {SHISO, CAPTURED, POINTS})
    return frozenset({CAPTURED, POINTS} if line.label == "tobikomi" else {POINTS})


def list_demands(lines: Sequence[PaymentLine], month: MonthSituation) -> Iterator[Demand]:
    """Yield the demands on the cards; the month is possible if cards meet one of them."""
    yaku_by_seat = {
        seat: tuple(
            id
            for line in lines
            if line.seat == seat and line.kind is PaymentKind.DEALT
            for id in line.yaku
        )
        for seat in SEATS
    }
    for yaku in yaku_by_seat.values():
        if yaku and PAYMENTS.find_kind(yaku) is None:
            return
    jumps = _Jumps(lines, month.scale)
    players = {}
    for seat, yaku in yaku_by_seat.items():
        count = len(jumps.payers.get(seat, ()))
        can_jump = bool(hands.TOBIKOMI & set(yaku))
        if count and not can_jump:
            if month.is_over:
                return
            count = 0  # the line of the hand may follow
        players[seat] = DemandedPlayer(find_kind(frozenset(yaku)), can_jump, jumps=count)
    ends = frozenset({SHISO, CAPTURED, SPECIAL, POINTS})
    for line in lines:
        ends &= list_ends(line)
    if SHISO in ends and (not month.is_over or any(SHISO in line.yaku for line in lines)):
        yield _demand(month, players, is_played=False)
    if CAPTURED in ends:
        yield from _list_captured(lines, month, players, jumps)
    if SPECIAL in ends:
        yield from _list_specials(lines, month, players, jumps)
    if POINTS in ends:
        yield from _list_points(lines, month, players, jumps, yaku_by_seat)


def _demand(month: MonthSituation, players: Mapping[int, DemandedPlayer], **more: object) -> Demand:
    """Return a demand with the players in play order."""
    return Demand(
        tuple(players[seat] for seat in month.order),
        YAKU,
        CHAFF,
        month.brights,
        **more,  # type: ignore[arg-type]
    )


def _help(month: MonthSituation, maker: int, payer: int, needed: int = 0) -> Help:
    """Return a `Help` of these seats, by their places in play order."""
    return Help((maker - month.dealer) % 3, (payer - month.dealer) % 3, needed)


class _Jumps:
    """The 飛込み of the lines: the payers of each seat's, 0 for a shared one."""

    def __init__(self, lines: Sequence[PaymentLine], scale: GradeScale) -> None:
        self.payers: dict[int, list[int]] = {}
        self.declared = {line.seat for line in lines if hands.TOBIKOMI & set(line.yaku)}
        each = scale.plain(TOBIKOMI_KAN)
        for line in lines:
            if line.label != "tobikomi":
                continue
            count = line.amounts[line.seat - 1] // (2 * each)
            shares = {seat: -line.amounts[seat - 1] // each for seat in SEATS if seat != line.seat}
            alone = [seat for seat in shares for _ in range(max(0, shares[seat] - count))]
            listed = self.payers.setdefault(line.seat, [])
            listed += alone + [0] * (count - len(alone))

    def list_helps(self, month: MonthSituation, excused: frozenset[int]) -> tuple[Help, ...]:
        """Return the conditions for who pays alone; the ``excused`` may have been in 下げ."""
        return tuple(
            _help(month, seat, payer)
            for seat, payers in self.payers.items()
            for payer in payers
            if payer and payer not in excused and seat in self.declared
        )


def _list_captured(
    lines: Sequence[PaymentLine],
    month: MonthSituation,
    players: Mapping[int, DemandedPlayer],
    jumps: _Jumps,
) -> Iterator[Demand]:
    """Yield the demands of a month that captured yaku ended (H9, H11–H13)."""
    captured = read_captured(lines, month.scale, YAKU)
    if month.is_over and not captured:
        return
    yielded = set()
    for values in product(*(payment.values for payment in captured)):
        yaku: dict[int, dict[str, int]] = {}
        for payment, kan in zip(captured, values, strict=True):
            yaku.setdefault(payment.line.seat, {}).update(zip(payment.line.yaku, kan, strict=True))
        in_sage = {payment.line.seat for payment in captured if payment.is_half}
        # Who won in full may have been in 下げ with a part of the yaku.
        excused = in_sage | {
            seat
            for seat, held in yaku.items()
            if len(held) > 1
            or "goko" in held
            or held.get("nanatan", 0) > YAKU.find("nanatan").value
        }
        if not month.is_over:
            excused |= set(SEATS)
        dived = jumps.list_helps(month, frozenset(excused))
        demanded = {
            seat: player._replace(yaku=frozenset(yaku.get(seat, {}).items()))
            for seat, player in players.items()
        }
        for payers in product(*(list_payers(payment, month.scale) for payment in captured)):
            cards_by_payer: dict[tuple[int, int], int] = {}
            for payment, paying in zip(captured, payers, strict=True):
                for id, payer in zip(payment.line.yaku, paying, strict=True):
                    if payer and payer not in in_sage and id in HATTO:
                        pair = payment.line.seat, payer
                        cards_by_payer[pair] = cards_by_payer.get(pair, 0) | HATTO[id][0]
            helps = tuple(
                _help(month, maker, payer, needed)
                for (maker, payer), needed in sorted(cards_by_payer.items())
            )
            demand = _demand(month, demanded, is_whole=month.is_over, helps=helps + dived)
            if demand not in yielded:
                yielded.add(demand)
                yield demand


def _list_specials(
    lines: Sequence[PaymentLine],
    month: MonthSituation,
    players: Mapping[int, DemandedPlayer],
    jumps: _Jumps,
) -> Iterator[Demand]:
    """Yield the demands of a month that special yaku ended (H16)."""
    special_lines = [line for line in lines if line.kind is PaymentKind.SPECIAL and not line.void]
    if month.is_over and not special_lines:
        return
    for demanded, is_even in demand_specials(special_lines, PAYMENTS.at(month.scale), players):
        yield _demand(
            month,
            demanded,
            is_played_out=True,
            most_points=MOST_POINTS if month.is_over else None,
            most_chaff=MOST_CHAFF if month.is_over else None,
            is_uneven=month.is_over and not is_even,
            has_more_jumps=True,
            helps=jumps.list_helps(month, frozenset()),
        )


def _list_points(
    lines: Sequence[PaymentLine],
    month: MonthSituation,
    players: Mapping[int, DemandedPlayer],
    jumps: _Jumps,
    yaku_by_seat: Mapping[int, tuple[str, ...]],
) -> Iterator[Demand]:
    """Yield the demands of a month that ended with card points (H17, H18)."""
    with_nuke = {line.seat for line in lines if line.label == "nuke"}
    can_nuke = {seat for seat, yaku in yaku_by_seat.items() if hands.NUKE & set(yaku)}
    if month.is_over and with_nuke - can_nuke:
        return
    line = next((line for line in lines if line.label == POINTS), None)
    for points in _list_triples(line, month):
        demanded = dict(players)
        if points is None:
            for seat in with_nuke:
                demanded[seat] = players[seat]._replace(points=(EVEN + 1, MOST_POINTS))
        else:
            due = {seat for seat in can_nuke if points[seat - 1] > EVEN}
            if month.is_over and with_nuke != due:
                continue
            if any(points[seat - 1] <= EVEN for seat in with_nuke):
                continue
            for seat in SEATS:
                number = points[seat - 1]
                demanded[seat] = players[seat]._replace(points=(number, number))
        yield _demand(
            month,
            demanded,
            is_played_out=True,
            most_points=MOST_POINTS,
            most_chaff=MOST_CHAFF,
            has_more_jumps=not month.is_over,
            helps=jumps.list_helps(month, frozenset()),
        )


def _list_triples(
    line: PaymentLine | None, month: MonthSituation
) -> Iterator[tuple[int, ...] | None]:
    """Yield the points by seat that the line of card points can mean, None for any.

    Without a line they are known in a month that is over.
    """
    if line is None and not month.is_over:
        yield None
        return
    amounts = line.amounts if line else (0,) * len(SEATS)
    for deviations in sheet_lines.list_deviations(amounts, month.scale):
        points = tuple(EVEN + deviation for deviation in deviations)
        if any(deviations) and max(points) <= MOST_POINTS:
            yield points


def find_cards(lines: Sequence[PaymentLine], month: MonthSituation) -> Witness | None:
    """Return cards that make a month of these lines, None if there are none."""
    for demand in list_demands(lines, month):
        witness = find_witness(demand)
        if witness is not None:
            if month.is_over and not _are_paid(lines, month, witness):
                raise Undecided(demand)
            return witness
    return None


def _are_paid(lines: Sequence[PaymentLine], month: MonthSituation, witness: Witness) -> bool:
    """Return whether the rules pay just these lines for the cards of a month that is over.

    Shares of the payers are not compared.
    """
    number = {seat: i for i, seat in enumerate(month.order)}
    written: list[tuple[str, int]] = []
    for line in lines:
        seat = number[line.seat] if line.seat else -1
        if line.kind is PaymentKind.DEALT:
            declared = {item.yaku for item in hands.declarations(witness.hands[seat])}
            if set(line.yaku) not in [set(yaku) for yaku in declared]:
                return False
        elif line.label == "tobikomi":
            count = line.amounts[line.seat - 1] // (2 * month.scale.plain(TOBIKOMI_KAN))
            written += [(line.label, seat)] * count
        else:
            written += [(id, seat) for id in line.yaku]
    due = [(item.id, seat) for seat in range(3) for item in _list_made(witness, seat)]
    is_out = not due and not any(SHISO in line.yaku for line in lines)
    specials = list(year.specials(witness.captured, 1)) if is_out else []
    due += [(label, seat - 1) for label, seat, _ in specials]
    points = [cards.points(captured) for captured in witness.captured]
    for line in lines:
        seat = number[line.seat] if line.seat else -1
        due += [("tobikomi", seat)] * _count_jumps(line, witness, seat)
        if is_out and not specials and hands.NUKE & set(line.yaku) and points[seat] > EVEN:
            due.append(("nuke", seat))
    if is_out and not specials:
        paid = month.scale.card_points(tuple(points[number[seat]] - EVEN for seat in SEATS))
        due += [(POINTS, -1)] if any(paid) else []
        if any(line.label == POINTS and line.amounts != paid for line in lines):
            return False
    if specials:  # lines that are struck out may be missing
        due = [item for item in due if item[0] != "tobikomi"]
        written = [item for item in written if item[0] != "tobikomi"]
    return sorted(due) == sorted(written)


def _list_made(witness: Witness, seat: int) -> tuple[Made, ...]:
    """Return the captured yaku of a player."""
    return made(YAKU, witness.captured[seat], rained=False, called=False)


def _count_jumps(line: PaymentLine, witness: Witness, seat: int) -> int:
    """Return the number of 飛込み that the threes of a declared hand give (H15)."""
    if line.kind is not PaymentKind.DEALT or not hands.TOBIKOMI & set(line.yaku):
        return 0
    months = (cards.MATCH[three & -three] for three in hands.threes(witness.hands[seat]))
    return sum(not month & ~witness.captured[seat] for month in months)
