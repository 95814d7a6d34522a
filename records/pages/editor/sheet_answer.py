"""A score sheet that is being written, as its page and the API show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, TypedDict

from django.utils.translation import gettext as _

from kafu.editing.sheet_forms import WrittenSheet
from kafu.editing.sheet_months import MonthFault, OfferedMonth, WrittenMonth
from kafu.notation.json_types import OneOf, SheetGrade
from kafu.notation.reading import amounts
from kafu.rules.names import STEPS
from kafu.rules.rulesets import RULESETS
from kafu.rules.sheets.lines import PaymentKind
from kafu.rules.sheets.offers import Offer
from records.base import labels
from records.pages.editor.answer import BeingWritten, verdict_of
from records.pages.game.payments import amount
from records.pages.game.score_sheet import DrawnGroup, DrawnHead, drawn


class MonthFaultJson(TypedDict):
    """What is wrong in a month, or doubtful, at a field of what was sent."""

    month: Annotated[int, "The number of the month in `months`, from 1."]
    field: Annotated[str, "`dealer`, `ba`, `line.0`, `points`, `sums`, `stone` or `month`."]
    code: str
    message: str
    expected: list[str]
    doubt: bool


class WrittenLine(TypedDict):
    """A line of the sheet. `of` are the numbers of the payments that it was made of."""

    label: str
    name: str
    amounts: list[int]
    amounts_words: list[str]
    void: bool
    of: list[int]


class WrittenMonthJson(TypedDict):
    """A month as it stands on the sheet. `done`: it is judged and over."""

    month: int
    name: str
    dealer: int
    ba: SheetGrade | None
    stone: int | None
    order: Annotated[list[int], "Who plays."]
    lines: list[WrittenLine]
    points: list[int] | None
    captured: list[int] | None
    score: list[int]
    score_words: list[str]
    totals: list[int]
    totals_words: list[str]
    done: bool


class OfferedGrade(TypedDict):
    """A field grade."""

    id: SheetGrade
    name: str


class BarJson(TypedDict):
    """What keeps a seat from an offer: `label` of the seat `by`."""

    seat: int
    label: str
    name: str
    by: int


class OfferJson(TypedDict):
    """A payment that can be chosen. `gains` are what it can bring, the plain value first."""

    label: str
    name: str
    kind: Annotated[str, OneOf("OfferKind", [kind.value for kind in PaymentKind])]
    gains: list[str]
    gains_words: list[str]
    seats: Annotated[list[int], "Who may get it."]
    payers: Annotated[list[int], "Who may pay it alone."]
    halves: bool
    struck: bool
    marks: Annotated[bool, "Nothing is paid; who gets it deals next."]
    barred: list[BarJson]


class OfferedMonthJson(TypedDict):
    """What the month `at` may have."""

    number: int
    month: int
    dealers: list[int]
    grades: list[OfferedGrade]
    grade: SheetGrade | None
    stone: Annotated[bool, "Whether it is asked who deals next."]
    stones: Annotated[bool, "Whether who deals next puts a stone in."]
    points: Annotated[bool, "Whether card points are paid."]
    whole: Annotated[int, "What all cards count."]
    offers: list[OfferJson]


class DrawnSheet(TypedDict):
    """The sheet in the layout of its document, to be shown."""

    heads: list[list[DrawnHead]]
    groups: list[DrawnGroup]
    lead: Annotated[int, "Columns of the head of a group."]
    remarks: bool


class SettlementStep(TypedDict):
    """A step of the settlement, and the sums after it."""

    kind: Annotated[str, OneOf("SettlementStepKind", STEPS)]
    name: str
    amounts: list[int]
    amounts_words: list[str]
    sums: list[int]
    sums_words: list[str]


class WrittenSheetJson(BeingWritten):
    """The sheet as it stands now."""

    kafu: Annotated[str, "The canonical text."]
    over: Annotated[bool, "No month may follow."]
    may_end: Annotated[bool, "The game is whole as it stands."]
    due: Annotated[int | None, "Who deals next."]
    faults: list[MonthFaultJson]
    months: list[WrittenMonthJson]
    form: OfferedMonthJson
    table: DrawnSheet | None
    settlement: list[SettlementStep]


def sheet_answer(rules: str, players: Sequence[str], found: WrittenSheet) -> dict[str, Any]:
    """The sheet with its verdict, months, faults and what a month may have (docs/api.md has its
    shape).
    """
    names = [labels.person(name) for name in players]
    view = _View(rules, names)
    return {
        "kafu": found.text,
        **verdict_of(found.verification),
        "players": list(players),
        "over": found.is_over,
        "may_end": found.may_end,
        "due": found.due or None,
        "faults": [view.fault(one, doubt=False) for one in found.faults]
        + [view.fault(one, doubt=True) for one in found.doubts],
        "months": [view.month(one) for one in found.months],
        "form": view.form(found.offered),
        "table": _table(found),
        "settlement": [
            {
                "kind": step.kind,
                "name": labels.settlement_step(step.kind),
                **view.sums("amounts", step.amounts),
                **view.sums("sums", step.sums),
            }
            for step in found.settlement
        ],
    }


class _View:
    """What is shown of a ruleset's sheet, with these names by seat."""

    def __init__(self, rules: str, names: Sequence[str]) -> None:
        self.names = names
        self.units = labels.units(rules)
        self.kan = RULESETS[rules].kan

    def sums(self, name: str, sums: Sequence[int]) -> dict[str, Any]:
        """Sums in the small unit, and in words."""
        words = [amount(sum_, units=self.units) for sum_ in sums]
        return {name: list(sums), f"{name}_words": words}

    def fault(self, one: MonthFault, *, doubt: bool) -> MonthFaultJson:
        """What is wrong or doubtful, in words."""
        found = labels.fault(one.fault.to_stored(), self.names)
        assert found is not None
        return {
            "month": one.number,
            "field": one.field,
            "code": found["code"],
            "message": found["message"],
            "expected": found["expected"],
            "doubt": doubt,
        }

    def month(self, written: WrittenMonth) -> dict[str, Any]:
        """A month as it stands on the sheet."""
        month = written.month
        points, captured = (
            None if found is None else list(found) for found in (written.points, written.captured)
        )
        return {
            "month": month.month,
            "name": labels.month(month.month),
            "dealer": month.dealer,
            "ba": month.ba,
            "stone": month.stone,
            "order": list(written.playing.order),
            "lines": [
                {
                    "label": line.label,
                    "name": labels.yaku(line.label),
                    **self.sums("amounts", line.amounts),
                    "void": line.void,
                    "of": list(of),
                }
                for line, of in zip(month.payments, written.made_by, strict=True)
            ],
            "points": points,
            "captured": captured,
            **self.sums("score", written.score),
            **self.sums("totals", written.totals),
            "done": written.result is not None,
        }

    def form(self, offered: OfferedMonth) -> OfferedMonthJson:
        """What the month that is looked at may have."""
        return {
            "number": offered.number,
            "month": offered.month,
            "dealers": list(offered.dealers),
            "grades": [{"id": ba, "name": grade_name(ba)} for ba in offered.grades],
            "grade": offered.grade,
            "stone": offered.stone,
            "stones": offered.stones,
            "points": offered.points,
            "whole": offered.whole,
            "offers": [self.offer(offered, one) for one in offered.offers],
        }

    def offer(self, offered: OfferedMonth, offer: Offer) -> OfferJson:
        """A payment that can be chosen: for whom, its values, and what keeps somebody from it."""
        seats = offered.seats(offer)
        shares = offered.playing.shares(offer, seats[0]) if seats else 0
        gains = [each * shares for each in offer.each]
        bars = {seat: offered.bars.get((offer.label, seat)) for seat in seats}
        return {
            "label": offer.label,
            "name": labels.yaku(offer.label),
            "kind": offer.kind.value,
            "gains": [amounts.text(gain, self.kan) for gain in gains],
            "gains_words": [amount(gain, units=self.units) for gain in gains],
            "seats": list(seats),
            "payers": list(offered.payers(offer)),
            "halves": offer.halves,
            "struck": offer.struck,
            "marks": offer.marks,
            "barred": [
                {"seat": seat, "label": bar.label, "name": labels.yaku(bar.label), "by": bar.seat}
                for seat, bar in bars.items()
                if bar is not None
            ],
        }


def _table(found: WrittenSheet) -> dict[str, Any] | None:
    """The sheet as it is drawn on its own page."""
    game, verdict = found.verification.game, found.verification.verdict
    table = drawn(game, verdict.to_stored()) if game is not None else None
    if table is None:
        return None
    return {
        "heads": [[asdict(one) for one in head] for head in table.heads],
        "groups": [asdict(group) for group in table.groups],
        "lead": table.lead,
        "remarks": table.remarks,
    }


def grade_name(ba: str) -> str:
    """A grade; of a month in which a 二代しばり arises both."""
    if not ba.endswith("2"):
        return labels.grade(ba)
    return _("%(grade)s, carried over") % {"grade": labels.grade(ba.removesuffix("2"))}
