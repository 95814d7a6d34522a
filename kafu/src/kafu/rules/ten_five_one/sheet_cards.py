"""The cards that make a month of a score sheet of the 10/5/1 game (S1, S8).

The payments of a month become demands on the cards (`sheets.question`), one for each way in which
the threes of dealt hands can be captured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product
from typing import Final

from kafu import cards
from kafu.rules import codes
from kafu.rules.payments import POINTS, PaymentKind
from kafu.rules.play.actions import Illegal
from kafu.rules.play.table import fours
from kafu.rules.sheets.demand import Demand, DemandedPlayer
from kafu.rules.sheets.hand_kinds import ANY, HandClasses, HandKind
from kafu.rules.sheets.lines import PaymentLine, check_line
from kafu.rules.sheets.month import SheetMonth, find_paid
from kafu.rules.sheets.offers import Playing
from kafu.rules.sheets.sums import SumQuestion
from kafu.rules.sheets.witness import Witness
from kafu.rules.ten_five_one.machine import PAR, WITH_BLANK, TenFiveOne, has_dived, points
from kafu.rules.ten_five_one.payments import BIKI, SANBON
from kafu.rules.teyaku import HandYaku, find, pattern
from kafu.rules.yaku import Made, made

DONI_PLACE: Final = 1
BIKI_PLACE: Final = 2
#: The number of ribbons of なさけ.
_RIBBONS: Final = 3
#: Three cards of a month on the dealt field lie as one pile; with four it is dealt again (T2).
_MOST_ALIKE: Final = 3


@cache
def _classify_hands(rows: tuple[HandYaku, ...], ribbons: int) -> HandClasses:
    """Return all hands by the best of the ``rows``, three of ``ribbons`` (a mask), and threes."""

    def read(month: int, dealt: int) -> tuple[int, int]:
        return 8 ** dealt.bit_count(), (dealt << 4 * month & ribbons).bit_count()

    def join(held: tuple[int, int], added: tuple[int, int]) -> tuple[int, int]:
        return held[0] + added[0], min(held[1] + added[1], _RIBBONS)

    def classify(hand: int) -> tuple[str, bool, int]:
        row = find(rows, hand)
        has_ribbons = (hand & ribbons).bit_count() >= _RIBBONS
        return row.id if row else "", has_ribbons, pattern(hand).count(3)

    return HandClasses((0, 0), read, join, classify)


@cache
def _find_kind(
    rows: tuple[HandYaku, ...], ribbons: int, yaku: frozenset[str], threes: int | None = None
) -> HandKind:
    """Return the hands that may be shown as these yaku, with a number of threes if given (T5)."""

    def accepts(kind: tuple[str, bool, int]) -> bool:
        shown = {kind[0], "nasake" if kind[1] else ""}
        return yaku <= shown and threes in (None, kind[2])

    return _classify_hands(rows, ribbons).find(accepts)


@dataclass(frozen=True, eq=False)
class TenFiveOneMonth(SheetMonth):
    """The lines of a month at a table, of which three players are in play.

    ``order`` is empty for any three. ``seats`` are all seats in play order.
    """

    machine: TenFiveOne
    seats: tuple[int, ...]

    def has_ended(self) -> bool:
        """Return whether 四三 ended the month and the game (T5)."""
        return self.machine.shiso_ends and any("shiso" in line.yaku for line in self.lines)

    def is_forced(self, order: tuple[int, ...]) -> bool:
        """Return whether 胴二 was in by force, or is at a table of three (T3, T5).

        All who bid after 胴二 are in. Of seven players the holder of the blank card does not bid.
        """
        after = self.seats[self.seats.index(order[DONI_PLACE]) + 1 :]
        return len(after) - 1 <= (len(self.seats) == WITH_BLANK)

    def list_orders(self) -> list[tuple[int, ...]]:
        """Return the sets of three seats that can be in play, each in play order.

        Each set has all seats with an amount in the lines, and every line is one that these three
        can pay. The most plausible sets come first. Raise Illegal if there are none.
        """
        paid = {seat for line in self.lines for seat in self.seats if line.amounts[seat - 1]}
        if len(paid) > 3:
            raise Illegal(codes.SHEET_SEATS, where=self.lines[-1].where, seat=max(paid))
        orders: list[tuple[int, ...]] = []
        faults: list[Illegal] = []
        for order in combinations(self.seats, 3):
            if paid <= set(order):
                try:
                    for line in self.lines:
                        self._check_line(line, order)
                except Illegal as fault:
                    faults.append(fault)
                else:
                    orders.append(order)
        if not orders:
            raise faults[0]
        return orders

    def list_sums(self, amounts: tuple[int, ...]) -> Iterator[SumQuestion]:
        """Yield the questions for a sum, by the seats in play."""
        possible = [range(-par, points(cards.ALL) - par + 1) for par in PAR]
        may_show = self.machine.house.may_show_nasake
        for order in self.list_orders():
            rows = tuple(
                row
                for row in self.payments.values()
                if not (row.id == "shiso" and self.machine.shiso_ends)
                and (row.id != "nasake" or may_show(doni=True, chosen=self.is_forced(order)))
            )
            yield SumQuestion(replace(self, lines=(), order=order), amounts, rows, possible)

    def _check_line(self, line: PaymentLine, order: tuple[int, ...]) -> None:
        """Raise Illegal unless the three seats in play can pay a line."""
        if not line.seat:
            return
        is_doni = line.seat == order[DONI_PLACE]
        may_show = self.machine.house.may_show_nasake(doni=is_doni, chosen=self.is_forced(order))
        if "nasake" in line.yaku and not may_show:
            raise Illegal(codes.SHEET_PLACE, where=line.where, label="nasake", seat=line.seat)
        check_line(line, self.payments, Playing(order[0], order, len(self.seats)), kan=False)

    def find_cards(self) -> Witness | None:
        """Return cards that make the month, None if there are none."""
        for order in (self.order,) if self.order else self.list_orders():
            month = replace(self, order=order)
            questions = ((demand,) for demand in month._list_demands())
            if witness := find_paid(questions, month._is_paid):
                return witness
        return None

    def _list_demands(self) -> Iterator[Demand]:
        """Yield the demands on the cards; the month is possible if cards meet one of them."""
        is_ended = self.has_ended()
        for players in product(*map(self._list_players, self.order)):
            yield Demand(
                players,
                self.machine.captured_yaku,
                cards.CHAFF,
                is_played=not is_ended,
                is_played_out=not is_ended,
                is_whole=self.is_over,
                count=points,
                most_alike=_MOST_ALIKE,
            )

    def _list_players(self, seat: int) -> Iterator[DemandedPlayer]:
        """Yield the possible demands on the cards of a player.

        三本 lays open one three. The other three of a hand with two may be captured whole as well
        (T5).
        """
        machine, place = self.machine, self.order.index(seat)
        ids = frozenset(self.list_yaku(seat, PaymentKind.DEALT))
        captured = self.list_yaku(seat, PaymentKind.CAPTURED)
        number = self._find_points(seat)
        if number is not None and not 0 <= number <= points(cards.ALL):
            return
        doni = place == DONI_PLACE
        shown = (machine.house.count_rows(doni=doni), machine.house.ribbon_cards(doni=doni), ids)
        can_jump = machine.tobikomi and SANBON in ids
        player = DemandedPlayer(
            _find_kind(*shown) if ids else ANY,
            can_jump,
            frozenset((id, machine.captured_yaku.find(id).value) for id in captured),
            None if number is None else (number, number),
            jumps=int(self._has_dived(seat)),
            unpaid=frozenset() if place == BIKI_PLACE else BIKI,
        )
        yield player
        twice = _find_kind(*shown, threes=2)
        if can_jump and twice.layers:
            yield player._replace(hand=twice, jumps=player.jumps + 1)

    def _find_points(self, seat: int) -> int | None:
        """Return the points of the captured cards of a player, None for any."""
        par, line = PAR[self.order.index(seat)], self.find_line(POINTS)
        if line:
            return par + line.amounts[seat - 1]
        return par if self.is_over and not self.has_ended() else None

    def _has_dived(self, seat: int) -> bool:
        """Return whether 三本 is paid with 飛び込み to a player."""
        lines = self.list_lines(seat, PaymentKind.DEALT)
        each = sum(map(self.payments.find_each, self.list_yaku(seat, PaymentKind.DEALT)))
        return sum(line.amounts[seat - 1] for line in lines) > 2 * each

    def _is_paid(self, _demand: Demand, witness: Witness) -> bool:
        """Return whether the rules pay just these dealt hands and points for cards."""
        for place, (seat, hand, captured) in enumerate(
            zip(self.order, witness.hands, witness.captured, strict=True)
        ):
            dealt = set(self.list_yaku(seat, PaymentKind.DEALT))
            doni = place == DONI_PLACE
            declarations = self.machine.house.declarations(hand, doni=doni, chosen=True)
            shown = [show for show in declarations if set(show.yaku) == dealt]
            if dealt and not shown:
                return False
            if self.has_ended():
                continue
            if self._find_points(seat) not in (None, points(captured)):
                return False
            if self.machine.tobikomi and SANBON in dealt:
                dives = {has_dived(show.cards & ~fours(hand), captured) for show in shown}
                if self._has_dived(seat) not in dives:
                    return False
        return not fours(witness.field)

    # The words for a fault ------------------------------------------------------------------------

    def list_made(self, seat: int, captured: int) -> tuple[Made, ...]:
        """Return the captured yaku that are paid to a player for cards."""
        table = self.machine.table_of(biki=seat == self.order[BIKI_PLACE])
        return made(table, captured, rained=False, called=False)

    def explain(self, smallest: Sequence[PaymentLine]) -> Illegal:
        """Return the fault for lines that cannot stand together."""
        is_points = [line.label for line in smallest] == [POINTS]
        return super().explain(smallest) if is_points else self.name_lines(smallest)

    def explain_missing(self) -> Illegal:
        """Return the fault for a month that only further lines make possible."""
        months = (replace(self, order=order, is_over=False) for order in self.list_orders())
        month, witness = next((month, deal) for month in months if (deal := month.find_cards()))
        if fault := month.find_due(witness):
            return fault
        where = (self.find_line(POINTS) or self.lines[-1]).where
        return Illegal(codes.SHEET_DUE, where=where, label=POINTS, seat=month.order[0])
