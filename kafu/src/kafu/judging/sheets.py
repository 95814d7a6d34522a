"""Score sheets of 三人はちはち (記入式): checks all that a sheet can show (kafu.md §6, H24, H25).

A sheet has no cards: payments, field grades and month stones are taken as given. A violation of H24
is a fault; anything else unexpected in its payments is a warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from kafu.judging import sheet_lines
from kafu.judging.places import placed
from kafu.judging.playthrough import Outcome
from kafu.judging.sheet_lines import PaymentKind, PaymentLine
from kafu.notation.faults import Code, Fault
from kafu.notation.game import Game, Month
from kafu.notation.vocabulary import KAN
from kafu.rules import codes, grades, sheet_codes
from kafu.rules.defaults import completed
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi import year as hachihachi_year
from kafu.rules.play.actions import Illegal
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


class End(NamedTuple):
    """The result of a sheet: the settlement in points, None while the year is not over."""

    final: tuple[int, ...] | None = None


def check(game: Game) -> Outcome:
    """Check a sheet, up to its end or the first fault. Never raises: see `Outcome.fault`."""
    checker = _Checker(game)
    try:
        checker.run()
    except Illegal as illegal:
        checker.outcome.fault = checker.fault(
            illegal.code, illegal.where or "month", illegal.values, illegal.expected
        )
    return checker.outcome


class _Checker:
    """The state of checking a sheet: ``bounds`` are the 二代しばり that may be carried into the
    next month, more than one if a grade was not written.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        house = completed(game.rules, game.options)
        self.scales, self.etsunen = grades.SCALES[house["ba"]], house["etsunen"] == "yes"
        self.outcome = Outcome(replace(game, months=list(game.months)), End(), unit=KAN)
        self.number = 1
        self.bounds: set[str | None] = {None}
        self.stone: int | None = None
        self.shiso: tuple[int, ...] = ()

    def run(self) -> None:
        months = self.game.months
        open_end = self.game.termination != "normal"
        for number, month in enumerate(months, start=1):
            self.number = number
            self._month(month, open_end=open_end and number == len(months))
        if self._is_over(free=None in self.bounds):
            self.outcome.state = End(self._settle())
            return
        self.outcome.stopped = True
        if not open_end:
            raise Illegal(codes.GAME_SHORT)

    def fault(
        self,
        code: Code,
        where: str,
        values: Mapping[str, Any],
        expected: tuple[str, ...] = (),
    ) -> Fault:
        """A fault of the current month, at one of its statements."""
        fault = Fault(code, None, None, self.number, None, values, expected, (where,))
        return placed(fault, self.game)

    def _is_over(self, *, free: bool) -> bool:
        """Whether the year is over: after 四三 (H6), or after December, with 越年 only if ``free``
        of a 二代しばり (H21).
        """
        done = len(self.outcome.deals)
        return bool(self.shiso) or (done >= _MONTHS and (free or not self.etsunen))

    def _month(self, month: Month, *, open_end: bool) -> None:
        self._due(month)
        after = self._grades(month)
        lines = [
            sheet_lines.understand(payment, f"pay.{i}") for i, payment in enumerate(month.payments)
        ]
        points = [f"pay.{i}" for i, line in enumerate(lines) if line.kind is PaymentKind.POINTS]
        if len(points) > 1:
            raise Illegal(sheet_codes.SHEET_POINTS_TWICE, where=points[1])
        fitting = self._fitting(month, lines, after)
        bound = {one for one in self.bounds if set(fitting) & set(AFTER[one])}
        self.bounds = {_CARRIES.get(ba) for ba in fitting}
        paid = [line for line in lines if not line.void]
        self.shiso = tuple(line.seat for line in paid if "shiso" in line.yaku)
        if self.shiso and month.stone is not None:
            raise Illegal(sheet_codes.SHEET_STONE_SHISO, where="stone")
        if not self.shiso and month.stone is None:
            if open_end:
                return
            raise Illegal(sheet_codes.SHEET_STONE_MISSING, month=month.month)
        self.stone = month.stone
        self.outcome.warnings += self._remarks(month, lines)
        ledger = tuple(Line(one.label, one.amounts, one.void) for one in month.payments)
        score = tuple(sum(one.amounts[i] for one in ledger if not one.void) for i in range(3))
        self.outcome.deals.append(
            DealResult(
                month.month,
                month.dealer,
                month.ba,
                bound.pop() if len(bound) == 1 else None,
                ledger,
                score,
                month.stone,
                "sheet",
                month.stone or self.shiso[0],
            )
        )

    def _due(self, month: Month) -> None:
        """The next month is due, dealt by the owner of the stone (H19); the first dealer is
        free.
        """
        if self._is_over(free=self.bounds == {None}):
            raise Illegal(codes.GAME_OVER)
        if month.month != self.number:
            raise Illegal(
                codes.MONTH_DUE,
                expected=(str(self.number),),
                month=month.month,
                due=self.number,
            )
        if self.stone is not None and month.dealer != self.stone:
            raise Illegal(
                sheet_codes.SHEET_STONE_WRONG,
                expected=(str(self.stone),),
                seat=month.dealer,
                due=self.stone,
            )
        if self.number > _MONTHS:  # 越年: something must have been carried on
            self.bounds.discard(None)

    def _grades(self, month: Month) -> list[str]:
        """The possible grades of the month: the written one, if it is possible."""
        due = [ba for ba in AFTER[None] if any(ba in AFTER[bound] for bound in self.bounds)]
        if month.ba is None:
            return due
        if month.ba not in due:
            raise Illegal(
                sheet_codes.SHEET_BA,
                where="ba",
                expected=tuple(due),
                grade=month.ba,
                due=" / ".join(due),
            )
        return [month.ba]

    def _fitting(self, month: Month, lines: list[PaymentLine], after: list[str]) -> list[str]:
        """Those of the grades that all lines fit. Raises Illegal if there are none."""
        fitting: list[str] = []
        faults: list[Illegal] = []
        for ba in after:
            scale = self.scales[ba.removesuffix("2")]
            try:
                for i, (line, payment) in enumerate(zip(lines, month.payments, strict=True)):
                    sheet_lines.check(line, payment, scale, month.dealer, f"pay.{i}")
            except Illegal as fault:
                faults.append(fault)
            else:
                fitting.append(ba)
        if not fitting:
            raise faults[0]
        return fitting

    def _settle(self) -> tuple[int, ...]:
        deals = self.outcome.deals
        totals = [sum(deal.score[i] for deal in deals) for i in range(3)]
        stones = [sum(deal.next_dealer == seat for deal in deals) for seat in _SEATS]
        return hachihachi_year.settle(totals, stones, deals[-1].dealer, self.shiso)

    def _remarks(self, month: Month, lines: list[PaymentLine]) -> Iterator[Fault]:
        """Warnings for payments that are unexpected by the rules, but that a sheet cannot
        disprove.
        """
        paid = [line for line in lines if not line.void]
        special = any(line.kind is PaymentKind.SPECIAL for line in paid)
        for i, line in enumerate(lines):
            values = {"label": month.payments[i].label, "seat": line.seat}
            if (
                special
                and not line.void
                and line.kind not in (PaymentKind.SPECIAL, PaymentKind.CAPTURED)
            ):
                yield self.fault(sheet_codes.SHEET_NOT_STRUCK, f"pay.{i}", values)
            if not _is_grounded(line, lines):
                yield self.fault(sheet_codes.SHEET_GROUNDLESS, f"pay.{i}", values)
        due = _next_dealers(month, lines)
        if month.stone is not None and due and month.stone not in due:
            names = tuple(map(str, due))
            values = {"seat": month.stone, "due": " / ".join(names)}
            yield self.fault(sheet_codes.SHEET_STONE_DOUBTFUL, "stone", values, names)


def _is_grounded(line: PaymentLine, lines: list[PaymentLine]) -> bool:
    """飛込み and 抜け belong to a declared dealt hand of the same player (H15, H17)."""
    grounds = {
        PaymentKind.TOBIKOMI: hachihachi_hands.TOBIKOMI,
        PaymentKind.NUKE: hachihachi_hands.NUKE,
    }
    ground = grounds.get(line.kind)
    return ground is None or any(
        one.seat == line.seat and one.kind is PaymentKind.DEALT and ground & set(one.yaku)
        for one in lines
    )


def _next_dealers(month: Month, lines: list[PaymentLine]) -> list[int]:
    """Who can deal next by the payments, empty if they do not show it: the maker of the special
    yaku who is paid most, else a maker of captured yaku, else most card points (H19).
    """
    sums = dict.fromkeys(_SEATS, 0)
    for kind in (PaymentKind.SPECIAL, PaymentKind.CAPTURED, PaymentKind.POINTS):
        found = [
            (line, payment)
            for line, payment in zip(lines, month.payments, strict=True)
            if line.kind is kind and not line.void
        ]
        for line, payment in found:
            for seat in _SEATS:
                if line.seat in (0, seat):
                    sums[seat] += payment.amounts[seat - 1]
        if found and kind is PaymentKind.CAPTURED:
            return [seat for seat in _SEATS if sums[seat]]
        if found:
            return [seat for seat in _SEATS if sums[seat] == max(sums.values())]
    return []
