"""Score sheets of the 10/5/1 game: the three seats in play, and the amounts (S1–S4, S8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import ClassVar

from kafu.notation.game import Month
from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.payments import POINTS, PaymentKind
from kafu.rules.play.actions import Illegal
from kafu.rules.play.seating import turn_order
from kafu.rules.sheets.form import GameSheet
from kafu.rules.sheets.lines import MONTH, PaymentLine, check_line
from kafu.rules.sheets.offers import Playing
from kafu.rules.sheets.smallest import find_smallest
from kafu.rules.sheets.witness import Witness
from kafu.rules.ten_five_one.machine import PAR, WITH_BLANK, TenFiveOne
from kafu.rules.ten_five_one.sheet_cards import (
    PaidMonth,
    PaidPlayer,
    find_cards,
    list_captured,
)
from kafu.rules.ten_five_one.sheet_sums import list_months
from kafu.rules.verdict import DealResult


class TenFiveOneSheet(GameSheet):
    """The sheet of a game. ``first`` is the seat of 四三 ending the game, 0 for nobody (T5)."""

    joined: ClassVar[frozenset[PaymentKind]] = frozenset((PaymentKind.DEALT,))

    def __init__(self, options: Mapping[str, str], players: int) -> None:
        """Begin a sheet of a house for a number of players."""
        self.machine = TenFiveOne(options, players)
        super().__init__(players, self.machine.payments, months=self.machine.months, par=PAR)
        self.house = self.machine.house
        self.first = 0

    @property
    def is_over(self) -> bool:
        """Whether the game is over, after the last month or by 四三 (T5)."""
        return super().is_over or self.first > 0

    def judge(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> DealResult | None:
        """Check the lines of a month, which must fit some three seats of the table (S8)."""
        makers = [line.seat for line in lines if self._ends(line)]
        seats = turn_order(month.dealer, len(self.seats))
        self.first = next((seat for seat in seats if seat in makers), 0)
        result = super().judge(month, lines, following)
        if result and self.first:
            return result._replace(winner=self.first, first=self.first)
        return result

    def check_lines(self, month: Month, lines: Sequence[PaymentLine]) -> None:
        """Raise Illegal for lines that no three seats can pay, or beside 四三 ending the game."""
        for line in lines:
            if self.first and line.label != "shiso":
                raise Illegal(codes.SHEET_MIXED, where=line.where, label=line.label, other="shiso")
        if any(line.label == MONTH for line in lines):
            self._check_sum(lines[0], month.dealer)
        else:
            self._check_lines(lines, month.dealer)

    def find_next_dealer(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> int | None:
        """Return who got most (T7), nobody after 四三 ending the game."""
        return None if self.first else super().find_next_dealer(month, lines, following)

    def _ends(self, line: PaymentLine) -> bool:
        """Return whether a line ends the month and the game (四三, T5)."""
        return self.machine.shiso_ends and "shiso" in line.yaku

    def _list_orders(self, lines: Sequence[PaymentLine], dealer: int) -> list[tuple[int, ...]]:
        """Return the sets of three seats that can be in play, each in play order.

        Each set has all seats with an amount in the lines, and every line is one that these three
        can pay. The most plausible sets come first. Raise Illegal if there are none.
        """
        seats = turn_order(dealer, len(self.seats))
        paid = {seat for line in lines for seat in seats if line.amounts[seat - 1]}
        if len(paid) > 3:
            raise Illegal(codes.SHEET_SEATS, where=lines[-1].where, seat=max(paid))
        orders: list[tuple[int, ...]] = []
        faults: list[Illegal] = []
        for order in combinations(seats, 3):
            if paid <= set(order):
                try:
                    for line in lines:
                        self._check_line(line, order, is_forced=self._is_forced(order, dealer))
                except Illegal as fault:
                    faults.append(fault)
                else:
                    orders.append(order)
        if not orders:
            raise faults[0]
        return orders

    def _check_line(self, line: PaymentLine, order: tuple[int, ...], *, is_forced: bool) -> None:
        """Raise Illegal unless the three seats in play can pay a line; see `_is_forced`."""
        if not line.seat:
            return
        is_doni = line.seat == order[1]
        for yaku in line.yaku:
            if yaku == "nasake" and not self.house.may_show_nasake(doni=is_doni, chosen=is_forced):
                raise Illegal(codes.SHEET_PLACE, where=line.where, label=yaku, seat=line.seat)
        playing = Playing(order[0], order, len(self.seats))
        check_line(line, self.payments, playing, kan=False)

    def _check_lines(self, lines: Sequence[PaymentLine], dealer: int) -> None:
        """Raise Illegal unless cards make a month of just these lines."""
        paid: set[tuple[int, str]] = set()
        for line in lines:
            entries = {(line.seat, id) for id in line.yaku}
            if entries & paid:
                raise Illegal(codes.SHEET_TWICE, where=line.where, label=line.label)
            paid |= entries
        if found := self._find_cards(lines, dealer, is_whole=True):
            _, self.witness = found
            return
        smallest = find_smallest(lines, lambda part: bool(self._find_cards(part, dealer)))
        if not smallest:
            raise self._explain_missing(lines, dealer)
        last = smallest[-1]
        if [line.label for line in smallest] == [POINTS]:
            worst = amounts.text(max(last.amounts, key=abs), kan=False)
            raise Illegal(codes.SHEET_POINTS, where=last.where, found=worst)
        labels = ", ".join(line.label for line in smallest)
        raise Illegal(codes.SHEET_NO_CARDS, where=last.where, lines=labels)

    def _find_cards(
        self, lines: Sequence[PaymentLine], dealer: int, *, is_whole: bool = False
    ) -> tuple[tuple[int, ...], Witness] | None:
        """Return three seats in play and cards for them that make a month, None without any.

        The month has just these lines if ``is_whole``, else perhaps others.
        """
        for order in self._list_orders(lines, dealer):
            witness = find_cards(self._read_month(lines, order, is_whole=is_whole), self.machine)
            if witness:
                return order, witness
        return None

    def _read_month(
        self, lines: Sequence[PaymentLine], order: tuple[int, ...], *, is_whole: bool
    ) -> PaidMonth:
        """Return the payments of lines by player in play order."""
        is_ended = any(map(self._ends, lines))
        deviations = next((line.amounts for line in lines if line.label == POINTS), None)
        if deviations is None and is_whole and not is_ended:
            deviations = (0,) * len(self.seats)
        players = []
        for seat, par in zip(order, PAR, strict=True):
            dealt: frozenset[str] = frozenset()
            captured: frozenset[str] = frozenset()
            dives = False
            for line in lines:
                if line.seat != seat:
                    continue
                if line.kind is PaymentKind.CAPTURED:
                    captured |= {*line.yaku}
                else:
                    dealt |= {*line.yaku}
                    dives |= line.amounts[seat - 1] > 2 * sum(
                        map(self.payments.find_each, line.yaku)
                    )
            points = None if deviations is None else par + deviations[seat - 1]
            players.append(PaidPlayer(dealt, dives, captured, points))
        return PaidMonth(tuple(players), is_whole, is_ended)

    def _is_forced(self, order: tuple[int, ...], dealer: int) -> bool:
        """Return whether 胴二 was in by force, or is at a table of three (T3, T5).

        All who bid after 胴二 are in. Of seven players the holder of the blank card does not bid.
        """
        seats = turn_order(dealer, len(self.seats))
        bidders = [seat for seat in seats[seats.index(order[1]) + 1 :] if seat != order[2]]
        return len(bidders) <= (len(seats) == WITH_BLANK)

    def _explain_missing(self, lines: Sequence[PaymentLine], dealer: int) -> Illegal:
        """Return the fault for a month that only further lines make possible."""
        found = self._find_cards(lines, dealer)
        assert found is not None
        order, witness = found
        where = next((line.where for line in lines if line.label == POINTS), lines[-1].where)
        for number, seat in enumerate(order):
            written = {id for line in lines if line.seat == seat for id in line.yaku}
            for id in list_captured(self.machine, witness, number):
                if id not in written:
                    return Illegal(codes.SHEET_DUE, where=where, label=id, seat=seat)
        return Illegal(codes.SHEET_DUE, where=where, label=POINTS, seat=order[0])

    def _check_sum(self, line: PaymentLine, dealer: int) -> None:
        """Raise Illegal unless cards make a month with this sum (S2)."""
        for order in self._list_orders([line], dealer):
            scores = tuple(line.amounts[seat - 1] for seat in order)
            is_forced = self._is_forced(order, dealer)
            for month in list_months(scores, self.machine, is_forced=is_forced):
                if find_cards(month, self.machine):
                    return
        worst = amounts.text(max(line.amounts, key=abs), kan=False)
        raise Illegal(codes.SHEET_MONTH_SUM, where=line.where, found=worst)
