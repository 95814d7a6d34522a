"""Score sheets from a form: from chosen payments, month by month, to the text.

Input: the months of a form, amounts as words (``+5k``, ``-10``). Output: the sheet as Kafu with its
verdict, the lines of each month, and the payments that the current month may still have. The
ruleset's own sheet decides the possible payments and their effects.
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
    """A score sheet with its text, verdict and months.

    ``faults`` are the form's faults, the worst first; ``doubts`` are its doubtful entries.
    ``is_over`` and ``may_end`` tell whether a month must or may follow.
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
    """Return the score sheet with the given months.

    ``at`` is the current month of the form, counted from 1; the default is the last month. Raises
    UnknownRuleset, and BadValue for values that no sheet can have: a ruleset without sheets, too
    many months or players, unknown options, an unknown seat or label.
    """
    writing, house = begin(rules, len(players), options)
    months = list(months) or [MonthWanted()]
    at = len(months) if at is None else at
    if len(months) > MAX_DEALS or not 1 <= at <= len(months):
        values = {"month": at, "months": len(months)}
        raise BadValue(f"no month {at} of {len(months)}", code="no-month", values=values)
    offered: OfferedMonth | None = None
    for number, entry in enumerate(months, start=1):
        following = months[number] if number < len(months) else None
        offered_month = write_month(writing, entry, following, number)
        if number == at:
            offered = offered_month
    assert offered is not None
    sheet = writing.sheet
    ended = not writing.faults and bool(sheet.deals) and sheet.may_be_over
    blank = months[-1].is_blank
    written = writing.months[:-1] if blank else writing.months
    all_tags = {**(tags or {}), "Sheet": "1"}
    if not ended:
        all_tags["Termination"] = "unfinished"
    game = Game(rules, tuple(players), house, all_tags, [month.month for month in written])
    game.final = sheet.settle() if ended else None
    text = write(game)
    verification = verify(read(text))
    if not written:  # an empty sheet is no fault
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
    """Return a sheet without months, and its house rules.

    Raises UnknownRuleset and BadValue.
    """
    _, house = resolve(rules, players, options)
    rules_of_sheet = ruleset(rules)
    if rules_of_sheet.sheet is None:
        values = {"ruleset": rules}
        raise BadValue(f"{rules} has no score sheets", code="no-sheet", values=values)
    return Writing(rules_of_sheet.sheet(house, players), players, rules_of_sheet.kan), house


def write_month(
    writing: Writing, entry: MonthWanted, following: MonthWanted | None, number: int
) -> OfferedMonth:
    """Add a month to the sheet, and judge it if no earlier month has a fault."""
    sheet = writing.sheet
    composed = compose(writing, entry, number, is_followed=following is not None)
    written = composed.written
    writing.faults += composed.faults
    writing.months.append(written)
    playing = written.playing
    offered = OfferedMonth(
        number,
        written.month.month,
        (sheet.dealer,) if sheet.dealer else tuple(sheet.seats),
        composed.grades,
        composed.grade,
        composed.offers,
        _bars(sheet, composed.offers, composed.chosen, playing),
        playing,
        sheet.stones or (sheet.sums_hide_next and any(entry.sums)),
        sheet.stones,
        sheet.pointed,
        sheet.whole,
    )
    if not writing.faults and not (entry.is_blank and following is None):
        _judge(writing, written, following, number, nothing=entry.nothing)
    return offered


def _judge(
    writing: Writing,
    written: WrittenMonth,
    following: MonthWanted | None,
    number: int,
    *,
    nothing: bool,
) -> None:
    """Enter the month in the ruleset's sheet, and note its faults and doubts by field."""
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
    for remark in sheet.remarks:
        fault = fault_of(remark.code, number, remark.values, remark.expected)
        writing.doubts.append(MonthFault(number, _field(written, remark.where, remark.code), fault))


def _field(written: WrittenMonth, where: str | tuple[int, int], code: Code) -> str:
    """Return the field of the form to which a statement about the month belongs."""
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
    """Return the offers that chosen payments exclude, by label and seat."""
    by_label = {offer.label: offer for offer in offers}
    bars = {}
    for offer in offers:
        for seat in range(1, playing.players + 1):
            for line in chosen:
                same = line.label == offer.label and line.seat == seat
                if not same and sheet.bars(offer, seat, by_label[line.label], line.seat):
                    bars[offer.label, seat] = Bar(line.label, line.seat)
                    break
    return bars
