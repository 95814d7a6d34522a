"""A score sheet that is being written: from what a person chose, month by month, to the text.

In: the months as a form holds them, amounts as words (``+5k``, ``-10``). Out: the sheet as Kafu
with its verdict, the lines of each month, and what the month that is looked at may still have. What
a month may have and what follows from it is asked of the ruleset's own sheet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kafu.editing.sheet_composing import Writing, compose, fault_of
from kafu.editing.sheet_months import Bar, MonthFault, MonthWanted, OfferedMonth, WrittenMonth
from kafu.facade.errors import BadValue
from kafu.facade.rulesets import resolve
from kafu.judging.verify import Verification, verify
from kafu.notation.faults import Code
from kafu.notation.game import Game, Month
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import MAX_DEALS
from kafu.notation.writer import write
from kafu.rules.play.actions import Illegal
from kafu.rules.rulesets import ruleset
from kafu.rules.sheets.form import Sheet
from kafu.rules.sheets.lines import MONTH
from kafu.rules.sheets.offers import Chosen, Offer, Playing
from kafu.settlement_steps import SettlementStep, compute_steps


@dataclass(slots=True)
class WrittenSheet:
    """The sheet: its text and verdict, its months, what is wrong in the form (first what is worst),
    what is doubtful, the settlement, and whether a month may or must follow.
    """

    text: str
    verification: Verification
    months: list[WrittenMonth]
    faults: list[MonthFault]
    doubts: list[MonthFault]
    offered: OfferedMonth
    settlement: list[SettlementStep]
    is_over: bool
    may_end: bool
    due: int


def write_sheet(
    rules: str,
    players: Sequence[str],
    options: Mapping[str, str],
    months: Sequence[MonthWanted],
    *,
    at: int | None = None,
    tags: Mapping[str, str] | None = None,
) -> WrittenSheet:
    """The sheet of these months; ``at`` is the month that is looked at, from 1, the last without
    it.

    Raises UnknownRuleset, and BadValue for what no sheet can have: a ruleset without sheets, too
    many months or players, unknown options, an unknown seat or label.
    """
    writing, house = begin(rules, len(players), options)
    months = list(months) or [MonthWanted()]
    at = len(months) if at is None else at
    if len(months) > MAX_DEALS or not 1 <= at <= len(months):
        values = {"month": at, "months": len(months)}
        raise BadValue(f"no month {at} of {len(months)}", code="no-month", values=values)
    offered: OfferedMonth | None = None
    for number, wanted in enumerate(months, start=1):
        following = months[number] if number < len(months) else None
        found = write_month(writing, wanted, following, number)
        if number == at:
            offered = found
    assert offered is not None
    sheet = writing.sheet
    ended = not writing.faults and bool(sheet.deals) and sheet.may_be_over
    blank = months[-1].is_blank
    written = writing.months[:-1] if blank else writing.months
    all_tags = {**(tags or {}), "Sheet": "1"}
    if not ended:
        all_tags["Termination"] = "unfinished"
    game = Game(rules, tuple(players), house, all_tags, [one.month for one in written])
    game.final = sheet.settle() if ended else None
    text = write(game)
    verification = verify(read(text))
    if not written:  # no fault of who begins
        verification.verdict.status, verification.verdict.error = "unfinished", None
    judged = verification.game if verification.game and verification.verdict.deals else None
    return WrittenSheet(
        text,
        verification,
        writing.months,
        writing.faults,
        writing.doubts,
        offered,
        compute_steps(judged, verification.verdict.to_stored()) if judged else [],
        is_over=ended and sheet.is_over,
        may_end=ended,
        due=sheet.dealer,
    )


def begin(rules: str, players: int, options: Mapping[str, str]) -> tuple[Writing, dict[str, str]]:
    """A sheet in which no month was written yet, and its house. Raises as `write_sheet`."""
    _, house = resolve(rules, players, options)
    known = ruleset(rules)
    if known.sheet is None:
        values = {"ruleset": rules}
        raise BadValue(f"{rules} has no score sheets", code="no-sheet", values=values)
    return Writing(known.sheet(house, players), players, known.kan), house


def write_month(
    writing: Writing, wanted: MonthWanted, following: MonthWanted | None, number: int
) -> OfferedMonth:
    """Put a month on the sheet and judge it, if nothing before it is wrong."""
    sheet = writing.sheet
    found = compose(writing, wanted, number, is_followed=following is not None)
    written = found.written
    writing.faults += found.faults
    writing.months.append(written)
    playing = written.playing
    offered = OfferedMonth(
        number,
        written.month.month,
        (sheet.dealer,) if sheet.dealer else tuple(sheet.seats),
        found.grades,
        found.grade,
        found.offers,
        _bars(sheet, found.offers, found.chosen, playing),
        playing,
        sheet.stones or (sheet.sums_hide_next and any(wanted.sums)),
        sheet.stones,
        sheet.pointed,
        sheet.whole,
    )
    if not writing.faults and not (wanted.is_blank and following is None):
        _judge(writing, written, following, number, nothing=wanted.nothing)
    return offered


def _judge(
    writing: Writing,
    written: WrittenMonth,
    following: MonthWanted | None,
    number: int,
    *,
    nothing: bool,
) -> None:
    """Enter the month in the ruleset's sheet; what is wrong or doubtful with its field."""
    sheet = writing.sheet
    after = (
        Month(written.month.month + 1, following.dealer) if following and following.dealer else None
    )
    try:
        written.result = sheet.enter(
            written.month, after, open_end=following is None and not nothing
        )
    except Illegal as illegal:
        field = _field(written, illegal.where or "month", illegal.code)
        fault = fault_of(illegal.code, number, illegal.values, illegal.expected)
        writing.faults.append(MonthFault(number, field, fault))
        return
    for one in sheet.remarks:
        fault = fault_of(one.code, number, one.values, one.expected)
        writing.doubts.append(MonthFault(number, _field(written, one.where, one.code), fault))


def _field(written: WrittenMonth, where: str | tuple[int, int], code: Code) -> str:
    """The field of the form that a statement of the month comes from."""
    spot = str(where)
    if spot.startswith("pay."):
        i = int(spot.removeprefix("pay."))
        if made_by := written.made_by[i]:
            return f"line.{made_by[0]}"
        label = written.month.payments[i].label
        return {"points": "points", MONTH: "sums"}.get(label, "month")
    if "dealer" in code.id or code.id == "sheet-stone-wrong":
        return "stone" if spot == "stone" else "dealer"
    if "stone" in code.id:
        return "stone"
    return spot if spot in ("ba", "stone") else "month"


def _bars(
    sheet: Sheet, offers: Sequence[Offer], chosen: Sequence[Chosen], playing: Playing
) -> dict[tuple[str, int], Bar]:
    """What cannot stand with what is chosen, by label and seat."""
    by_label = {offer.label: offer for offer in offers}
    found = {}
    for offer in offers:
        for seat in range(1, playing.players + 1):
            for one in chosen:
                same = one.label == offer.label and one.seat == seat
                if not same and sheet.bars(offer, seat, by_label[one.label], one.seat):
                    found[offer.label, seat] = Bar(one.label, one.seat)
                    break
    return found
