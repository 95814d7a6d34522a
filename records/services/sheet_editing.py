"""Responses about a score sheet in progress, for the page and the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any, Final, TypedDict

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from kafu import cards
from kafu.editing.sheet_forms import (
    MonthFault,
    MonthWanted,
    OfferedMonth,
    WrittenMonth,
    WrittenSheet,
    write_sheet,
)
from kafu.notation.json_types import OneOf, SheetGrade
from kafu.notation.reading import amounts
from kafu.rules.names import STEPS
from kafu.rules.payments import PaymentKind, PaymentRow
from kafu.rules.rulesets import RULESETS
from kafu.rules.sheets.witness import Witness
from records.base import labels
from records.services.editing import BeingWritten, verdict_of
from records.wording.sheets import DrawnGroup, DrawnHead, draw_sheet
from records.wording.steps import amount

#: Sentences for faults that the form itself can have, by code and field.
_SENTENCES: Final = {
    ("sheet-stone-missing", "stone"): gettext_noop(
        "Choose who deals next (who put the month stone in)."
    ),
    ("sheet-stone-doubtful", "stone"): gettext_noop(
        "Is this the right player? By the payments someone else should deal next."
    ),
    ("sheet-line-not-zero", "sums"): gettext_noop(
        "What one player gets, the others pay: the sums of this month are off by %(sum)s."
    ),
    ("sheet-winner-gets", "sums"): gettext_noop(
        "Only the winner gets points: leave the other player's field empty."
    ),
    ("sheet-month-sum", "sums"): gettext_noop(
        "No month gives %(found)s. Please look at the number again."
    ),
    ("bad-amount", "sums"): gettext_noop("Please enter numbers only."),
    ("bad-amount", "points"): gettext_noop("Please enter numbers only."),
    ("sheet-no-end", "month"): gettext_noop(
        "This month is not finished: enter its yaku or its card points."
    ),
}


class MonthFaultJson(TypedDict):
    """An error or a doubt in a month, at a field of the request."""

    month: Annotated[int, "The number of the month in `months`, from 1."]
    field: Annotated[str, "`dealer`, `ba`, `line.0`, `points`, `sums`, `stone` or `month`."]
    code: str
    message: str
    expected: list[str]
    doubt: bool


class WrittenLine(TypedDict):
    """A line of the sheet. `of` are the numbers of the payments in the line."""

    label: str
    name: str
    amounts: list[int]
    amounts_words: list[str]
    void: bool
    of: list[int]


class MonthCards(TypedDict):
    """A deal that makes a month, as letters: by seat, empty for a seat that does not play."""

    hands: list[str]
    field: str
    captured: list[str]


class WrittenMonthJson(TypedDict):
    """A month as written on the sheet. `done`: the month is judged and over."""

    month: int
    name: str
    dealer: int
    ba: SheetGrade | None
    stone: int | None
    order: Annotated[list[int], "The playing seats."]
    lines: list[WrittenLine]
    points: list[int] | None
    captured: list[int] | None
    score: list[int]
    score_words: list[str]
    totals: list[int]
    totals_words: list[str]
    done: bool
    cards: Annotated[MonthCards | None, "One of the deals that make these lines, if `done`."]


class OfferedGrade(TypedDict):
    """A field grade."""

    id: SheetGrade
    name: str


class BarJson(TypedDict):
    """The reason why a seat cannot have an offer: `label` of the seat `by`."""

    seat: int
    label: str
    name: str
    by: int


class OfferJson(TypedDict):
    """A possible payment. `gains` are the possible values, the plain value first."""

    label: str
    name: str
    kind: Annotated[str, OneOf("OfferKind", [kind.value for kind in PaymentKind])]
    gains: list[str]
    gains_words: list[str]
    seats: Annotated[list[int], "The seats that may get it."]
    payers: Annotated[list[int], "The seats that may pay it alone."]
    halves: bool
    struck: bool
    marks: Annotated[bool, "Nothing is paid; the seat that gets it deals next."]
    barred: list[BarJson]


class OfferedMonthJson(TypedDict):
    """The possible entries of the month `at`."""

    number: int
    month: int
    dealers: list[int]
    grades: list[OfferedGrade]
    grade: SheetGrade | None
    stone: Annotated[bool, "Whether the next dealer is an entry."]
    stones: Annotated[bool, "Whether the next dealer puts a stone in."]
    points: Annotated[bool, "Whether card points are paid."]
    whole: Annotated[int, "The card points of the whole pack."]
    offers: list[OfferJson]


class DrawnSheet(TypedDict):
    """The sheet in the layout of the rule document, for display."""

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
    """The current sheet."""

    kafu: Annotated[str, "The canonical text."]
    over: Annotated[bool, "No month may follow."]
    may_end: Annotated[bool, "The game may end here."]
    due: Annotated[int | None, "Who deals next."]
    next_month: Annotated[int, "The number of the month that comes next."]
    faults: list[MonthFaultJson]
    months: list[WrittenMonthJson]
    form: OfferedMonthJson
    table: DrawnSheet | None
    settlement: list[SettlementStep]


def write_sheet_response(
    ruleset: str,
    players: Sequence[str],
    options: Mapping[str, str],
    months: Sequence[MonthWanted],
    at: int | None,
    tags: Mapping[str, str],
) -> dict[str, Any]:
    """Write a sheet, and return it as `build_sheet_response`. Raise the errors of `write_sheet`."""
    sheet = write_sheet(ruleset, players, options, months, at=at, tags=tags)
    return build_sheet_response(ruleset, players, sheet)


def build_sheet_response(
    ruleset: str, players: Sequence[str], sheet: WrittenSheet
) -> dict[str, Any]:
    """Return the sheet with verdict, months, faults and possible entries (see docs/api.md)."""
    names = [labels.person(name) for name in players]
    view = _View(ruleset, names)
    return {
        "kafu": sheet.text,
        **verdict_of(sheet.verification),
        "players": list(players),
        "over": sheet.is_over,
        "may_end": sheet.may_end,
        "due": sheet.due or None,
        "next_month": sheet.next_month,
        "faults": [view.fault(item, doubt=False) for item in sheet.faults]
        + [view.fault(item, doubt=True) for item in sheet.doubts],
        "months": [view.month(item) for item in sheet.months],
        "form": view.form(sheet.offered),
        "table": _table(sheet),
        "settlement": [
            {
                "kind": step.kind,
                "name": labels.settlement_step(step.kind),
                **view.sums("amounts", step.amounts),
                **view.sums("sums", step.sums),
            }
            for step in sheet.settlement
        ],
    }


class _View:
    """The parts of a response about a ruleset's sheet, with the players' names by seat."""

    def __init__(self, ruleset: str, names: Sequence[str]) -> None:
        self.names = names
        self.units = labels.notation_units(ruleset)
        self.kan = RULESETS[ruleset].kan

    def sums(self, name: str, sums: Sequence[int]) -> dict[str, Any]:
        """Return two fields: ``name`` with sums in the small unit, ``name_words`` in words."""
        words = [amount(sum_, units=self.units) for sum_ in sums]
        return {name: list(sums), f"{name}_words": words}

    def fault(self, fault: MonthFault, *, doubt: bool) -> MonthFaultJson:
        """Return an error or a doubt in words."""
        described = labels.worded_fault(fault.fault.to_stored(), self.names)
        assert described is not None
        return {
            "month": fault.number,
            "field": fault.field,
            "code": described["code"],
            "message": self.sentence(fault) or described["words"],
            "expected": described["expected"],
            "doubt": doubt,
        }

    def sentence(self, fault: MonthFault) -> str:
        """Return a fault in the words of the person who fills in the form, "" for other faults."""
        text = _SENTENCES.get((fault.fault.code.id, fault.field))
        values = {name: self.value(value) for name, value in fault.fault.values.items()}
        return _(text) % values if text else ""

    def value(self, value: Any) -> str:
        """Return a value of a fault, amounts in the units of the ruleset."""
        sum_ = amounts.parse_canonical(value) if isinstance(value, str) else None
        return str(value) if sum_ is None else amount(sum_, units=self.units)

    def month(self, written: WrittenMonth) -> dict[str, Any]:
        """Return a month as written on the sheet."""
        month = written.month
        points, captured = (
            None if values is None else list(values)
            for values in (written.points, written.captured)
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
            "cards": written.witness and self.cards(written.witness, written.playing.order),
        }

    def cards(self, witness: Witness, order: Sequence[int]) -> MonthCards:
        """Return the cards of a deal, of the players in ``order``."""
        hands, captured = (
            dict(zip(order, map(cards.letters, held), strict=True))
            for held in (witness.hands, witness.captured)
        )
        seats = range(1, len(self.names) + 1)
        return {
            "hands": [hands.get(seat, "") for seat in seats],
            "field": cards.letters(witness.field),
            "captured": [captured.get(seat, "") for seat in seats],
        }

    def form(self, offered: OfferedMonth) -> OfferedMonthJson:
        """Return the possible entries of a month."""
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
            "offers": [self.offer(offered, offer) for offer in offered.offers],
        }

    def offer(self, offered: OfferedMonth, offer: PaymentRow) -> OfferJson:
        """Return a possible payment: seats, values, and reasons against it."""
        seats = offered.seats(offer)
        shares = offered.playing.count_shares(offer, seats[0]) if seats else 0
        gains = [each * shares for each in offer.each]
        bars = {seat: offered.bars.get((offer.id, seat)) for seat in seats}
        return {
            "label": offer.id,
            "name": labels.yaku(offer.id),
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


def _table(sheet: WrittenSheet) -> dict[str, Any] | None:
    """Return the sheet as drawn on the sheet's own page."""
    game, verdict = sheet.verification.game, sheet.verification.verdict
    table = draw_sheet(game, verdict.to_stored()) if game is not None else None
    if table is None:
        return None
    return {
        "heads": [[asdict(cell) for cell in head] for head in table.heads],
        "groups": [asdict(group) for group in table.groups],
        "lead": table.lead,
        "remarks": table.remarks,
    }


def grade_name(ba: str) -> str:
    """Return the name of a grade; of both grades in a month with 二代しばり."""
    if not ba.endswith("2"):
        return labels.grade(ba)
    return _("%(grade)s, carried over") % {"grade": labels.grade(ba.removesuffix("2"))}
