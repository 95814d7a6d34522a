"""Score sheets written in a form, month by month.

`compose` turns the entries of a month into lines, stone and sums, and fills in values derived from
earlier months, without judging.

`write_sheet` turns the months of a form, with amounts as words (``+5k``, ``-10``), into the sheet
as Kafu with a verdict, the lines of each month, and the payments still possible in the current
month. The ruleset's own sheet decides the possible payments and the effects.

`reopen` turns a sheet with known payments back into entries: seat, yaku, and each amount different
from the plain value. The division of a line with several yaku is unknown; the first yaku gets the
line's amount less the plain values of the other yaku.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product, zip_longest
from typing import Any, Final, NamedTuple

from kafu.facade.errors import BadValue
from kafu.facade.rulesets import resolve
from kafu.judging.verify import Verification, verify
from kafu.notation import codes
from kafu.notation.faults import Code, Fault
from kafu.notation.game import Game, Month, Payment
from kafu.notation.reading import amounts
from kafu.notation.reading.reader import read
from kafu.notation.reading.source import REPAIRS
from kafu.notation.vocabulary import MAX_AMOUNT, MAX_DEALS, SHEET_GRADES
from kafu.notation.writer import write
from kafu.rules.payments import POINTS, Payers, PaymentKind, PaymentRow
from kafu.rules.play.actions import Illegal
from kafu.rules.play.seating import turn_order
from kafu.rules.rulesets import find_ruleset
from kafu.rules.sheets.form import GameSheet
from kafu.rules.sheets.lines import MONTH
from kafu.rules.sheets.offers import Chosen, Playing
from kafu.rules.sheets.witness import Witness
from kafu.rules.verdict import DealResult
from kafu.settlement_steps import SettlementStep, compute_steps

#: Maximum number of payments of a month in a form.
MAX_LINES: Final = 40
#: Number of players of a month at a larger table.
PLAYING: Final = 3


@dataclass(frozen=True, slots=True)
class LineWanted:
    """A payment in a form: the receiving seat, the label, and the total amount in words.

    ``gain`` is None for the amount of the rules; for the other fields see
    `kafu.rules.sheets.offers.Chosen`.
    """

    seat: int
    label: str
    gain: str | None = None
    payer: int = 0
    half: bool = False
    void: bool | None = None


@dataclass(frozen=True, slots=True)
class MonthWanted:
    """A month in a form; values left as None, empty or ``""`` follow from the rules.

    ``points``, ``captured`` and ``sums`` are words by seat: card points as paid, card points as
    captured, or the month's total (S2). ``out`` are the seats without a part in the month.
    ``nothing`` marks a month without payments. ``short`` and ``counted`` tell how the month was
    entered, by sums alone or with captured card points; neither changes a value.
    """

    dealer: int | None = None
    ba: str | None = None
    lines: Sequence[LineWanted] = ()
    points: Sequence[str] = ()
    captured: Sequence[str] = ()
    sums: Sequence[str] = ()
    stone: int | None = None
    out: Sequence[int] = ()
    nothing: bool = False
    short: bool = False
    counted: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether the month has no entry."""
        words = (*self.points, *self.captured, *self.sums)
        entered = self.lines or any(words) or self.stone or self.nothing
        return not (entered or self.dealer or self.ba)


class MonthFault(NamedTuple):
    """A fault in a month of the form, counted from 1.

    ``field`` is ``dealer``, ``ba``, ``line.0``, ``points``, ``sums``, ``stone`` or ``month``.
    """

    number: int
    field: str
    fault: Fault


@dataclass(slots=True)
class WrittenMonth:
    """A month on the sheet.

    ``made_by`` lists for each payment the numbers of the form's lines. ``result`` is None for an
    unfinished month, and after an earlier fault. ``witness`` are cards that make the month, of the
    players in ``playing.order``.
    """

    month: Month
    playing: Playing
    score: tuple[int, ...]
    totals: tuple[int, ...]
    made_by: list[tuple[int, ...]]
    points: tuple[int, ...] | None
    captured: tuple[int, ...] | None
    result: DealResult | None = None
    witness: Witness | None = None


@dataclass(frozen=True, slots=True)
class OfferedMonth:
    """The possible payments of the current month.

    ``bars`` are the chosen payments that exclude an offer, by its label and seat. ``stone`` tells
    whether the form asks for the next dealer, ``stones`` whether a stone marks the dealer, and
    ``points`` whether card points are paid; ``whole`` are the points of all cards.
    """

    number: int
    month: int
    dealers: tuple[int, ...]
    grades: tuple[str, ...]
    grade: str | None
    offers: tuple[PaymentRow, ...]
    bars: Mapping[tuple[str, int], Chosen]
    playing: Playing
    stone: bool
    stones: bool
    points: bool
    whole: int

    def payers(self, offer: PaymentRow) -> tuple[int, ...]:
        """Return the seats that may pay an offer alone."""
        if offer.payers is Payers.ONE:
            return self.playing.idle
        return self.playing.order if offer.alone else ()


class SheetWriter:
    """A score sheet while its months are entered, with the faults and doubts so far.

    Raise UnknownRuleset, and BadValue for a house that the ruleset does not have.
    """

    def __init__(self, rules: str, players: int, options: Mapping[str, str]) -> None:
        _, self.house = resolve(rules, players, options)
        description = find_ruleset(rules)
        self.sheet = description.sheet(self.house, players)
        self.players, self.kan = players, description.kan
        self.months: list[WrittenMonth] = []
        self.faults: list[MonthFault] = []
        self.doubts: list[MonthFault] = []

    @property
    def number(self) -> int:
        """The number of the month that is entered, from 1."""
        return len(self.months) + 1

    def write(self, entry: MonthWanted, following: MonthWanted | None) -> OfferedMonth:
        """Add a month to the sheet, and judge it if no earlier month has a fault.

        Raise BadValue for an unknown seat, grade or label.
        """
        sheet, before = self.sheet, self.months[-1] if self.months else None
        # After a fault the sheet ends, but the form continues.
        stuck = before if self.faults else None
        playing = self.find_playing(entry)
        grades = sheet.grades_due()
        grade = entry.ba or (grades[0] if grades and not any(entry.sums) else None)
        chosen = [
            Chosen(
                *(line.seat, line.label, self._read_amount(line.gain, f"line.{i}"), line.payer),
                *(line.half, line.void, i),
            )
            for i, line in enumerate(entry.lines)
        ]
        offers = sheet.offers(grade, playing, chosen)
        _check_chosen(chosen, offers, playing)
        due = stuck.month.month + (not sheet.is_replayed(stuck.month)) if stuck else sheet.number
        month = Month(due, playing.dealer, ba=grade)
        points = self._read_by_seat(entry.points, "points", playing)
        captured = self._read_by_seat(entry.captured, "captured", playing)
        if captured is not None:
            points = sheet.paid_points(captured, grade, playing)
        sums = self._read_by_seat(entry.sums, "sums", playing)
        lines: list[tuple[Payment, tuple[Chosen, ...]]] = []
        if sums is not None:
            lines.append((Payment(MONTH, sums), ()))
        lines += sheet.written(chosen, points, offers, playing)
        if lines or entry.nothing or following is not None:
            prizes = sheet.prizes([payment for payment, _ in lines])
            lines += [(payment, ()) for payment in prizes]
        month.payments = [payment for payment, _ in lines]
        made_by = [
            tuple(choice.number for choice in choices if choice.number >= 0) for _, choices in lines
        ]
        month.stone = self._find_stone(entry, month, offers, chosen)
        gains = sheet.result(month, None).score
        earlier = before.totals if before else (0,) * self.players
        totals = tuple(map(sum, zip(earlier, gains, strict=True)))
        written = WrittenMonth(month, playing, gains, totals, made_by, points, captured)
        offered = OfferedMonth(
            self.number,
            month.month,
            (sheet.dealer,) if sheet.dealer else tuple(sheet.seats),
            grades,
            grade,
            offers,
            _find_bars(sheet, offers, chosen, playing),
            playing,
            sheet.stones or (sheet.sums_hide_next and any(entry.sums)),
            sheet.stones,
            sheet.pointed,
            sheet.whole,
        )
        if not self.faults and not (entry.is_blank and following is None):
            self._judge(written, following, nothing=entry.nothing)
        self.months.append(written)
        return offered

    def find_playing(self, entry: MonthWanted) -> Playing:
        """Return the players of a month: all, or three of a larger table without those out.

        Raise BadValue for an unknown seat or grade, and for too few players.
        """
        before = self.months[-1].month.stone if self.months else None
        due = 0 if self.months and self.faults else self.sheet.dealer
        dealer = entry.dealer or due or before or self.sheet.dealer or 1
        seats = range(1, self.players + 1)
        if not {dealer, *entry.out} <= set(seats) or (entry.stone or 1) not in seats:
            raise _no_seat(self.players)
        if entry.ba not in (None, *SHEET_GRADES):
            grade = str(entry.ba)[:40]
            raise BadValue(f"{grade}: no grade", code="no-grade", values={"found": grade})
        order = [seat for seat in turn_order(dealer, self.players) if seat not in entry.out]
        if len(order) < min(PLAYING, self.players):
            raise BadValue(f"{PLAYING} play a month", code="few-play", values={"count": PLAYING})
        return Playing(dealer, tuple(order[:PLAYING]), self.players)

    def _read_amount(self, word: str | None, field: str) -> int | None:
        """Return the amount of a word, None for an empty word, 0 with a fault for no amount."""
        plain = plain_amount(word)
        if not plain:
            return None
        amount = amounts.parse_canonical(plain)
        if amount is None or abs(amount) > MAX_AMOUNT or ("k" in plain and not self.kan):
            self._note(self.faults, field, codes.BAD_AMOUNT, {"found": (word or "")[:40]})
            return 0
        return amount

    def _read_by_seat(
        self, words: Sequence[str], field: str, playing: Playing
    ) -> tuple[int, ...] | None:
        """Return amounts by seat, with one missing amount filled in.

        A missing amount makes the sum zero (S9), or completes captured card points to the points of
        all cards. With koi-koi's sums, of which one player's is not zero, the other player's is 0.
        Return None while two or more amounts are missing.
        """
        if not any(words):
            return None
        by_seat = [
            self._read_amount(words[i] if i < len(words) else "", field)
            for i in range(self.players)
        ]
        missing = [seat for seat in playing.order if by_seat[seat - 1] is None]
        if len(missing) > 1:
            return None
        left = -sum(amount or 0 for amount in by_seat)
        if field == "captured":
            left += self.sheet.whole
        elif field == "sums" and not self.sheet.sums_to_zero:
            left = 0
        for seat in missing:
            by_seat[seat - 1] = left
        return tuple(amount or 0 for amount in by_seat)

    def _find_stone(
        self,
        entry: MonthWanted,
        month: Month,
        offers: Sequence[PaymentRow],
        chosen: Sequence[Chosen],
    ) -> int | None:
        """Return the next dealer if the sheet records it: as entered, or as the lines show."""
        sheet = self.sheet
        marks = {offer.id for offer in offers if offer.marks}
        marked = next((line.seat for line in chosen if line.label in marks), None)
        if entry.stone or marked or not sheet.stones:
            return entry.stone or marked
        try:
            lines = [sheet.read(payment, f"pay.{i}") for i, payment in enumerate(month.payments)]
        except Illegal:
            return None
        due = sheet.list_next_dealers(month, lines)
        return due[0] if len(due) == 1 else None

    def _judge(
        self, written: WrittenMonth, following: MonthWanted | None, *, nothing: bool
    ) -> None:
        """Enter the month in the ruleset's sheet, and note its faults and doubts by field."""
        month, sheet, after = written.month, self.sheet, None
        if following and following.dealer:
            after = Month(month.month + 1, following.dealer)
        try:
            written.result = sheet.enter(month, after, open_end=following is None and not nothing)
        except Illegal as illegal:
            field = _find_field(written, illegal.where or "month", illegal.code)
            self._note(self.faults, field, illegal.code, illegal.values, illegal.expected)
            return
        if written.result is not None:
            written.witness = sheet.witness
        for remark in sheet.remarks:
            field = _find_field(written, remark.where, remark.code)
            self._note(self.doubts, field, remark.code, remark.values, remark.expected)

    def _note(
        self,
        notes: list[MonthFault],
        field: str,
        code: Code,
        values: Mapping[str, Any],
        expected: tuple[str, ...] = (),
    ) -> None:
        """Add a fault of the month that is entered."""
        fault = Fault(code, None, None, self.number, None, values, expected)
        notes.append(MonthFault(self.number, field, fault))


def _no_seat(seats: int) -> BadValue:
    """Return the error for an unknown seat."""
    return BadValue(f"there are {seats} seats", code="no-seat", values={"seats": seats})


def _check_chosen(chosen: Sequence[Chosen], offers: Sequence[PaymentRow], playing: Playing) -> None:
    """Raise BadValue for an unknown label or seat."""
    labels = {offer.id for offer in offers}
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
    if not word or len(word) > amounts.LONGEST_AMOUNT:
        return word or ""
    plain = unicodedata.normalize("NFKC", word).translate(REPAIRS).replace(" ", "").lower()
    return amounts.normalise(plain) or plain


def _find_field(written: WrittenMonth, where: str | tuple[int, int], code: Code) -> str:
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


def _find_bars(
    sheet: GameSheet, offers: Sequence[PaymentRow], chosen: Sequence[Chosen], playing: Playing
) -> dict[tuple[str, int], Chosen]:
    """Return the offers that chosen payments exclude, by label and seat."""
    by_label = {offer.id: offer for offer in offers}
    bars: dict[tuple[str, int], Chosen] = {}
    for offer, seat, line in product(offers, range(1, playing.players + 1), chosen):
        is_same = (line.label, line.seat) == (offer.id, seat)
        if not is_same and sheet.bars(offer, seat, by_label[line.label], line.seat):
            bars.setdefault((offer.id, seat), line)
    return bars


@dataclass(slots=True)
class WrittenSheet:
    """A score sheet with its text, verdict and months.

    ``faults`` are the form's faults, the worst first; ``doubts`` are its doubtful entries.
    ``is_over`` and ``may_end`` tell whether a month must or may follow, ``next_month`` is its
    number.
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
    next_month: int


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
    writer = SheetWriter(rules, len(players), options)
    sheet = writer.sheet
    months = [_without_zeros(sheet, month) for month in months] or [MonthWanted()]
    at = len(months) if at is None else at
    if len(months) > MAX_DEALS or not 1 <= at <= len(months):
        values = {"month": at, "months": len(months)}
        raise BadValue(f"no month {at} of {len(months)}", code="no-month", values=values)
    offered = [
        writer.write(entry, following) for entry, following in zip_longest(months, months[1:])
    ]
    ended = not writer.faults and bool(sheet.deals) and sheet.may_be_over
    written = writer.months[:-1] if months[-1].is_blank else writer.months
    all_tags = {**(tags or {}), "Sheet": "1"}
    if not ended:
        all_tags["Termination"] = "unfinished"
    game = Game(rules, tuple(players), writer.house, all_tags, [month.month for month in written])
    game.final = sheet.settle() if ended else None
    text = write(game)
    verification = verify(read(text))
    if not written:  # an empty sheet is no fault
        verification.verdict.status, verification.verdict.error = "unfinished", None
    judged = verification.game if verification.game and verification.verdict.deals else None
    return WrittenSheet(
        text,
        verification,
        writer.months,
        writer.faults,
        writer.doubts,
        offered[at - 1],
        compute_steps(judged, verification.verdict.to_stored()) if judged else [],
        is_over=ended and sheet.is_over,
        may_end=ended,
        due=sheet.dealer,
        next_month=sheet.number,
    )


def _without_zeros(sheet: GameSheet, entry: MonthWanted) -> MonthWanted:
    """Return a month whose sums are zero as one without payments, where such a month exists.

    Where card points are paid (``pointed``), sums of zero are a line like others.
    """
    words = [word for word in map(plain_amount, entry.sums) if word]
    if sheet.pointed or not words or any(amounts.parse_canonical(word) != 0 for word in words):
        return entry
    return replace(entry, sums=(), nothing=True)


def reopen(game: Game) -> list[MonthWanted]:
    """Return the months of the form for a sheet, as closely as the payments tell.

    Raise UnknownRuleset, and BadValue for a game that is no score sheet.
    """
    if not game.is_sheet:
        raise BadValue("no score sheet", code="no-sheet")
    writer = SheetWriter(game.rules, len(game.players), game.options)
    dealers = [MonthWanted(dealer=month.dealer) for month in game.months]
    months: list[MonthWanted] = []
    for month, following in zip_longest(game.months, dealers[1:]):
        months.append(_find_entries(writer, month, following))
        writer.write(months[-1], following)
    return months


def _find_entries(writer: SheetWriter, month: Month, following: MonthWanted | None) -> MonthWanted:
    """Return the entries of a month.

    A month with a sum keeps only the sum and the seat of a mark.
    """
    words = {
        payment.label: [amounts.text(amount, writer.kan) for amount in payment.amounts]
        for payment in reversed(month.payments)
    }
    sums = words.get(MONTH, ())
    entered = MonthWanted(
        dealer=month.dealer,
        ba=month.ba,
        points=() if sums else words.get(POINTS, ()),
        sums=sums,
        stone=month.stone,
        nothing=not month.payments,
        short=bool(sums),
    )
    playing = writer.find_playing(entered)
    offered = {row.id: row for row in writer.sheet.offers(month.ba, playing)}
    payments = [
        (payment, [offered[label] for label in payment.label.split("+")])
        for payment in month.payments
        if offered.keys() >= {*payment.label.split("+")}
    ]
    if playing.idle:
        entered = replace(entered, out=_find_out(month, payments, writer.players))
        playing = writer.find_playing(entered)
    marked = month.stone or (following and following.dealer) or month.dealer
    lines: list[LineWanted] = []
    for payment, offers in payments:
        if offers[0].marks:
            lines.append(LineWanted(marked, payment.label))
        elif not sums:
            lines += _split_line(payment, offers, playing, kan=writer.kan)
    return replace(entered, lines=lines[:MAX_LINES])


def _find_out(
    month: Month, payments: Sequence[tuple[Payment, Sequence[PaymentRow]]], players: int
) -> tuple[int, ...]:
    """Return the seats without a part in the month, if the payments among players tell."""
    among = [payment.amounts for payment, offers in payments if offers[0].payers is Payers.PLAYING]
    points = [payment.amounts for payment in month.payments if payment.label == POINTS]
    seats = range(1, players + 1)
    paying = {seat for seat in seats for sums in among if sums[seat - 1] < 0}
    paying |= {seat for seat in seats for sums in points if sums[seat - 1]}
    getting = {seat for seat in seats for sums in among if sums[seat - 1] > 0}
    for order in (paying, paying | getting):  # a player who is out can receive, but not pay
        if len(order) == PLAYING:
            return tuple(seat for seat in seats if seat not in order)
    return ()


def _split_line(
    payment: Payment, offers: Sequence[PaymentRow], playing: Playing, *, kan: bool
) -> Iterator[LineWanted]:
    """Yield the form's lines for one payment, one per yaku."""
    most, least = max(payment.amounts), min(payment.amounts)
    seat, total = payment.amounts.index(most) + 1, most
    if not most and least and playing.players == 2 and offers[0].kind is PaymentKind.DEALT:
        # The loser's dealt hand is subtracted from the winner's (K3).
        seat, total = 2 - payment.amounts.index(least), -least
    payers = [i for i, amount in enumerate(payment.amounts, start=1) if amount < 0 and i != seat]
    if offers[0].payers is Payers.ONE and len(payers) > 1:
        for payer in payers:
            fee = amounts.text(-payment.amounts[payer - 1], kan)
            yield LineWanted(seat, payment.label, fee, payer)
        return
    plain = [offer.each[0] * playing.count_shares(offer, seat) for offer in offers]
    half = all(offer.halves for offer in offers) and total * 2 == sum(plain)
    gains = plain if half else [total - sum(plain[1:]), *plain[1:]]
    for offer, gain, due in zip(offers, gains, plain, strict=True):
        is_alone = len(payers) == 1 and (offer.alone or offer.payers is Payers.ONE)
        yield LineWanted(
            seat,
            offer.id,
            None if gain == due else amounts.text(gain, kan),
            payers[0] if is_alone else 0,
            half,
            payment.void if offer.struck else None,
        )
