"""Writing a score sheet: what a month may be paid for, and the lines that follow from what was
chosen.

A ruleset's sheet says what it offers; the same sheet then checks the lines (`form.Sheet.enter`).
Sums are in the small unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from kafu.notation.game import Payment
from kafu.rules.sheets.lines import PaymentKind


class Paid(Enum):
    """Who pays: the others in play, everybody else at the table, one player, or nobody."""

    PLAYING = "playing"
    TABLE = "table"
    ONE = "one"
    NOBODY = "nobody"


class Offer(NamedTuple):
    """A payment that a month may have, by its label.

    ``each`` are the possible amounts from each who pays, the plain one first. ``halves``: it may be
    paid by half (下げ, 取消し). ``alone``: one may pay for both (法度, 下げ). ``struck``: it may be
    struck out (吹き消し). ``seats`` are who may get it, empty for all. ``cards`` are those that it
    needs in any case (a mask). ``marks``: nothing is paid, but who gets it deals next.
    """

    label: str
    kind: PaymentKind
    each: tuple[int, ...]
    paid: Paid = Paid.PLAYING
    halves: bool = False
    alone: bool = False
    struck: bool = False
    seats: tuple[int, ...] = ()
    cards: int = 0
    marks: bool = False


class Chosen(NamedTuple):
    """One payment as a person enters it: who gets it, and for what.

    ``gain`` is what was paid in all, None for what the rules say. ``payer`` is who pays alone, 0
    for all who have to. ``void`` None leaves striking out to the rules.
    """

    seat: int
    label: str
    gain: int | None = None
    payer: int = 0
    half: bool = False
    void: bool | None = None


class Playing(NamedTuple):
    """Who plays a month, in play order from the dealer on, of how many at the table."""

    dealer: int
    order: tuple[int, ...]
    players: int

    def payers(self, offer: Offer, chosen: Chosen) -> list[int]:
        """Who pays an offer to the seat that chose it."""
        if chosen.payer and (offer.alone or offer.paid is Paid.ONE):
            return [chosen.payer]
        among: Sequence[int] = ()
        if offer.paid is Paid.PLAYING:
            among = self.order
        elif offer.paid is Paid.TABLE:
            among = range(1, self.players + 1)
        elif offer.paid is Paid.ONE:
            out = [seat for seat in range(1, self.players + 1) if seat not in self.order]
            among = out[:1]
        return [seat for seat in among if seat != chosen.seat]

    def shares(self, offer: Offer, seat: int) -> int:
        """How many shares an offer has for a seat, whoever pays them."""
        if offer.paid in (Paid.ONE, Paid.NOBODY):
            return 1
        among = self.order if offer.paid is Paid.PLAYING else range(1, self.players + 1)
        return sum(other != seat for other in among)


def gain(offer: Offer, chosen: Chosen, playing: Playing) -> int:
    """What a payment brings in all: as entered, else its plain value."""
    if chosen.gain is not None:
        return chosen.gain
    whole = offer.each[0] * playing.shares(offer, chosen.seat)
    return whole // 2 if chosen.half and offer.halves else whole


def amounts(offer: Offer, chosen: Chosen, playing: Playing) -> tuple[int, ...]:
    """The amounts a seat: what is gained is paid in equal parts, what is left by the first."""
    found = [0] * playing.players
    if offer.marks:
        return tuple(found)
    due = gain(offer, chosen, playing)
    found[chosen.seat - 1] += due
    payers = playing.payers(offer, chosen)
    for i, seat in enumerate(payers):
        found[seat - 1] -= due // len(payers) + (i < due % len(payers))
    return tuple(found)


def joined(
    payments: Sequence[tuple[Offer, Chosen, Payment]], order: Sequence[str]
) -> list[tuple[Payment, tuple[Chosen, ...]]]:
    """Payments with those of one player and kind in one line, as long as they were paid in the same
    way (S1); the yaku of a line stand in ``order``.
    """
    lines: dict[object, list[tuple[Chosen, Payment]]] = {}
    for offer, chosen, payment in payments:
        key = (chosen.seat, offer.kind, chosen.payer, chosen.half, payment.void)
        if offer.kind is PaymentKind.OTHER or offer.paid is Paid.TABLE:
            key = (*key, payment.label)  # type: ignore[assignment]
        lines.setdefault(key, []).append((chosen, payment))
    found = []
    for parts in lines.values():
        labels = sorted((chosen.label for chosen, _ in parts), key=order.index)
        sums = tuple(map(sum, zip(*(payment.amounts for _, payment in parts), strict=True)))
        line = Payment("+".join(labels), sums, parts[0][1].void)
        found.append((line, tuple(chosen for chosen, _ in parts)))
    return found
