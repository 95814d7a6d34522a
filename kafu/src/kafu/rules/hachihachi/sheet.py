"""Score sheets of 三人はちはち (記入式): the checks that a sheet allows (kafu.md §6, H24, H25).

A sheet has no cards: payments, field grades and month stones are taken as given. A violation of H24
is a fault; other unexpected payments give a remark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import ClassVar, Final

from kafu.notation.game import Month
from kafu.notation.vocabulary import KAN
from kafu.rules import codes, grades
from kafu.rules.hachihachi import sheet_lines, year
from kafu.rules.hachihachi.payments import PAYMENTS
from kafu.rules.hachihachi.sheet_cards import HachihachiMonth, list_brights
from kafu.rules.hachihachi.year import SPECIALS
from kafu.rules.payments import POINTS, PaymentKind
from kafu.rules.play.actions import Illegal
from kafu.rules.play.seating import turn_order
from kafu.rules.rulesets import complete_options
from kafu.rules.sheets.form import GameSheet, Remark
from kafu.rules.sheets.lines import MONTH, PaymentLine, check_line, check_once, list_grades
from kafu.rules.sheets.offers import Playing
from kafu.rules.sheets.sums import check_sum
from kafu.rules.verdict import DealResult, Line

#: The field grades that may follow, by the 二代しばり carried into the month (H1). ``large2`` and
#: ``absolute2`` are months in which one arises (H24).
AFTER: Final[Mapping[str | None, tuple[str, ...]]] = {
    None: ("small", "large", "large2", "absolute", "absolute2"),
    "large": ("large", "large2", "absolute", "absolute2"),
    "absolute": ("absolute", "absolute2"),
}
_CARRIES: Final = {"large2": "large", "absolute2": "absolute"}
_SEATS: Final = (1, 2, 3)
_MONTHS: Final = 12


class HachihachiSheet(GameSheet):
    """The score sheet of a year.

    ``bounds`` are the 二代しばり that may be carried into the next month; there are several if a
    grade was not written. ``shiso`` are the makers of 四三, ``after`` the possible grades of the
    month.
    """

    unit: ClassVar[int] = KAN
    kan: ClassVar[bool] = True
    stones = True
    joined: ClassVar[frozenset[PaymentKind]] = frozenset(
        (PaymentKind.DEALT, PaymentKind.CAPTURED, PaymentKind.SPECIAL)
    )

    def __init__(self, options: Mapping[str, str]) -> None:
        """Create the sheet before January."""
        house = complete_options("hachihachi", options)
        super().__init__(3, PAYMENTS, grades.SCALES[house["ba"]])
        self.etsunen = house["etsunen"] == "yes"
        self.bounds: set[str | None] = {None}
        self.shiso: tuple[int, ...] = ()
        self.after: Sequence[str] = ()

    @property
    def is_over(self) -> bool:
        """Return whether the year is over, with more months on the record.

        It is after 四三 (H6), or after December, with 越年 only if no 二代しばり can be carried
        (H21).
        """
        return self._is_over(free=self.bounds == {None})

    @property
    def may_be_over(self) -> bool:
        """Return whether the year may be over at the end of the record.

        With 越年 it may if a 二代しばり need not be carried.
        """
        return self._is_over(free=None in self.bounds)

    def _is_over(self, *, free: bool) -> bool:
        """Return whether the year is over; ``free`` says that no 二代しばり is carried."""
        is_december_over = len(self.deals) >= _MONTHS
        return bool(self.shiso) or (is_december_over and (free or not self.etsunen))

    def settle(self) -> tuple[int, ...]:
        """Return the result of the year (H6, H20)."""
        stones = [sum(deal.next_dealer == seat for deal in self.deals) for seat in _SEATS]
        return year.settle(self.totals, stones, self.deals[-1].dealer, self.shiso)

    def grades_due(self) -> tuple[str, ...]:
        """Return the possible grades by the 二代しばり that may be carried into the month (H1)."""
        bounds = self.bounds - {None} if self.number > _MONTHS else self.bounds
        return tuple(ba for ba in AFTER[None] if any(ba in AFTER[bound] for bound in bounds))

    def next_by(self, month: Month, lines: Sequence[PaymentLine]) -> Sequence[int]:
        """Return the possible next dealers by the payments (H19), none after 四三 (H6)."""
        if any("shiso" in line.yaku and not line.void for line in lines):
            return ()
        return self._find_next_dealers(month, lines, [month.ba] if month.ba else self.grades_due())

    def _find_next_dealers(
        self, month: Month, lines: Sequence[PaymentLine], grades: Sequence[str]
    ) -> list[int]:
        """Return the possible next dealers by the payments, at any of these grades (H19)."""
        months = [self._read_month(month, lines, ba) for ba in grades]
        return sorted({seat for paid in months for seat in paid.list_next_dealers()})

    def _read_month(
        self,
        month: Month,
        lines: Sequence[PaymentLine],
        ba: str,
        bound: str | None = None,
        *,
        is_over: bool = False,
    ) -> HachihachiMonth:
        """Return the lines of a month of a grade, into which ``bound`` is carried."""
        order, brights = turn_order(month.dealer, 3), list_brights(ba, bound)
        return HachihachiMonth(lines, self.list_payments(ba), order, is_over, brights)

    def leaves_trace(self, line: Line, ledger: Sequence[Line]) -> bool:
        """Return whether a ledger line stands on the sheet: not if a void-show returned it (H22).

        Other void lines are struck out by special yaku, which never strike out 四三.
        """
        is_special = any(
            SPECIALS.keys() & set(ledger_line.label.split("+")) for ledger_line in ledger
        )
        return not line.void or (is_special and "shiso" not in line.label.split("+"))

    def check_dealer(self, month: Month) -> None:
        """Check that the owner of the stone deals (H19, H25), and find the possible grades."""
        if self.dealer and month.dealer != self.dealer:
            raise Illegal(
                codes.SHEET_STONE_WRONG,
                expected=(str(self.dealer),),
                seat=month.dealer,
                due=self.dealer,
            )
        if self.number > _MONTHS:  # 越年: a month follows only if a 二代しばり is carried
            self.bounds.discard(None)
        self.after = list_grades(month, self.grades_due())

    def judge(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> DealResult | None:
        """Check the grade, the payments and the stone of a month."""
        check_once(lines, POINTS, MONTH)
        stone = month.stone
        if stone is None and following and any(line.label == MONTH for line in lines):
            stone = following.dealer
        paid = [line for line in lines if not line.void]
        self.shiso = tuple(line.seat for line in paid if "shiso" in line.yaku)
        is_over = bool(self.shiso or stone) or not self.open_end
        fitting = self._find_fitting_grades(month, lines, is_over=is_over)
        bounds = {bound for bound, _ in fitting}
        grades_fitting = sorted({ba for _, ba in fitting}, key=AFTER[None].index)
        self.bounds = {_CARRIES.get(ba) for ba in grades_fitting}
        if self.shiso and month.stone is not None:
            raise Illegal(codes.SHEET_STONE_SHISO, where="stone")
        if not self.shiso and stone is None:
            if self.open_end:
                return None
            raise Illegal(codes.SHEET_STONE_MISSING, month=month.month)
        self._remark_on_stone(month, lines, grades_fitting)
        self.number += 1
        carried = bounds.pop() if len(bounds) == 1 else None
        return self.result(month, stone, winner=stone or self.shiso[0], bound=carried)

    def _find_fitting_grades(
        self, month: Month, lines: Sequence[PaymentLine], *, is_over: bool
    ) -> list[tuple[str | None, str]]:
        """Return the carried 二代しばり and grades that all lines fit.

        Raise Illegal if there are none.
        """
        fitting: list[tuple[str | None, str]] = []
        faults: list[Illegal] = []
        for ba, bound in product(self.after, sorted(self.bounds, key=str)):
            if ba not in AFTER[bound]:
                continue
            try:
                for line in lines:
                    self._check_line(line, ba, month.dealer)
                paid = self._read_month(month, lines, ba, bound, is_over=is_over)
                if line_of_sum := paid.find_line(MONTH):
                    check_sum(line_of_sum, paid.list_sums(line_of_sum.amounts), kan=True)
                else:
                    self.witness = paid.check()
            except Illegal as fault:
                faults.append(fault)
            else:
                fitting.append((bound, ba))
        if not fitting:
            raise faults[0]
        return fitting

    def _check_line(self, line: PaymentLine, ba: str, dealer: int) -> None:
        """Raise Illegal unless the amounts of a line fit the payments at a grade (H24)."""
        payments = self.list_payments(ba)
        if line.seat:
            playing = Playing(dealer, turn_order(dealer, 3), 3)
            check_line(line, payments, playing, kan=True)
        elif line.label == POINTS:
            sheet_lines.check_factor(line, payments.scale)

    def _remark_on_stone(
        self, month: Month, lines: Sequence[PaymentLine], grades: Sequence[str]
    ) -> None:
        """Note a stone that the payments make unlikely but cannot disprove (H19)."""
        due = self._find_next_dealers(month, lines, grades)
        if month.stone is not None and due and month.stone not in due:
            names = tuple(map(str, due))
            values = {"seat": month.stone, "due": " / ".join(names)}
            self.remarks.append(Remark(codes.SHEET_STONE_DOUBTFUL, "stone", values, names))
