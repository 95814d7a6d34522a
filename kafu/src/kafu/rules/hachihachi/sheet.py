"""Score sheets of 三人はちはち (記入式): all that a sheet can show (kafu.md §6, H24, H25).

A sheet has no cards: payments, field grades and month stones are taken as given. A violation of H24
is a fault; anything else unexpected in its payments is a remark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from kafu.notation.game import Month
from kafu.notation.vocabulary import KAN
from kafu.rules import grades, sheet_codes
from kafu.rules.hachihachi import hands, sheet_lines, sheet_month, sheet_sums, year
from kafu.rules.hachihachi.state import YAKU
from kafu.rules.play.actions import Illegal
from kafu.rules.rulesets import complete_options
from kafu.rules.sheets.form import Remark, Sheet
from kafu.rules.sheets.lines import MONTH, POINTS, PaymentKind, PaymentLine, check_once
from kafu.rules.sheets.offers import Chosen, Offer, Playing
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
#: Dealt hands by count of a month that does not end the year (H6).
_COUNTS: Final = {id: kan for id, kan in hands.COUNT.items() if id != sheet_month.SHISO}


class HachihachiSheet(Sheet):
    """A year's sheet: ``bounds`` are the 二代しばり that may be carried into the next month, more
    than one if a grade was not written.
    """

    unit: ClassVar[int] = KAN
    kan: ClassVar[bool] = True
    graded: ClassVar[bool] = True
    stones = True
    joined: ClassVar[frozenset[PaymentKind]] = frozenset(
        (PaymentKind.DEALT, PaymentKind.CAPTURED, PaymentKind.SPECIAL)
    )

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(3)
        house = complete_options("hachihachi", options)
        self.scales, self.etsunen = grades.SCALES[house["ba"]], house["etsunen"] == "yes"
        self.bounds: set[str | None] = {None}
        self.shiso: tuple[int, ...] = ()
        self.after: list[str] = []

    @property
    def is_over(self) -> bool:
        """After 四三 (H6), or after December, with 越年 only if no 二代しばり can hold (H21).

        While the record goes on, one that may hold does.
        """
        return self._is_over(free=self.bounds == {None})

    @property
    def may_be_over(self) -> bool:
        """The same at the end of the record: a 二代しばり that need not hold does not."""
        return self._is_over(free=None in self.bounds)

    def _is_over(self, *, free: bool) -> bool:
        done = len(self.deals) >= _MONTHS
        return bool(self.shiso) or (done and (free or not self.etsunen))

    def settle(self) -> tuple[int, ...]:
        """The year by H20 and H6; without the last stone nobody can say it."""
        stones = [sum(deal.next_dealer == seat for deal in self.deals) for seat in _SEATS]
        return year.settle(self.totals, stones, self.deals[-1].dealer, self.shiso)

    def kind(self, yaku: tuple[str, ...]) -> PaymentKind | None:
        """As in `Sheet`."""
        return sheet_lines.kind(yaku)

    def offers(
        self, ba: str | None, playing: Playing, chosen: Sequence[Chosen] = ()
    ) -> tuple[Offer, ...]:
        """Dealt hands, captured and special yaku, 飛込み and 抜け at this grade."""
        scale = self.scales[(ba or "small").removesuffix("2")]
        return sheet_lines.offers(scale, playing.dealer)

    def grades_due(self) -> tuple[str, ...]:
        """By the 二代しばり that may be carried into the month (H1)."""
        bounds = self.bounds - {None} if self.number > _MONTHS else self.bounds
        return tuple(ba for ba in AFTER[None] if any(ba in AFTER[bound] for bound in bounds))

    def paid_points(
        self, captured: tuple[int, ...], ba: str | None, playing: Playing
    ) -> tuple[int, ...]:
        """With the factor of the grade (H17, H18)."""
        scale = self.scales[(ba or "small").removesuffix("2")]
        return scale.card_points(self.deviations(captured, playing))

    def next_by(self, month: Month, lines: Sequence[PaymentLine]) -> Sequence[int]:
        """Return who can deal next by the payments (H19), no one after 四三 (H6)."""
        if any("shiso" in line.yaku and not line.void for line in lines):
            return ()
        return self._dealers_after(month, lines, [month.ba] if month.ba else self.grades_due())

    def _dealers_after(
        self, month: Month, lines: Sequence[PaymentLine], grades: Sequence[str]
    ) -> list[int]:
        """Return who can deal next by the payments, the grade being one of these (H19)."""
        scales = {self.scales[ba.removesuffix("2")] for ba in grades}
        return sorted(
            {
                seat
                for scale in scales
                for seat in sheet_month.next_dealers(lines, scale, month.dealer)
            }
        )

    def leaves_trace(self, line: Line, ledger: Sequence[Line]) -> bool:
        """Leave out what a void-show returned: special yaku strike out, and never a 四三 (H22)."""
        is_special = any(
            sheet_lines.SPECIAL.keys() & set(other.label.split("+")) for other in ledger
        )
        return not line.void or (is_special and "shiso" not in line.label.split("+"))

    def check_dealer(self, month: Month) -> None:
        """The owner of the stone deals (H19, H25). The grade is looked at before the payments."""
        if self.dealer and month.dealer != self.dealer:
            raise Illegal(
                sheet_codes.SHEET_STONE_WRONG,
                expected=(str(self.dealer),),
                seat=month.dealer,
                due=self.dealer,
            )
        if self.number > _MONTHS:  # 越年: something must have been carried on
            self.bounds.discard(None)
        self.after = self.written_grades(month)

    def judge(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> DealResult | None:
        """Check grade, payments and stone."""
        check_once(lines, POINTS, MONTH)
        stone = month.stone
        if stone is None and following and any(line.label == MONTH for line in lines):
            stone = following.dealer
        paid = [line for line in lines if not line.void]
        self.shiso = tuple(line.seat for line in paid if "shiso" in line.yaku)
        is_over = bool(self.shiso or stone) or not self.open_end
        fitting = self._fitting(month, lines, is_over=is_over)
        bound = {bound for bound in self.bounds if set(fitting) & set(AFTER[bound])}
        self.bounds = {_CARRIES.get(ba) for ba in fitting}
        if self.shiso and month.stone is not None:
            raise Illegal(sheet_codes.SHEET_STONE_SHISO, where="stone")
        if not self.shiso and stone is None:
            if self.open_end:
                return None
            raise Illegal(sheet_codes.SHEET_STONE_MISSING, month=month.month)
        self._remark(month, lines, fitting)
        self.number += 1
        carried = bound.pop() if len(bound) == 1 else None
        return self.result(month, stone, winner=stone or self.shiso[0], bound=carried)

    def _fitting(self, month: Month, lines: Sequence[PaymentLine], *, is_over: bool) -> list[str]:
        """Return the grades that all lines fit. Raises Illegal if there are none."""
        fitting: list[str] = []
        faults: list[Illegal] = []
        for ba in self.after:
            scale = self.scales[ba.removesuffix("2")]
            try:
                for line in lines:
                    sheet_lines.check(line, scale, month.dealer)
                    if line.label == MONTH:
                        sheet_sums.check_sum(line, scale, YAKU, _COUNTS)
                sheet_month.check(lines, scale, sheet_month.HACHIHACHI, is_over=is_over)
            except Illegal as fault:
                faults.append(fault)
            else:
                fitting.append(ba)
        if not fitting:
            raise faults[0]
        return fitting

    def _remark(self, month: Month, lines: Sequence[PaymentLine], grades: Sequence[str]) -> None:
        """Note a stone that is unexpected by the payments, which they cannot disprove (H19)."""
        due = self._dealers_after(month, lines, grades)
        if month.stone is not None and due and month.stone not in due:
            names = tuple(map(str, due))
            values = {"seat": month.stone, "due": " / ".join(names)}
            self.remarks.append(Remark(sheet_codes.SHEET_STONE_DOUBTFUL, "stone", values, names))
