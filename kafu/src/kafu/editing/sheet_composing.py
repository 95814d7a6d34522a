"""Composing one month of a score sheet: from the form's entries to lines, stone and sums.

Values that follow from the earlier months are filled in. Nothing is judged, and no sheet changes.
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

#: Number of players of a month at a larger table.
PLAYING: Final = 3


@dataclass(slots=True)
class Writing:
    """A score sheet while its months are entered."""

    sheet: Sheet
    players: int
    kan: bool
    months: list[WrittenMonth] = field(default_factory=list)
    faults: list[MonthFault] = field(default_factory=list)
    doubts: list[MonthFault] = field(default_factory=list)


class Composed(NamedTuple):
    """A composed month.

    ``faults`` are unreadable amounts, ``grades`` the possible field grades and ``grade`` the chosen
    grade; ``offers`` are the possible payments, ``chosen`` the entered payments.
    """

    written: WrittenMonth
    faults: list[MonthFault]
    grades: tuple[str, ...]
    grade: str | None
    offers: tuple[Offer, ...]
    chosen: list[Chosen]


def compose(writing: Writing, entry: MonthWanted, number: int, *, is_followed: bool) -> Composed:
    """Compose month ``number`` of the form, counted from 1, from its entries.

    Raises BadValue for an unknown seat, grade or label.
    """
    sheet = writing.sheet
    faults: list[MonthFault] = []
    before = writing.months[-1] if writing.months else None
    # After a fault the sheet ends, but the form continues.
    stuck = before if writing.faults else None
    dealer = entry.dealer or (0 if stuck else sheet.dealer)
    dealer = dealer or (before.month.stone if before else 0) or sheet.dealer or 1
    playing = _playing(writing, entry, dealer)
    grades = sheet.grades_due() if sheet.graded else ()
    grade = entry.ba or (grades[0] if grades and not any(entry.sums) else None)
    chosen = [
        Chosen(
            line.seat,
            line.label,
            _amount(writing, line.gain, number, f"line.{i}", faults),
            line.payer,
            line.half,
            line.void,
        )
        for i, line in enumerate(entry.lines)
    ]
    offers = sheet.offers(grade or (grades[0] if grades else None), playing, chosen)
    _check_chosen(chosen, offers, playing)
    due = sheet.number
    if stuck:
        due = stuck.month.month + (not sheet.is_replayed(stuck.month))
    month = Month(due, dealer, ba=grade)
    points = _by_seat(writing, entry.points, number, "points", playing, faults)
    captured = _by_seat(writing, entry.captured, number, "captured", playing, faults)
    if captured is not None:
        points = sheet.paid_points(captured, grade, playing)
    made_by: list[tuple[int, ...]] = []
    sums = _by_seat(writing, entry.sums, number, "sums", playing, faults)
    if sums is not None:
        month.payments.append(Payment(MONTH, sums))
        made_by.append(())
    places = {id(line): i for i, line in enumerate(chosen)}
    numbered = dict(enumerate(chosen))
    for payment, parts in sheet.written(chosen, points, offers, playing):
        month.payments.append(payment)
        made_by.append(
            tuple(
                places[id(line)] if id(line) in places else _number(numbered, line)
                for line in parts
            )
        )
    if month.payments or entry.nothing or is_followed:
        for payment in sheet.prizes(month.payments):
            month.payments.append(payment)
            made_by.append(())
    month.stone = _stone(sheet, entry, month, offers, chosen)
    lines = [Line(line.label, line.amounts, line.void) for line in month.payments]
    totals_of_month = score(lines, writing.players)
    earlier = before.totals if before else (0,) * writing.players
    totals = tuple(map(sum, zip(earlier, totals_of_month, strict=True)))
    written = WrittenMonth(month, playing, totals_of_month, totals, made_by, points, captured)
    return Composed(written, faults, grades, grade, offers, chosen)


def fault_of(
    code: Code, number: int, values: Mapping[str, Any], expected: tuple[str, ...] = ()
) -> Fault:
    """Return a fault of month ``number`` of the form."""
    return Fault(code, None, None, number, None, values, expected)


def _number(numbered: Mapping[int, Chosen], line: Chosen) -> int:
    """Return the number of a line that the ruleset changed: the line with the same label."""
    return next(
        (i for i, numbered_line in numbered.items() if numbered_line.label == line.label), 0
    )


def _playing(writing: Writing, entry: MonthWanted, dealer: int) -> Playing:
    """Return the players of a month: all, or three of a larger table.

    Players who are out are skipped.
    """
    seats = range(1, writing.players + 1)
    if not {dealer, *entry.out} <= set(seats) or (entry.stone or 1) not in seats:
        raise _no_seat(writing.players)
    if entry.ba not in (None, *SHEET_GRADES):
        grade = str(entry.ba)[:40]
        raise BadValue(f"{grade}: no grade", code="no-grade", values={"found": grade})
    order = turn_order(dealer, writing.players)
    order = tuple(seat for seat in order if seat not in entry.out)
    if len(order) < min(PLAYING, writing.players):
        raise BadValue(f"{PLAYING} play a month", code="few-play", values={"count": PLAYING})
    return Playing(dealer, tuple(order[:PLAYING]), writing.players)


def _no_seat(seats: int) -> BadValue:
    """Return the error for an unknown seat."""
    return BadValue(f"there are {seats} seats", code="no-seat", values={"seats": seats})


def _check_chosen(chosen: Sequence[Chosen], offers: Sequence[Offer], playing: Playing) -> None:
    """Raise BadValue for an unknown label or seat."""
    labels = {offer.label for offer in offers}
    for line in chosen:
        if line.label not in labels:
            label = line.label[:40]
            raise BadValue(f"{label}: not offered", code="no-label", values={"found": label})
        if not (1 <= line.seat <= playing.players and 0 <= line.payer <= playing.players):
            raise _no_seat(playing.players)
        if line.payer == line.seat:
            raise BadValue("nobody pays for their own yaku", code="own-payer")


def plain_amount(word: str | None) -> str:
    """Return an amount as people write it in Kafu's form, as far as it can be read."""
    plain = unicodedata.normalize("NFKC", word or "").translate(REPAIRS).replace(" ", "").lower()
    return amounts.normalise(plain) or plain


def _amount(
    writing: Writing, word: str | None, number: int, field: str, faults: list[MonthFault]
) -> int | None:
    """Return the amount of a word, None for an empty word.

    An unreadable word gives 0 and a fault.
    """
    plain = plain_amount(word)
    if not plain:
        return None
    amount = amounts.parse_canonical(plain)
    if amount is None or abs(amount) > MAX_AMOUNT or ("k" in plain and not writing.kan):
        fault = fault_of(codes.BAD_AMOUNT, number, {"found": (word or "")[:40]})
        faults.append(MonthFault(number, field, fault))
        return 0
    return amount


def _by_seat(
    writing: Writing,
    words: Sequence[str],
    number: int,
    field: str,
    playing: Playing,
    faults: list[MonthFault],
) -> tuple[int, ...] | None:
    """Return amounts by seat, with one missing amount filled in.

    A missing amount makes the sum zero (S9), or completes captured card points to the points of all
    cards. With koi-koi's sums, of which one player's is not zero, the other player's is 0. Return
    None while two or more amounts are missing.
    """
    if not any(words):
        return None
    by_seat = [
        _amount(writing, words[i] if i < len(words) else "", number, field, faults)
        for i in range(writing.players)
    ]
    for i in range(writing.players):
        if i + 1 not in playing.order and by_seat[i] is None:
            by_seat[i] = 0
    missing = [i for i, amount in enumerate(by_seat) if amount is None]
    if len(missing) > 1:
        return None
    if missing:
        total = sum(amount or 0 for amount in by_seat)
        if field == "captured":
            by_seat[missing[0]] = writing.sheet.whole - total
        else:
            zero = field == "points" or writing.sheet.sums_to_zero
            by_seat[missing[0]] = -total if zero else 0
    return tuple(amount or 0 for amount in by_seat)


def _stone(
    sheet: Sheet,
    entry: MonthWanted,
    month: Month,
    offers: Sequence[Offer],
    chosen: Sequence[Chosen],
) -> int | None:
    """Return the next dealer if the sheet records the dealer: as entered, or as its lines show."""
    if entry.stone:
        return entry.stone
    marks = {offer.label for offer in offers if offer.marks}
    marked = next((line.seat for line in chosen if line.label in marks), None)
    if marked or not sheet.stones:
        return marked
    try:
        lines = [sheet.read(payment, f"pay.{i}") for i, payment in enumerate(month.payments)]
    except Illegal:
        return None
    due = sheet.next_by(month, lines)
    return due[0] if len(due) == 1 else None
