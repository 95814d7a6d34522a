"""Score sheets read back into the form (`kafu.editing.sheet_forms`).

Input: a sheet with known payments. Output: entries with the same payments: seat, yaku, and each
amount different from the plain value. The division of a line with several yaku is unknown; the
first yaku gets the line's amount less the plain values of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kafu.editing.sheet_composing import PLAYING, Writing, compose
from kafu.editing.sheet_forms import begin, write_month
from kafu.editing.sheet_months import MAX_LINES, LineWanted, MonthWanted
from kafu.facade.errors import BadValue
from kafu.notation.game import Game, Month, Payment
from kafu.notation.reading import amounts
from kafu.rules.sheets.lines import MONTH, POINTS, PaymentKind
from kafu.rules.sheets.offers import Offer, Paid, Playing


def reopen(game: Game) -> list[MonthWanted]:
    """Return the months of the form for a sheet, as closely as the payments tell.

    Raises UnknownRuleset, and BadValue for a game that is no score sheet.
    """
    if not game.is_sheet:
        raise BadValue("no score sheet", code="no-sheet")
    writing, _ = begin(game.rules, len(game.players), game.options)
    dealers = [MonthWanted(dealer=month.dealer) for month in game.months]
    months: list[MonthWanted] = []
    for number, month in enumerate(game.months, start=1):
        following = dealers[number] if number < len(dealers) else None
        months.append(_entered(writing, month, following, number))
        write_month(writing, months[-1], following, number)
    return months


def _entered(
    writing: Writing, month: Month, following: MonthWanted | None, number: int
) -> MonthWanted:
    """Return the entries of a month.

    A month with a sum keeps only the sum and the seat of a mark.
    """
    words = {
        payment.label: [amounts.text(amount, writing.kan) for amount in payment.amounts]
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
    composed = compose(writing, entered, number, is_followed=False)
    offered = {offer.label: offer for offer in composed.offers}
    payments = [
        (payment, [offered[label] for label in payment.label.split("+")])
        for payment in month.payments
        if offered.keys() >= {*payment.label.split("+")}
    ]
    if len(composed.written.playing.order) < writing.players:
        entered = replace(entered, out=_out(month, payments, writing.players))
    playing = compose(writing, entered, number, is_followed=False).written.playing
    marked = month.stone or (following and following.dealer) or month.dealer
    lines: list[LineWanted] = []
    for payment, offers in payments:
        if offers[0].marks:
            lines.append(LineWanted(marked, payment.label))
        elif not sums:
            lines += _lines(payment, offers, playing, kan=writing.kan)
    return replace(entered, lines=lines[:MAX_LINES])


def _out(
    month: Month, payments: Sequence[tuple[Payment, Sequence[Offer]]], players: int
) -> tuple[int, ...]:
    """Return the seats without a part in the month, if the payments among players tell."""
    among = [payment.amounts for payment, offers in payments if offers[0].paid is Paid.PLAYING]
    points = [payment.amounts for payment in month.payments if payment.label == POINTS]
    seats = range(1, players + 1)
    paying = {seat for seat in seats for sums in among if sums[seat - 1] < 0}
    paying |= {seat for seat in seats for sums in points if sums[seat - 1]}
    getting = {seat for seat in seats for sums in among if sums[seat - 1] > 0}
    for order in (paying, paying | getting):  # a player who is out can receive, but not pay
        if len(order) == PLAYING:
            return tuple(seat for seat in seats if seat not in order)
    return ()


def _lines(
    payment: Payment, offers: Sequence[Offer], playing: Playing, *, kan: bool
) -> Iterator[LineWanted]:
    """Yield the form's lines for one payment, one per yaku."""
    most, least = max(payment.amounts), min(payment.amounts)
    seat, total = payment.amounts.index(most) + 1, most
    if not most and least and playing.players == 2 and offers[0].kind is PaymentKind.DEALT:
        # The loser's dealt hand is subtracted from the winner's (K3).
        seat, total = 2 - payment.amounts.index(least), -least
    plain = [offer.each[0] * playing.shares(offer, seat) for offer in offers]
    half = all(offer.halves for offer in offers) and total * 2 == sum(plain)
    payers = [i for i, amount in enumerate(payment.amounts, start=1) if amount < 0 and i != seat]
    gains = plain if half else [total - sum(plain[1:]), *plain[1:]]
    for offer, gain, due in zip(offers, gains, plain, strict=True):
        is_alone = len(payers) == 1 and (offer.alone or offer.paid is Paid.ONE)
        yield LineWanted(
            seat,
            offer.label,
            None if gain == due else amounts.text(gain, kan),
            payers[0] if is_alone else 0,
            half,
            payment.void if offer.struck else None,
        )
