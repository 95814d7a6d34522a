"""Score sheets of 三人はちはち, and what those of 八八 have in common with them (H24, H25, S7).

A sheet has no cards: payments, field grades and month stones are taken as given. A violation of H24
is a fault; other unexpected payments give a remark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, ClassVar, Final, NamedTuple

from kafu import cards
from kafu.notation.game import Month
from kafu.notation.vocabulary import SHEET_GRADES
from kafu.rules import codes, grades
from kafu.rules.hachihachi import year
from kafu.rules.hachihachi.payments import PAYMENTS
from kafu.rules.hachihachi.sheet_cards import HachihachiMonth
from kafu.rules.hachihachi.sheet_check import HachiMonth
from kafu.rules.payments import PaymentKind, PaymentTable
from kafu.rules.play.actions import Illegal
from kafu.rules.rulesets import complete_options
from kafu.rules.sheets.dealt_hands import Brights
from kafu.rules.sheets.form import GameSheet, Remark
from kafu.rules.sheets.lines import MONTH, PaymentLine
from kafu.rules.sheets.month import check_any
from kafu.rules.sheets.offers import Playing
from kafu.rules.sheets.sums import check_sum

_ABSOLUTES: Final = tuple(cards.bits(grades.ABSOLUTE))
_LARGES: Final = tuple(cards.bits(grades.LARGE))
#: A field for each possible number of absolute and of large brights (H1, B2).
_FIELDS: Final = {
    (absolutes, larges): sum(_ABSOLUTES[:absolutes]) | sum(_LARGES[:larges])
    for absolutes, larges in product(range(3), range(4))
}


class SumOfThree(NamedTuple):
    """The part of a month's sum for the three in play, without the ``fees`` of the table."""

    order: tuple[int, ...]
    shut_out: tuple[int, ...]
    amounts: tuple[int, ...]
    fees: tuple[PaymentLine, ...]


class HachiSheet(GameSheet):
    """The score sheet of a hachi-hachi game, in which a grade may be carried on.

    ``carried`` are the possible carries of the ``sequence`` of grades into the next month, several
    if a grade was not written. ``etsunen``: months follow while one is carried.
    """

    kan: ClassVar[bool] = True
    joined: ClassVar[frozenset[PaymentKind]] = frozenset(
        (PaymentKind.DEALT, PaymentKind.CAPTURED, PaymentKind.SPECIAL)
    )
    sequence: ClassVar[grades.Grades]
    all_grades: ClassVar[tuple[str, ...]] = SHEET_GRADES
    etsunen: bool
    #: Makes a month of the fields of `HachiMonth`.
    make_month: Callable[..., HachiMonth]

    def __init__(
        self,
        players: int,
        payments: PaymentTable,
        scales: Mapping[str, grades.GradeScale],
        months: int,
    ) -> None:
        """Create the sheet before January."""
        super().__init__(players, payments, scales, months=months)
        self.free = self.sequence.of[None]
        self.carried = {self.free}

    def list_orders(
        self, month: Month, lines: Sequence[PaymentLine], *, is_over: bool
    ) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return the possible players in play order, each with the seats that are shut out."""
        return [(self.list_seats(month), ())]

    def list_sums(
        self, month: Month, line: PaymentLine, payments: PaymentTable
    ) -> Iterable[SumOfThree]:
        """Return the possible readings of a month's sum."""
        return [SumOfThree(self.list_seats(month), (), line.amounts, ())]

    @property
    def is_over(self) -> bool:
        """Return whether the year is over: with 越年 only if nothing is carried on (H21, B15)."""
        is_settled = bool(self.enders) or not self.etsunen or self.carried == {self.free}
        return super().is_over and is_settled

    @property
    def may_be_over(self) -> bool:
        """Return whether the year may be over: with 越年 it may if nothing need be carried."""
        return self.is_over or (super().is_over and self.free in self.carried)

    def grades_due(self) -> tuple[str, ...]:
        """Return the possible grades by what may be carried into the month (H1, B2)."""
        return tuple(ba for ba in self.all_grades if self._group_fields(ba))

    def _group_fields(self, ba: str | None) -> dict[tuple[Any, Any], set[tuple[int, int]]]:
        """Return the numbers of brights on fields of a grade, by the carries in and on."""
        groups: dict[tuple[Any, Any], set[tuple[int, int]]] = {}
        # 越年: a month follows only if a grade is carried
        carried = self.carried - {self.free} if self.number > self.months else self.carried
        for before, (brights, field) in product(sorted(carried, key=str), _FIELDS.items()):
            grade, after = self.step(field, before)
            if ba == (grade if after == self.free else f"{grade}2"):
                groups.setdefault((before, after), set()).add(brights)
        return groups

    def check_month(self, month: Month, lines: Sequence[PaymentLine], *, is_over: bool) -> None:
        """Raise Illegal unless cards make the month at a possible grade."""
        fitting: list[tuple[str | None, Any, Any]] = []
        fault: Illegal | None = None
        for ba in self.grades:
            groups = self._group_fields(ba)
            try:
                fields = self._find_fields(month, lines, ba, groups.values(), is_over=is_over)
            except Illegal as illegal:
                fault = fault or illegal
            else:
                fitting += [(ba, *carries) for carries, group in groups.items() if group & fields]
        if fault and not fitting:
            raise fault
        if self.enders and month.stone:
            raise Illegal(codes.SHEET_STONE_SHISO, where="stone")
        self.grades = list(dict.fromkeys(ba for ba, _, _ in fitting))
        self.carried = {after for _, _, after in fitting}
        bounds = {self.sequence.name(before) for _, before, _ in fitting}
        self.bound = bounds.pop() if len(bounds) == 1 else None

    def step(self, field: int, carried: Any) -> tuple[str, Any]:
        """Return the grade of a month with a field, and the carry into the month after it."""
        return self.sequence.step(field, carried)

    def _find_fields(
        self,
        month: Month,
        lines: Sequence[PaymentLine],
        ba: str | None,
        groups: Iterable[set[tuple[int, int]]],
        *,
        is_over: bool,
    ) -> set[tuple[int, int]]:
        """Return numbers of brights on the field with which cards make the month.

        They are of each group that has any. Raise Illegal if there are none.
        """
        payments, fitting = self.list_payments(ba), set[tuple[int, int]]()
        while left := [group for group in groups if fitting.isdisjoint(group)]:
            brights = frozenset[tuple[int, int]]().union(*left)
            try:
                if any(line.label == MONTH for line in lines):
                    questions = (
                        question
                        for order, shut_out, paid, fees in self.list_sums(month, lines[0], payments)
                        for question in self.make_month(
                            *((), payments, order, True, brights, shut_out)
                        ).list_sums(paid, fees)
                    )
                    witness = check_any([check_sum(lines[0], questions, kan=True)])
                else:
                    months = self._list_months(month, lines, payments, brights, is_over=is_over)
                    witness = self.witness = check_any(months)
            except Illegal:
                if not fitting:
                    raise
                break
            absolutes, larges = witness.field & grades.ABSOLUTE, witness.field & grades.LARGE
            fitting.add((absolutes.bit_count(), larges.bit_count()))
        return fitting

    def _list_months(
        self,
        month: Month,
        lines: Sequence[PaymentLine],
        payments: PaymentTable,
        brights: Brights,
        *,
        is_over: bool,
    ) -> list[HachiMonth]:
        """Return the months of the lines at a grade, by the players in play.

        Raise Illegal unless the lines fit the grade and some players.
        """
        months, faults = [], []
        for order, shut_out in self.list_orders(month, lines, is_over=is_over):
            try:
                self.check_lines(lines, payments, Playing(month.dealer, order, len(self.seats)))
            except Illegal as fault:
                faults.append(fault)
            else:
                months.append(self.make_month(lines, payments, order, is_over, brights, shut_out))
        if not months:
            raise faults[0]
        return months

    def list_next_dealers(
        self, month: Month, lines: Sequence[PaymentLine], named: int | None = None
    ) -> Sequence[int]:
        """Return the possible next dealers by the payments (H19, B13), none after 四三 (H6)."""
        if self.find_enders(month, lines):
            return ()
        months = (
            self.make_month(
                lines, self.list_payments(ba), self.list_seats(month), True, frozenset()
            )
            for ba in ((month.ba,) if month.ba else self.grades)
        )
        return [seat for paid in months for seat in paid.list_next_dealers()]

    def count_stones(self) -> list[int]:
        """Return the stones of each player in the finished months."""
        return [sum(deal.next_dealer == seat for deal in self.deals) for seat in self.seats]


class HachihachiSheet(HachiSheet):
    """The score sheet of a year."""

    stones = True
    sequence = grades.BOUND_GRADES
    dealer_code = codes.SHEET_STONE_WRONG
    make_month = HachihachiMonth
    all_grades = ("small", "large", "large2", "absolute", "absolute2")

    def __init__(self, options: Mapping[str, str]) -> None:
        """Create the sheet before January."""
        house = complete_options("hachihachi", options)
        super().__init__(3, PAYMENTS, grades.SCALES[house["ba"]], 12)
        self.etsunen = house["etsunen"] == "yes"

    def settle(self) -> tuple[int, ...]:
        """Return the result of the year (H6, H20)."""
        return year.settle(self.totals, self.count_stones(), self.deals[-1].dealer, self.enders)

    def check_stone(self, month: Month, dealers: Sequence[int]) -> None:
        """Note a stone that the payments make unlikely but cannot disprove (H19)."""
        if month.stone and dealers and month.stone not in dealers:
            names = tuple(map(str, sorted({*dealers})))
            values = {"seat": month.stone, "due": " / ".join(names)}
            self.remarks.append(Remark(codes.SHEET_STONE_DOUBTFUL, "stone", values, names))
