"""The cards that make a month of a score sheet of 八八 (S7).

The lines of a month become demands on the cards (`sheets.question`), one for each end of the month
and each reading of who pays alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple, Self

from kafu import cards
from kafu.rules.grades import GradeScale
from kafu.rules.hachihachi.hands import CHAFF, NUKE, value
from kafu.rules.hachihachi.hatto import TOBIKOMI_KAN
from kafu.rules.hachihachi.sheet_captured import list_payers, read_captured
from kafu.rules.hachihachi.sheet_cards import MOST_CHAFF, MOST_POINTS
from kafu.rules.hachihachi.sheet_check import check_month
from kafu.rules.hachihachi.sheet_specials import demand_specials
from kafu.rules.hachihachi_bga import hands, sheet_hands
from kafu.rules.hachihachi_bga.house import HachihachiBgaHouse
from kafu.rules.hachihachi_bga.pay import EVEN, PAST
from kafu.rules.hachihachi_bga.sheet_hands import Family
from kafu.rules.hachihachi_bga.sheet_payments import are_paid
from kafu.rules.hachihachi_bga.state import LOWERED, PLAIN, YAKU
from kafu.rules.payments import POINTS, PaymentKind, PaymentTable
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.capture_rules import Help
from kafu.rules.sheets.dealt_hands import Brights
from kafu.rules.sheets.lines import PaymentLine
from kafu.rules.sheets.question import Demand, DemandedPlayer, find_witness
from kafu.rules.sheets.witness import Undecided, Witness
from kafu.rules.yaku import YakuTable

SHISO: Final = "shiso"
CAPTURED: Final = "captured"
HALF: Final = "captured by half"
SPECIAL: Final = "special"
#: The ends of a month in which dealt hands are paid.
_PLAYED: Final = frozenset({CAPTURED, HALF, POINTS})
_ENDS_BY_LABEL: Final = {
    POINTS: frozenset({POINTS}),
    "nuke": frozenset({HALF, POINTS}),
    "mizuten": frozenset({HALF, POINTS, SPECIAL}),
    "tobikomi": _PLAYED,
}
_ALL_POINTS: Final = cards.points(cards.ALL)
_LOWERED_IDS: Final = tuple(row.id for row in LOWERED)


class MonthSituation(NamedTuple):
    """The context of a month's lines: the house, the payments, who plays, and the field.

    ``order`` are the seats in play order, ``shut_out`` those known to be shut out. ``is_over``: no
    line is missing.
    """

    house: HachihachiBgaHouse
    payments: PaymentTable
    dealer: int
    order: tuple[int, ...]
    shut_out: tuple[int, ...]
    brights: Brights
    is_over: bool

    @property
    def scale(self) -> GradeScale:
        """The scale of the field's grade."""
        return self.payments.scale

    @property
    def factor(self) -> int:
        """The factor of the field's grade."""
        return self.payments.find_each(POINTS)

    @property
    def table(self) -> YakuTable:
        """The captured yaku."""
        return YAKU

    @property
    def threes(self) -> frozenset[str]:
        """The dealt hands whose threes may make a 飛込み (B11)."""
        return hands.TOBIKOMI

    @property
    def may_omit_struck(self) -> bool:
        """Whether the hand of a struck-out 飛込み may be missing (S7)."""
        return True

    def leave_open(self) -> Self:
        """Return the month with lines that may be missing."""
        return self._replace(is_over=False)

    def is_struck(self, line: PaymentLine) -> bool:
        """Return whether special yaku strike out a line (B12, B15)."""
        if line.kind is PaymentKind.DEALT:
            return not (self.house.shiso_ends and SHISO in line.yaku)
        return line.label in ("tobikomi", "nuke")

    def list_ends(self, line: PaymentLine) -> frozenset[str]:
        """Return the ends of a month in which a line can stand (B9, B11–B13, B15)."""
        if line.void or line.kind is PaymentKind.SPECIAL:
            return frozenset({SPECIAL})
        if line.kind is PaymentKind.CAPTURED:
            (payment,) = read_captured([line], self.scale, YAKU)
            return frozenset({HALF if payment.is_half else CAPTURED})
        if line.kind is PaymentKind.DEALT:
            ends = _PLAYED | ({SHISO} if self.house.shiso_ends else set())
            return frozenset({SHISO}) if SHISO in line.yaku and SHISO in ends else ends
        return _ENDS_BY_LABEL.get(line.label, _PLAYED | {SHISO, SPECIAL})

    def list_shut_out_values(self, lines: Sequence[PaymentLine]) -> list[int]:
        """Return the mon of the hands shut out from each of the three, in a small field (B4)."""
        values = dict.fromkeys(self.shut_out if self.is_over else (), 0)
        for line in lines:
            if line.label == "oikomi":
                values[line.seat] = line.amounts[line.seat - 1] // (3 * self.factor)
        return list(values.values())

    def find_cards(self, lines: Sequence[PaymentLine]) -> Witness | None:
        """Return cards that make a month of these lines, None if there are none."""
        for demand in _MonthDemands(lines, self).list_demands():
            witness = find_witness(demand)
            if witness is not None:
                if self.is_over and not are_paid(lines, self, demand, witness):
                    raise Undecided(demand)
                return witness
        return None


def find_fitting_fields(
    lines: Sequence[PaymentLine], months: Sequence[MonthSituation]
) -> tuple[Brights, Witness | None]:
    """Return the numbers of brights on the field with which cards make the month, and cards.

    ``months`` differ in who plays. Raise Illegal if there are none.
    """
    fault: Illegal | None = None
    fitting: set[tuple[int, int]] = set()
    witness: Witness | None = None
    for month in months:
        try:
            witness = check_month(lines, month) or witness
        except Illegal as illegal:
            fault = fault or illegal
            continue
        fields = month.brights
        fitting |= {
            field
            for field in fields - fitting
            if len(fields) == 1 or month._replace(brights=frozenset({field})).find_cards(lines)
        }
    if fault and not fitting:
        raise fault
    return frozenset(fitting), witness


class _MonthDemands:
    """The demands of a month's lines."""

    def __init__(self, lines: Sequence[PaymentLine], month: MonthSituation) -> None:
        self.lines = lines
        self.month = month
        self.yaku = {
            seat: [
                id
                for line in lines
                if line.seat == seat and line.kind is PaymentKind.DEALT
                for id in line.yaku
            ]
            for seat in month.order
        }
        self.nuke = {line.seat for line in lines if line.label == "nuke"}
        self.past = self.nuke | {line.seat for line in lines if line.label == "mizuten"}
        self.is_struck = any(line.kind is PaymentKind.SPECIAL for line in lines)
        each = month.scale.plain(TOBIKOMI_KAN)
        self.payers: dict[int, list[int]] = {}
        for line in lines:
            if line.label == "tobikomi":
                count = line.amounts[line.seat - 1] // (2 * each)
                shares = {
                    seat: -line.amounts[seat - 1] // each
                    for seat in month.order
                    if seat != line.seat
                }
                alone = [seat for seat in shares for _ in range(max(0, shares[seat] - count))]
                listed = self.payers.setdefault(line.seat, [])
                listed += alone + [0] * (count - len(alone))

    def _find_player(self, seat: int) -> DemandedPlayer | None:
        """Return the demand on a player by the lines, None for an impossible hand.

        Yaku are missing only in a month that is not over, or that special yaku strike out.
        """
        if self.yaku[seat] and value(tuple(self.yaku[seat]), hands.COUNT) is None:
            return None
        count = next((id for id in self.yaku[seat] if id in hands.COUNT), None)
        chaff = next((id for id in self.yaku[seat] if id in CHAFF), None)
        counts: Family = frozenset({count})
        chaffs: Family = frozenset({chaff})
        jumps = len(self.payers.get(seat, ()))
        if self.is_struck or not self.month.is_over:
            if count is None:
                counts = hands.TOBIKOMI if jumps else sheet_hands.ANY_COUNT
            if chaff is None:
                chaffs = NUKE if seat in self.nuke else sheet_hands.ANY_CHAFF
        can_jump = counts <= hands.TOBIKOMI
        if (jumps and not can_jump) or (seat in self.nuke and not chaffs <= NUKE):
            return None
        return DemandedPlayer(sheet_hands.find_kind(counts, chaffs), can_jump, jumps=jumps)

    def list_demands(self) -> Iterator[Demand]:
        """Yield the demands; the month is possible if cards meet one of them."""
        month = self.month
        players = {}
        for seat in month.order:
            player = self._find_player(seat)
            if player is None:
                return
            players[seat] = player
        ends = _PLAYED | {SHISO, SPECIAL}
        for line in self.lines:
            ends &= month.list_ends(line)
        has_shiso = any(SHISO in yaku for yaku in self.yaku.values())
        if SHISO in ends and month.house.shiso_ends and (has_shiso or not month.is_over):
            yield self._demand(players, is_played=False)
        if CAPTURED in ends or HALF in ends:
            yield from self._list_captured(players)
        if SPECIAL in ends:
            yield from self._list_specials(players)
        if POINTS in ends:
            yield from self._list_points(players)

    def _demand(self, players: Mapping[int, DemandedPlayer], **more: object) -> Demand:
        """Return a demand with the players in play order and the hands of those shut out."""
        values = self.month.list_shut_out_values(self.lines)
        more = {"table": YAKU} | more
        return Demand(
            tuple(players[seat] for seat in self.month.order),
            chaff=PLAIN,
            brights=self.month.brights,
            idle=tuple(sheet_hands.find_shut_out_kind(value) for value in values),
            **more,  # type: ignore[arg-type]
        )

    def _help(self, maker: int, payer: int, needed: int = 0) -> Help:
        """Return a `Help` of these seats, by their places in play order."""
        return Help(self.month.order.index(maker), self.month.order.index(payer), needed)

    def _list_dives(self) -> tuple[Help, ...]:
        """Return the conditions for who pays 飛込み alone (B15)."""
        return tuple(
            self._help(seat, payer)
            for seat, payers in self.payers.items()
            for payer in payers
            if payer
        )

    def _list_bonuses(
        self, players: Mapping[int, DemandedPlayer], *, is_due: bool, most_points: int = _ALL_POINTS
    ) -> dict[int, DemandedPlayer] | None:
        """Return the players with the points that 抜け and みずてん need, None if there are none.

        ``is_due``: a hand with 抜け that is not paid has 88 points at the most (B11).
        """
        demanded = dict(players)
        for seat, player in players.items():
            least, most = player.points or (0, most_points)
            if seat in self.past:
                least = max(least, PAST)
            if is_due and NUKE & set(self.yaku[seat]) and seat not in self.nuke:
                most = min(most, EVEN)
            if least > most:
                return None
            if least or most < most_points:
                demanded[seat] = player._replace(points=(least, most))
        return demanded

    def _list_captured(self, players: Mapping[int, DemandedPlayer]) -> Iterator[Demand]:
        """Yield the demands of a month that captured yaku ended, or 下げ by half (B9, B10, B12)."""
        month = self.month
        captured = read_captured(self.lines, month.scale, YAKU)
        if not captured and month.is_over:
            return
        is_half = any(payment.is_half for payment in captured)
        ids = [id for payment in captured for id in payment.line.yaku]
        maker = captured[0].line.seat if captured else 0
        if {"goko", "shiko"} <= set(ids) or len(set(ids)) < len(ids):
            return
        if is_half and len(ids) == len(_LOWERED_IDS):
            return  # no other yaku was left to go on for
        # The rain man that came after 下げ of 四光 makes no 五光.
        table = LOWERED if "shiko" in ids and (is_half or len(ids) > 1) else YAKU
        demanded = dict(players)
        if maker:
            yaku = frozenset((id, table.find(id).value) for id in ids)
            demanded[maker] = players[maker]._replace(yaku=yaku)
        yielded = set()
        for payers in product(
            *(list_payers(payment, month.scale, month.order) for payment in captured)
        ):
            payers_by_yaku = dict(
                zip(ids, (payer for part in payers for payer in part), strict=True)
            )
            for with_unpaid, helps in self._list_liabilities(demanded, maker, payers_by_yaku):
                demand = self._demand(
                    with_unpaid,
                    table=table,
                    is_whole=month.is_over,
                    has_more_jumps=not month.is_over,
                    helps=helps + self._list_dives(),
                )
                if demand in yielded:
                    continue
                yielded.add(demand)
                if is_half:
                    due = self._list_bonuses(with_unpaid, is_due=month.is_over)
                    if due is not None:
                        in_order = tuple(due[seat] for seat in month.order)
                        yield demand._replace(players=in_order, is_played_out=True)
                if not is_half or (month.house.torikeshi and not self.past):
                    yield demand

    def _list_liabilities(
        self,
        players: Mapping[int, DemandedPlayer],
        maker: int,
        payers: Mapping[str, int],
    ) -> Iterator[tuple[Mapping[int, DemandedPlayer], tuple[Help, ...]]]:
        """Yield the players and helps for each reading of who pays alone.

        Who pays alone by 下げ has a yaku that is not paid; then the others may have some too.
        """
        liable = sorted({payer for payer in payers.values() if payer})
        readings = (
            (None, *_LOWERED_IDS) if self._is_hatto(payers, payer) else _LOWERED_IDS
            for payer in liable
        )
        for reading in product(*readings):
            demanded = dict(players)
            in_sage = {payer: id for payer, id in zip(liable, reading, strict=True) if id}
            for seat, player in players.items():
                if in_sage and (seat in in_sage or seat not in liable):
                    demanded[seat] = player._replace(has_more_yaku=True, unpaid=frozenset({"goko"}))
            for payer, id in in_sage.items():
                yaku = frozenset({(id, LOWERED.find(id).value)})
                demanded[payer] = demanded[payer]._replace(yaku=yaku)
            yield (
                demanded,
                tuple(
                    self._help(maker, payer, YAKU.find(id).cards)
                    for id, payer in payers.items()
                    if payer and payer not in in_sage
                ),
            )

    @staticmethod
    def _is_hatto(payers: Mapping[str, int], payer: int) -> bool:
        """Return whether all that a player pays alone can be by hatto (B10)."""
        return all(id != "nanatan" for id, by in payers.items() if by == payer)

    def _list_specials(self, players: Mapping[int, DemandedPlayer]) -> Iterator[Demand]:
        """Yield the demands of a month that special yaku ended (B12)."""
        month = self.month
        lines = [line for line in self.lines if line.kind is PaymentKind.SPECIAL]
        if month.is_over and not lines:
            return
        for demanded, is_even in demand_specials(lines, month.payments, players):
            most = MOST_POINTS if month.is_over else _ALL_POINTS
            with_bonuses = self._list_bonuses(demanded, is_due=False, most_points=most)
            if with_bonuses is not None:
                yield self._demand(
                    with_bonuses,
                    is_played_out=True,
                    most_points=MOST_POINTS if month.is_over else None,
                    most_chaff=MOST_CHAFF if month.is_over else None,
                    is_uneven=month.is_over and not is_even,
                    has_more_jumps=True,
                    helps=self._list_dives(),
                )

    def _list_points(self, players: Mapping[int, DemandedPlayer]) -> Iterator[Demand]:
        """Yield the demand of a month that ended with card points (B13)."""
        month = self.month
        line = next((line for line in self.lines if line.label == POINTS), None)
        if line is None and month.is_over:
            return
        demanded = dict(players)
        if line is not None:
            points = {seat: EVEN + line.amounts[seat - 1] // month.factor for seat in month.order}
            if not any(line.amounts) or max(points.values()) > MOST_POINTS:
                return
            demanded = {
                seat: player._replace(points=(points[seat], points[seat]))
                for seat, player in players.items()
            }
        with_bonuses = self._list_bonuses(demanded, is_due=month.is_over, most_points=MOST_POINTS)
        if with_bonuses is not None:
            yield self._demand(
                with_bonuses,
                is_played_out=True,
                most_points=MOST_POINTS,
                most_chaff=MOST_CHAFF,
                has_more_jumps=not month.is_over,
                helps=self._list_dives(),
            )
