"""Score sheets of the 10/5/1 game: the three seats in play, and the amounts (S1–S4, S8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import ClassVar

from kafu import cards
from kafu.notation.game import Month, Payment
from kafu.rules import codes
from kafu.rules.play.actions import Illegal
from kafu.rules.play.seating import turn_order
from kafu.rules.sheets.captured import captured_totals, check_all, kind_of, offer_of, values
from kafu.rules.sheets.form import GameSheet
from kafu.rules.sheets.lines import (
    MONTH,
    POINTS,
    PaymentKind,
    PaymentLine,
    check_month_sum,
    check_once,
    check_paid,
    check_points,
    check_value,
)
from kafu.rules.sheets.offers import Chosen, Offer, Playing
from kafu.rules.ten_five_one.machine import BIKI, NASAKE, PAR, TOBIKOMI, TenFiveOne, points
from kafu.rules.verdict import DealResult


class TenFiveOneSheet(GameSheet):
    """The sheet of a game. ``first`` is the seat of 四三 ending the game, 0 for nobody (T5)."""

    joined: ClassVar[frozenset[PaymentKind]] = frozenset((PaymentKind.DEALT,))
    whole: ClassVar[int] = sum(PAR)

    def __init__(self, options: Mapping[str, str], players: int) -> None:
        """Begin a sheet of a house for a number of players."""
        super().__init__(players)
        self.machine = TenFiveOne(options, players)
        self.house = self.machine.house
        self.table = self.machine.captured_yaku
        self.rows = {row.id: row for row in self.table}
        self.dealt = {row.id: row.value for row in self.house.table}
        if self.house.teshi == "no":
            self.dealt.pop("teshi", None)
        if self.house.nasake != "no":
            self.dealt["nasake"] = NASAKE
        self.first = 0
        counts = [value for id, value in self.dealt.items() if id != "nasake"]
        hand = max(counts, default=0) + self.dealt.get("nasake", 0)
        hand += TOBIKOMI if self.machine.tobikomi else 0
        captured = max(captured_totals(self.table))
        #: The largest gain and loss of a player in a month. The gain is a dealt hand with all yaku
        #: and cards; the loss is the opponents' hands and yaku without own cards.
        self._most = 2 * (hand + captured) + points(cards.ALL) - min(PAR)
        self._least = -max(PAR) - 2 * hand - captured

    @property
    def is_over(self) -> bool:
        """Whether the game is over, after the last month or by 四三 (T5)."""
        return len(self.deals) >= self.machine.months or self.first > 0

    def settle(self) -> tuple[int, ...]:
        """Return the sums of the months: there is no settlement."""
        return self.totals

    def kind(self, yaku: tuple[str, ...]) -> PaymentKind | None:
        """Return the kind of a label.

        A label names one dealt hand by count and なさけ, captured yaku, or points.
        """
        if yaku == (POINTS,):
            return PaymentKind.OTHER
        if len(set(yaku)) < len(yaku):
            return None
        if set(yaku) <= self.dealt.keys():
            return PaymentKind.DEALT if len(set(yaku) - {"nasake"}) <= 1 else None
        return kind_of(self.rows, yaku)

    def offers(
        self, ba: str | None, playing: Playing, chosen: Sequence[Chosen] = ()
    ) -> tuple[Offer, ...]:
        """Return dealt hands and captured yaku of the house.

        Some are for 胴二 or ビキ alone (T5, T6).
        """
        kind = PaymentKind.DEALT
        dealt = (
            Offer(label, kind, tuple(self._values(label, kind)), seats=self._owner(label, playing))
            for label in self.dealt
        )
        captured = (offer_of(row, seats=self._owner(row.id, playing)) for row in self.table)
        return (*dealt, *captured)

    def deviations(self, captured: tuple[int, ...], playing: Playing) -> tuple[int, ...]:
        """Return card points less 100, 110 and 120 by the place in play order (T1)."""
        deviations = [0] * playing.players
        for seat, par in zip(playing.order, PAR, strict=True):
            deviations[seat - 1] = captured[seat - 1] - par
        return tuple(deviations)

    def _owner(self, yaku: str, playing: Playing) -> tuple[int, ...]:
        """Return the only seat entitled to a yaku, empty for all seats."""
        return playing.order[2:3] if yaku in BIKI else playing.order[1:2] * (yaku in self._doni)

    @property
    def _doni(self) -> set[str]:
        """The yaku of 胴二 alone."""
        yaku = {"nasake"} if self.house.nasake in ("doni", "chosen-doni") else set()
        return yaku | ({"teshi"} if self.house.teshi == "doni" else set())

    def receiver(self, payment: Payment, kind: PaymentKind, where: str) -> int:
        """Return the receiver of a payment.

        Raise Illegal for a void payment: no rule strikes out payments.
        """
        if payment.void:
            raise Illegal(codes.SHEET_VOID, where=where, label=payment.label)
        return super().receiver(payment, kind, where)

    def judge(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> DealResult | None:
        """Check the lines of a month, which must fit some three seats of the table (S8)."""
        if not lines and self.open_end:
            return None
        check_once(lines, POINTS, MONTH)
        makers = [line.seat for line in lines if self.machine.shiso_ends and "shiso" in line.yaku]
        if makers:
            self._check_only_shiso(lines)
        fault: Illegal | None = None
        for order in self._orders(month.dealer, lines):
            try:
                self._check(lines, order, ended=bool(makers))
            except Illegal as illegal:
                fault = fault or illegal
            else:
                fault = None
                break
        if fault:
            raise fault
        seats = turn_order(month.dealer, len(self.seats))
        self.number += 1
        result = self.result(month, None)
        if makers:
            self.first = next(seat for seat in seats if seat in makers)
            return result._replace(winner=self.first, first=self.first)
        due = max(seats, key=lambda seat: result.score[seat - 1])
        self.check_stone(month, due)
        return result._replace(next_dealer=due, winner=due)

    def _orders(self, dealer: int, lines: Sequence[PaymentLine]) -> Iterator[tuple[int, ...]]:
        """Generate the possible sets of three seats in play, each in play order.

        Each set has all seats with an amount in ``lines``. The most plausible sets come first.
        """
        seats = turn_order(dealer, len(self.seats))
        paid = {seat for line in lines for seat in seats if line.amounts[seat - 1]}
        if len(paid) > 3:
            raise Illegal(codes.SHEET_SEATS, where=lines[-1].where, seat=max(paid))
        for order in combinations(seats, 3):
            if paid <= set(order):
                yield order

    def _check_only_shiso(self, lines: Sequence[PaymentLine]) -> None:
        """Raise Illegal for lines next to 四三 in a month ended by 四三 (T5)."""
        for line in lines:
            if line.label != "shiso":
                raise Illegal(codes.SHEET_MIXED, where=line.where, label=line.label, other="shiso")

    def _check(self, lines: Sequence[PaymentLine], order: tuple[int, ...], *, ended: bool) -> None:
        """Raise Illegal unless the lines are possible with the seats ``order`` in play."""
        captured = dict(zip(order, PAR, strict=True))
        dealt: list[tuple[int, bool]] = []
        for line in lines:
            if line.label == MONTH:
                check_month_sum(line, self._most, self._least, kan=False)
            if line.label == POINTS:
                captured = {seat: captured[seat] + line.amounts[seat - 1] for seat in order}
                for seat in order:
                    single = line._replace(amounts=(line.amounts[seat - 1],))
                    par = captured[seat] - line.amounts[seat - 1]
                    check_points(single, range(-par, points(cards.ALL) - par + 1), kan=False)
            if not line.seat:
                continue
            self._check_place(line, order)
            owed = set(product(*(self._values(id, line.kind) for id in line.yaku)))
            sums = {2 * sum(parts) for parts in owed}
            check_value(line, sums, line.amounts[line.seat - 1], kan=False)
            check_paid(line, owed, order, alone=False)
            if line.kind is PaymentKind.DEALT:
                new = [(line.seat, id == "nasake") for id in line.yaku]
                if set(new) & set(dealt):
                    raise Illegal(codes.SHEET_TWICE, where=line.where, label=line.label)
                dealt += new
        if ended or any(line.label == MONTH for line in lines):
            return
        tables = {seat: self.machine.table_of(biki=seat == order[2]) for seat in order}
        check_all(lines, tables, points, captured)

    def _values(self, yaku: str, kind: PaymentKind) -> Sequence[int]:
        """Return the possible values of a yaku; 三本 may have 飛び込み in addition."""
        if kind is PaymentKind.CAPTURED:
            return values(self.rows[yaku])
        plain = self.dealt[yaku]
        jumps = yaku == "sanbon" and self.machine.tobikomi
        return (plain, plain + TOBIKOMI) if jumps else (plain,)

    def _check_place(self, line: PaymentLine, order: tuple[int, ...]) -> None:
        """Raise Illegal for a yaku of 胴二 or ビキ alone at another seat (T5, T6)."""
        for yaku in line.yaku:
            for owner, owned in ((order[1], self._doni), (order[2], BIKI)):
                if yaku in owned and line.seat != owner:
                    raise Illegal(codes.SHEET_PLACE, where=line.where, label=yaku, seat=line.seat)
