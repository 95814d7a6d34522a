"""Responses about a score sheet in progress, for the page and the API."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
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
from kafu.notation.reading import amounts
from kafu.rules.payments import PaymentRow
from kafu.rules.rulesets import RULESETS
from kafu.rules.sheets.witness import Witness
from records.base import labels
from records.services.editing import verdict_of
from records.shapes import sheets as shapes
from records.wording.sheets import draw_sheet
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


def write_sheet_response(form: shapes.SheetForm) -> shapes.WrittenSheetJson:
    """Write a sheet, and return it as `build_sheet_response`. Raise the errors of `write_sheet`."""
    players = [_join_lines(name) for name in form.players]
    tags = {name: _join_lines(value) for name, value in form.tags.items()}
    sheet = write_sheet(
        form.ruleset,
        players,
        form.options,
        msgspec.convert(form.months, list[MonthWanted], from_attributes=True),
        at=form.at,
        tags={name: value for name, value in tags.items() if value},
    )
    return build_sheet_response(form.ruleset, players, sheet)


def _join_lines(text: str) -> str:
    """Return text on one line, as tags require."""
    return " ".join(text.split())


def build_sheet_response(
    ruleset: str, players: Sequence[str], sheet: WrittenSheet
) -> shapes.WrittenSheetJson:
    """Return the sheet with verdict, months, faults and possible entries (see docs/api.md)."""
    names = [labels.person(name) for name in players]
    view = _View(ruleset, names)
    return shapes.WrittenSheetJson(
        **verdict_of(sheet.verification),
        kafu=sheet.text,
        players=players,
        over=sheet.is_over,
        may_end=sheet.may_end,
        due=sheet.due or None,
        next_month=sheet.next_month,
        faults=[view.fault(item, doubt=False) for item in sheet.faults]
        + [view.fault(item, doubt=True) for item in sheet.doubts],
        months=[view.month(item) for item in sheet.months],
        form=view.form(sheet.offered),
        table=_table(sheet),
        settlement=[
            shapes.SettlementStep.build(
                step,
                name=labels.settlement_step(step.kind),
                amounts_words=view.words(step.amounts),
                sums_words=view.words(step.sums),
            )
            for step in sheet.settlement
        ],
    )


class _View:
    """The parts of a response about a ruleset's sheet, with the players' names by seat."""

    def __init__(self, ruleset: str, names: Sequence[str]) -> None:
        self.names = names
        self.units = labels.notation_units(ruleset)
        self.kan = RULESETS[ruleset].kan

    def words(self, sums: Iterable[int]) -> list[str]:
        """Return sums in the small unit in words."""
        return [amount(sum_, units=self.units) for sum_ in sums]

    def fault(self, fault: MonthFault, *, doubt: bool) -> shapes.MonthFaultJson:
        """Return an error or a doubt in words."""
        described = labels.worded_fault(fault.fault.to_stored(), self.names)
        assert described is not None
        return shapes.MonthFaultJson(
            fault.number,
            fault.field,
            described["code"],
            self.sentence(fault) or described["words"],
            described["expected"],
            doubt,
        )

    def sentence(self, fault: MonthFault) -> str:
        """Return a fault in the words of the person who fills in the form, "" for other faults."""
        text = _SENTENCES.get((fault.fault.code.id, fault.field))
        values = {name: self.value(value) for name, value in fault.fault.values.items()}
        return _(text) % values if text else ""

    def value(self, value: Any) -> str:
        """Return a value of a fault, amounts in the units of the ruleset."""
        sum_ = amounts.parse_canonical(value) if isinstance(value, str) else None
        return str(value) if sum_ is None else amount(sum_, units=self.units)

    def month(self, written: WrittenMonth) -> shapes.WrittenMonthJson:
        """Return a month as written on the sheet."""
        month, order = written.month, written.playing.order
        return shapes.WrittenMonthJson.build(
            written,
            month=month.month,
            name=labels.month(month.month),
            dealer=month.dealer,
            ba=month.ba,
            stone=month.stone,
            order=order,
            lines=[
                shapes.WrittenLine.build(
                    line,
                    name=labels.yaku(line.label),
                    amounts_words=self.words(line.amounts),
                    of=of,
                )
                for line, of in zip(month.payments, written.made_by, strict=True)
            ],
            score_words=self.words(written.score),
            totals_words=self.words(written.totals),
            done=written.result is not None,
            cards=written.witness and self.cards(written.witness, order),
        )

    def cards(self, witness: Witness, order: Sequence[int]) -> shapes.MonthCards:
        """Return the cards of a deal, of the players in ``order``."""
        hands, captured = (
            dict(zip(order, map(cards.letters, held), strict=True))
            for held in (witness.hands, witness.captured)
        )
        seats = range(1, len(self.names) + 1)
        return shapes.MonthCards(
            [hands.get(seat, "") for seat in seats],
            cards.letters(witness.field),
            [captured.get(seat, "") for seat in seats],
        )

    def form(self, offered: OfferedMonth) -> shapes.OfferedMonthJson:
        """Return the possible entries of a month."""
        return shapes.OfferedMonthJson.build(
            offered,
            grades=[shapes.OfferedGrade(ba, grade_name(ba)) for ba in offered.grades],
            offers=[self.offer(offered, offer) for offer in offered.offers],
        )

    def offer(self, offered: OfferedMonth, offer: PaymentRow) -> shapes.OfferJson:
        """Return a possible payment: seats, values, and reasons against it."""
        seats = offered.playing.list_receivers(offer)
        shares = offered.playing.count_shares(offer, seats[0]) if seats else 0
        gains = [each * shares for each in offer.each]
        bars = {seat: offered.bars.get((offer.id, seat)) for seat in seats}
        return shapes.OfferJson.build(
            offer,
            label=offer.id,
            name=labels.yaku(offer.id),
            kind=offer.kind.value,
            gains=[amounts.text(gain, self.kan) for gain in gains],
            gains_words=self.words(gains),
            seats=seats,
            payers=offered.payers(offer),
            barred=[
                shapes.BarJson(seat, bar.label, labels.yaku(bar.label), bar.seat)
                for seat, bar in bars.items()
                if bar is not None
            ],
        )


def _table(sheet: WrittenSheet) -> shapes.DrawnSheet | None:
    """Return the sheet as drawn on the sheet's own page."""
    game, verdict = sheet.verification.game, sheet.verification.verdict
    table = draw_sheet(game, verdict.to_stored()) if game is not None else None
    return shapes.DrawnSheet.build(table) if table is not None else None


def grade_name(ba: str) -> str:
    """Return the name of a grade; of both grades in a month with 二代しばり."""
    if not ba.endswith("2"):
        return labels.grade(ba)
    return _("%(grade)s, carried over") % {"grade": labels.grade(ba.removesuffix("2"))}
