"""One month of a score sheet that is being written: from what was entered to its lines, stone and
sums, as far as the months before it tell. Nothing is judged here, and no sheet is changed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from kafu.editing.sheet_months import MonthFault, MonthWanted, WrittenMonth
from kafu.facade.errors import BadValue
from kafu.notation import codes
from kafu.notation.faults import Code, Fault
from kafu.notation.game import Month, Payment
from kafu.notation.reading import amounts
from kafu.notation.reading.source import REPAIRS
from kafu.notation.vocabulary import MAX_AMOUNT, SHEET_GRADES
from kafu.rules.play.actions import Illegal
from kafu.rules.play.ledger import score
from kafu.rules.play.seating import turn_order
from kafu.rules.sheets.form import Sheet
from kafu.rules.sheets.lines import MONTH
from kafu.rules.sheets.offers import Chosen, Offer, Playing
from kafu.rules.verdict import Line

#: How many play a month, of a larger table.
PLAYING: Final = 3


@dataclass(slots=True)
class Writing:
    """A sheet while its months are written one after the other."""

    sheet: Sheet
    players: int
    kan: bool
    months: list[WrittenMonth] = field(default_factory=list)
    faults: list[MonthFault] = field(default_factory=list)
    doubts: list[MonthFault] = field(default_factory=list)


class Composed(NamedTuple):
    """A month as it stands on the sheet, with the amounts that cannot be read, the grades that it
    may have and its own, and what it may be paid for.
    """

    written: WrittenMonth
    faults: list[MonthFault]
    grades: tuple[str, ...]
    grade: str | None
    offers: tuple[Offer, ...]
    chosen: list[Chosen]


def compose(writing: Writing, wanted: MonthWanted, number: int, *, is_followed: bool) -> Composed:
    """The month ``number`` of the form (from 1), by what was entered. Raises BadValue for a seat,
    grade or label that there is not.
    """
    sheet = writing.sheet
    faults: list[MonthFault] = []
    before = writing.months[-1] if writing.months else None
    # After a fault the sheet does not go on, but the form does.
    stuck = before if writing.faults else None
    dealer = wanted.dealer or (0 if stuck else sheet.dealer)
    dealer = dealer or (before.month.stone if before else 0) or sheet.dealer or 1
    playing = _playing(writing, wanted, dealer)
    grades = sheet.grades_due() if sheet.graded else ()
    grade = wanted.ba or (grades[0] if grades and not any(wanted.sums) else None)
    chosen = [
        Chosen(
            one.seat,
            one.label,
            _amount(writing, one.gain, number, f"line.{i}", faults),
            one.payer,
            one.half,
            one.void,
        )
        for i, one in enumerate(wanted.lines)
    ]
    offers = sheet.offers(grade or (grades[0] if grades else None), playing, chosen)
    _check_chosen(chosen, offers, playing)
    due = sheet.number
    if stuck:
        due = stuck.month.month + (not sheet.is_replayed(stuck.month))
    month = Month(due, dealer, ba=grade)
    points = _by_seat(writing, wanted.points, number, "points", playing, faults)
    captured = _by_seat(writing, wanted.captured, number, "captured", playing, faults)
    if captured is not None:
        points = sheet.paid_points(captured, grade, playing)
    made_by: list[tuple[int, ...]] = []
    sums = _by_seat(writing, wanted.sums, number, "sums", playing, faults)
    if sums is not None:
        month.payments.append(Payment(MONTH, sums))
        made_by.append(())
    places = {id(one): i for i, one in enumerate(chosen)}
    numbered = dict(enumerate(chosen))
    for payment, parts in sheet.written(chosen, points, offers, playing):
        month.payments.append(payment)
        made_by.append(
            tuple(places[id(one)] if id(one) in places else _number(numbered, one) for one in parts)
        )
    if month.payments or wanted.nothing or is_followed:
        for payment in sheet.prizes(month.payments):
            month.payments.append(payment)
            made_by.append(())
    month.stone = _stone(sheet, wanted, month, offers, chosen)
    lines = [Line(one.label, one.amounts, one.void) for one in month.payments]
    sums_ = score(lines, writing.players)
    earlier = before.totals if before else (0,) * writing.players
    totals = tuple(map(sum, zip(earlier, sums_, strict=True)))
    written = WrittenMonth(month, playing, sums_, totals, made_by, points, captured)
    return Composed(written, faults, grades, grade, offers, chosen)


def fault_of(
    code: Code, number: int, values: Mapping[str, Any], expected: tuple[str, ...] = ()
) -> Fault:
    """A fault of the month ``number`` of the form."""
    return Fault(code, None, None, number, None, values, expected)


def _number(numbered: Mapping[int, Chosen], one: Chosen) -> int:
    """The number of a line that the ruleset has changed: that of the same label."""
    return next((i for i, other in numbered.items() if other.label == one.label), 0)


def _playing(writing: Writing, wanted: MonthWanted, dealer: int) -> Playing:
    """Who plays: all, or of a larger table three, without those who are out."""
    seats = range(1, writing.players + 1)
    if not {dealer, *wanted.out} <= set(seats) or (wanted.stone or 1) not in seats:
        raise _no_seat(writing.players)
    if wanted.ba not in (None, *SHEET_GRADES):
        found = str(wanted.ba)[:40]
        raise BadValue(f"{found}: no grade", code="no-grade", values={"found": found})
    order = turn_order(dealer, writing.players)
    order = tuple(seat for seat in order if seat not in wanted.out)
    if len(order) < min(PLAYING, writing.players):
        raise BadValue(f"{PLAYING} play a month", code="few-play", values={"count": PLAYING})
    return Playing(dealer, tuple(order[:PLAYING]), writing.players)


def _no_seat(seats: int) -> BadValue:
    return BadValue(f"there are {seats} seats", code="no-seat", values={"seats": seats})


def _check_chosen(chosen: Sequence[Chosen], offers: Sequence[Offer], playing: Playing) -> None:
    """Raise BadValue for a label or a seat that there is not."""
    labels = {offer.label for offer in offers}
    for one in chosen:
        if one.label not in labels:
            found = one.label[:40]
            raise BadValue(f"{found}: not offered", code="no-label", values={"found": found})
        if not (1 <= one.seat <= playing.players and 0 <= one.payer <= playing.players):
            raise _no_seat(playing.players)
        if one.payer == one.seat:
            raise BadValue("nobody pays for their own yaku", code="own-payer")


def plain_amount(word: str | None) -> str:
    """Return a word that people write for an amount in Kafu's form, as far as it is one."""
    plain = unicodedata.normalize("NFKC", word or "").translate(REPAIRS).replace(" ", "").lower()
    return amounts.normalise(plain) or plain


def _amount(
    writing: Writing, word: str | None, number: int, field: str, faults: list[MonthFault]
) -> int | None:
    """The amount that a word says, None for an empty one; 0 with a fault for what is none."""
    plain = plain_amount(word)
    if not plain:
        return None
    found = amounts.parse_canonical(plain)
    if found is None or abs(found) > MAX_AMOUNT or ("k" in plain and not writing.kan):
        fault = fault_of(codes.BAD_AMOUNT, number, {"found": (word or "")[:40]})
        faults.append(MonthFault(number, field, fault))
        return 0
    return found


def _by_seat(
    writing: Writing,
    words: Sequence[str],
    number: int,
    field: str,
    playing: Playing,
    faults: list[MonthFault],
) -> tuple[int, ...] | None:
    """Amounts by seat; the one that is missing of those who play makes the sum zero (S9), of card
    points captured that of all cards.

    None while two or more are missing; with koi-koi's sums, of which one player's is not zero, the
    other's is 0.
    """
    if not any(words):
        return None
    found = [
        _amount(writing, words[i] if i < len(words) else "", number, field, faults)
        for i in range(writing.players)
    ]
    for i in range(writing.players):
        if i + 1 not in playing.order and found[i] is None:
            found[i] = 0
    missing = [i for i, one in enumerate(found) if one is None]
    if len(missing) > 1:
        return None
    if missing:
        total = sum(one or 0 for one in found)
        if field == "captured":
            found[missing[0]] = writing.sheet.whole - total
        else:
            zero = field == "points" or writing.sheet.sums_to_zero
            found[missing[0]] = -total if zero else 0
    return tuple(one or 0 for one in found)


def _stone(
    sheet: Sheet,
    wanted: MonthWanted,
    month: Month,
    offers: Sequence[Offer],
    chosen: Sequence[Chosen],
) -> int | None:
    """Who deals next, where a sheet says so: as entered, else as the lines show it."""
    if wanted.stone:
        return wanted.stone
    marks = {offer.label for offer in offers if offer.marks}
    marked = next((one.seat for one in chosen if one.label in marks), None)
    if marked or not sheet.stones:
        return marked
    try:
        lines = [sheet.read(payment, f"pay.{i}") for i, payment in enumerate(month.payments)]
    except Illegal:
        return None
    due = sheet.next_by(month, lines)
    return due[0] if len(due) == 1 else None
