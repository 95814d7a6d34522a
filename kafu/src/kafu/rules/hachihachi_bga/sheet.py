"""Score sheets of 八八 for three to six: who plays, who pays, what is carried on (S1–S4, S7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import ClassVar, Final

from kafu.notation.game import Month, Payment
from kafu.notation.reading import amounts
from kafu.notation.vocabulary import KAN, SHEET_GRADES
from kafu.rules import sheet_codes
from kafu.rules.grades import SCALES, Carried, Scale
from kafu.rules.hachihachi import sheet_month
from kafu.rules.hachihachi.sheet_month import (
    CAPTURED,
    DEALT,
    HALF,
    MIZUTEN,
    NUKE,
    SHISO,
    SPECIAL,
    TOBIKOMI,
    MonthRules,
    threes_of,
)
from kafu.rules.hachihachi_bga import pay, sheet_lines
from kafu.rules.hachihachi_bga.ending import read_house
from kafu.rules.hachihachi_bga.hands import COUNT
from kafu.rules.hachihachi_bga.hands import TOBIKOMI as TOBIKOMI_HANDS
from kafu.rules.hachihachi_bga.state import YAKU
from kafu.rules.play.actions import Illegal
from kafu.rules.play.seating import turn_order
from kafu.rules.sheets.form import Sheet
from kafu.rules.sheets.lines import MONTH, POINTS, PaymentKind, PaymentLine, check_once
from kafu.rules.sheets.offers import Chosen, Offer, Playing
from kafu.rules.verdict import DealResult

#: More brights than these are carried on in no year; beyond they are not counted.
_MOST: Final = 6
#: The brights that a field may have, absolute and large ones (B2).
_FIELDS: Final = tuple((absolutes, larges) for absolutes in range(3) for larges in range(4))
#: What S7 says of this ruleset.
MONTH_RULES: Final = MonthRules(
    YAKU,
    (
        (CAPTURED, POINTS),  # a captured yaku ends the month without card points, also one by half
        (HALF, POINTS),
        (CAPTURED, NUKE),  # 抜け and みずてん need a month that was played to its end
        (CAPTURED, MIZUTEN),
        (CAPTURED, SPECIAL),  # special yaku need a month without captured ones
        (HALF, SPECIAL),
        (SPECIAL, POINTS),  # a special yaku strikes out card points and dealt hands
        (SPECIAL, DEALT),
        (SPECIAL, TOBIKOMI),
        (SPECIAL, NUKE),
    ),
    COUNT,
    threes_of(TOBIKOMI_HANDS),
    half_played_out=True,
)
#: With the option that 四三 ends the game, before the first card.
SHISO_ENDS: Final = (
    *((SHISO, sort) for sort in (CAPTURED, HALF, SPECIAL, POINTS, TOBIKOMI, NUKE, MIZUTEN)),
)


class HachihachiBgaSheet(Sheet):
    """The sheet of a game. ``carried`` are the brights that may be carried into the next month
    (B2), ``ended`` says that 四三 ended the game (B15).
    """

    kan: ClassVar[bool] = True
    graded: ClassVar[bool] = True
    sums_hide_next: ClassVar[bool] = True
    joined: ClassVar[frozenset[PaymentKind]] = frozenset(
        (PaymentKind.DEALT, PaymentKind.CAPTURED, PaymentKind.SPECIAL)
    )

    def __init__(self, options: Mapping[str, str], players: int) -> None:
        super().__init__(players)
        self.house = read_house(options)
        self.stones = self.house.tsukifuda
        self.totals = (-KAN * self.house.start_kan,) * players
        self.carried = {Carried()}
        self.ended = False
        self.month_rules = MONTH_RULES
        if self.house.shiso_ends:
            pairs = (*MONTH_RULES.never_together, *SHISO_ENDS)
            self.month_rules = MONTH_RULES._replace(never_together=pairs, shiso_ends=True)

    @property
    def is_over(self) -> bool:
        """After the last month, by option not while a grade is carried on for sure (B15)."""
        return self._is_over(free=self.carried == {Carried()})

    @property
    def may_be_over(self) -> bool:
        """The same at the end of the record: what need not be carried is not."""
        return self._is_over(free=Carried() in self.carried)

    def _is_over(self, *, free: bool) -> bool:
        done = len(self.deals) >= self.house.months
        return self.ended or (done and (free or not self.house.etsunen))

    def settle(self) -> tuple[int, ...]:
        """The prize to the top, and the month card to the lowest (B1, B15)."""
        laid = [sum(deal.next_dealer == seat for deal in self.deals) for seat in self.seats]
        return pay.settle(self.totals, self.house.start_kan, laid if self.stones else ())

    def kind(self, yaku: tuple[str, ...]) -> PaymentKind | None:
        """What a label names, as `sheet_lines.kind` has it."""
        return sheet_lines.kind(yaku)

    # Writing --------------------------------------------------------------------------------------

    def offers(
        self, ba: str | None, playing: Playing, chosen: Sequence[Chosen] = ()
    ) -> tuple[Offer, ...]:
        """Yaku, and what going out, being shut out and going in without looking bring (S7)."""
        scale = SCALES["A"][(ba or "small").removesuffix("2")]
        return sheet_lines.offers(scale, self.house, playing)

    def written(
        self,
        chosen: Sequence[Chosen],
        points: tuple[int, ...] | None,
        offers: Sequence[Offer],
        playing: Playing,
    ) -> list[tuple[Payment, tuple[Chosen, ...]]]:
        """As in `Sheet`; the fees of going out by their order (B3)."""
        fees = next((offer.each for offer in offers if offer.label == "ori"), ())
        paid = [one for one in chosen if one.label == "ori"]
        paid.sort(key=lambda one: (one.payer - playing.dealer) % playing.players)
        due = iter(
            one if one.gain is not None else one._replace(gain=fees[min(i, len(fees) - 1)])
            for i, one in enumerate(paid)
        )
        chosen = [next(due) if one.label == "ori" else one for one in chosen]
        return super().written(chosen, points, offers, playing)

    def paid_points(
        self, captured: tuple[int, ...], ba: str | None, playing: Playing
    ) -> tuple[int, ...]:
        """With the factor of the grade (B13)."""
        scale = SCALES["A"][(ba or "small").removesuffix("2")]
        return scale.card_points(self.deviations(captured, playing))

    def bars(self, offer: Offer, seat: int, other: Offer, other_seat: int) -> bool:
        """Captured yaku are one player's, and none stand in a month with special ones (S7)."""
        ends = {PaymentKind.CAPTURED, PaymentKind.SPECIAL}
        if ends == {offer.kind, other.kind}:
            return True
        if seat != other_seat and offer.kind is other.kind is PaymentKind.CAPTURED:
            return True
        return super().bars(offer, seat, other, other_seat)

    def receiver(self, payment: Payment, kind: PaymentKind, where: str) -> int:
        """Who gets a payment (S1). Sums that were copied as the site shows them get a hint (C4)."""
        total = sum(payment.amounts)
        shown = tuple(map(_as_shown, payment.amounts))
        if total and shown != payment.amounts:
            words = tuple(amounts.text(amount, kan=True) for amount in shown)
            raise Illegal(
                sheet_codes.SHEET_SUM_OF_BGA,
                where=where,
                expected=() if sum(shown) else words,
                label=payment.label,
                sum=amounts.text(total, kan=True),
            )
        return super().receiver(payment, kind, where)

    def grades_due(self) -> tuple[str, ...]:
        """By the brights that may be carried into the month (B2)."""
        carried = self.carried
        if self.number > self.house.months:
            carried = carried - {Carried()}
        return tuple(
            ba for ba in SHEET_GRADES if any(any(self._next(one, [ba])) for one in carried)
        )

    def next_by(self, month: Month, lines: Sequence[PaymentLine]) -> Sequence[int]:
        """Return the winner of the month by its lines (B13, B14)."""
        shiso = [line.seat for line in lines if "shiso" in line.yaku and self.house.shiso_ends]
        seats = turn_order(month.dealer, len(self.seats))
        winner = None if shiso else self._winner(seats, lines, ())
        return (winner,) if winner else ()

    # A month --------------------------------------------------------------------------------------

    def judge(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> DealResult | None:
        """Check the grade, the lines by who may have played, and who deals next."""
        if not lines and self.open_end:
            return None
        check_once(lines, POINTS, MONTH, "mizuten")
        if self.number > self.house.months:  # 越年: something must have been carried on
            self.carried.discard(Carried())
        shiso = [line.seat for line in lines if "shiso" in line.yaku and self.house.shiso_ends]
        is_over = bool(shiso or month.stone) or not self.open_end
        fitting = self._fitting(month, lines, is_over=is_over, ended=bool(shiso))
        bounds = {one.strongest for one in self.carried if any(self._next(one, fitting))}
        self.carried = {after for one in self.carried for after in self._next(one, fitting)}
        seats = turn_order(month.dealer, len(self.seats))
        winner = self._winner(seats, lines, shiso)
        for line in lines:
            if line.label == "ori" and line.seat != winner:
                raise Illegal(sheet_codes.SHEET_FEES_TO, where=line.where, due=winner)
        summed = any(line.label == MONTH for line in lines)
        if summed:
            winner = month.stone or (following.dealer if following else None)
        due = None if shiso else winner
        if shiso and month.stone is not None:
            raise Illegal(sheet_codes.SHEET_STONE_SHISO, where="stone")
        if due:
            self.check_stone(month, due)
        if self.stones and not shiso and month.stone is None and not (summed and due):
            if self.open_end:
                return None
            raise Illegal(sheet_codes.SHEET_STONE_MISSING, month=month.month)
        self.number += 1
        self.ended = bool(shiso)
        bound = bounds.pop() if len(bounds) == 1 else None
        return self.result(month, due, winner=winner, bound=bound)

    def _winner(
        self, seats: Sequence[int], lines: Sequence[PaymentLine], shiso: Sequence[int]
    ) -> int | None:
        """Who wins the month: 四三 that ends it, captured yaku, special yaku that are paid most,
        card points; of equals the earlier in play order (B13, B14).
        """
        if shiso:
            return next(seat for seat in seats if seat in shiso)
        paid = [line for line in lines if not line.void]
        for wanted in (PaymentKind.CAPTURED, PaymentKind.SPECIAL, POINTS):
            sums = {
                seat: sum(
                    line.amounts[seat - 1] for line in paid if wanted in (line.kind, line.label)
                )
                for seat in seats
            }
            if any(sums.values()):
                return max(seats, key=sums.__getitem__)
        fees = [line.seat for line in paid if line.label == "ori"]
        return fees[0] if fees else None

    # Grades ---------------------------------------------------------------------------------------

    def _next(self, carried: Carried, grades: Sequence[str]) -> Iterator[Carried]:
        """What may be carried on from a month of one of these grades."""
        for absolutes, larges in _FIELDS:
            grade, after = Carried(carried.absolutes + absolutes, carried.larges + larges).join(0)
            if (f"{grade}2" if any(after) else grade) in grades:
                yield Carried(min(after.absolutes, _MOST), min(after.larges, _MOST))

    def _fitting(
        self, month: Month, lines: Sequence[PaymentLine], *, is_over: bool, ended: bool
    ) -> list[str]:
        """Return the grades that all lines fit, with some three in play.

        ``ended``: 四三 ended the game. Raises Illegal if there are none.
        """
        fitting = []
        fault: Illegal | None = None
        for ba in self.written_grades(month):
            scale = SCALES["A"][ba.removesuffix("2")]
            try:
                self._check(month, lines, scale, is_over=is_over, ended=ended)
                sheet_month.check(lines, scale, self.month_rules, is_over=is_over)
            except Illegal as illegal:
                fault = fault or illegal
            else:
                fitting.append(ba)
        if not fitting and fault:
            raise fault
        return fitting

    def _check(
        self,
        month: Month,
        lines: Sequence[PaymentLine],
        scale: Scale,
        *,
        is_over: bool,
        ended: bool,
    ) -> None:
        captured = [line for line in lines if line.kind is PaymentKind.CAPTURED]
        for line in captured:
            if line.seat != captured[0].seat:
                raise Illegal(
                    sheet_codes.SHEET_WINNERS,
                    where=line.where,
                    label=line.label,
                    seat=line.seat,
                    due=captured[0].seat,
                )
        fault: Illegal | None = None
        for order in self._threes(month.dealer, lines, is_over=is_over, ended=ended):
            try:
                sheet_lines.check(lines, scale, self.house, month.dealer, order)
            except Illegal as illegal:
                fault = fault or illegal
            else:
                return
        if fault:
            raise fault

    def _threes(
        self, dealer: int, lines: Sequence[PaymentLine], *, is_over: bool, ended: bool
    ) -> list[tuple[int, ...]]:
        """Return those who may have played, in play order (S7). Raises Illegal if nobody may.

        In a complete month all who went out have paid for it: the first three of the others play.
        """
        seats = turn_order(dealer, len(self.seats))
        playing: dict[int, PaymentLine] = {}
        out: dict[int, PaymentLine] = {}
        shut_out: dict[int, PaymentLine] = {}
        for line in lines:
            paid = [seat for seat in seats if line.amounts[seat - 1]]
            if line.label == "ori":
                out |= {seat: line for seat in paid if seat != line.seat}
            elif line.label == "oikomi":
                shut_out[line.seat] = line
                playing |= {seat: line for seat in paid if seat != line.seat}
            elif line.label in ("mizuten", MONTH) or (ended and "shiso" in line.yaku):
                playing |= {line.seat: line} if line.seat else {}
            else:
                playing |= dict.fromkeys(paid, line)
        summed = any(line.label == MONTH for line in lines)
        first = tuple(seat for seat in seats if seat not in out)[:3]
        orders = [
            order
            for order in ([first] if is_over and not summed else combinations(seats, 3))
            if playing.keys() <= set(order) and not (out.keys() | shut_out.keys()) & set(order)
        ]
        if not orders or out.keys() & shut_out.keys() or len(out) > len(seats) - 3:
            wrong = [*(out.keys() & shut_out.keys()), *(seat for seat in playing if seat in out)]
            wrong += [seat for seat in shut_out if seat in first]
            wrong += [seat for seat in playing if seat not in first] or list(out)
            line = shut_out.get(wrong[0]) or playing.get(wrong[0]) or out[wrong[0]]
            raise Illegal(sheet_codes.SHEET_SEATS, where=line.where, seat=wrong[0])
        return orders


def _as_shown(amount: int) -> int:
    """What a sum is on the site if it is written as the site shows it, where mon are never
    negative.
    """
    kan, mon = divmod(-amount, KAN)
    return mon - kan * KAN if kan > 0 and mon else amount
