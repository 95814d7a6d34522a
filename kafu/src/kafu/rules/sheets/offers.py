"""Writing a score sheet: the possible payments of a month, and the lines made of chosen payments.

A ruleset's sheet returns its offers; the same sheet then checks the lines (`form.Sheet.enter`).
Sums are in the small unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from kafu.notation.game import Payment
from kafu.rules.sheets.lines import PaymentKind


class Paid(Enum):
    """The payers: the others in play, everybody else at the table, one player, or nobody."""

    PLAYING = "playing"
    TABLE = "table"
    ONE = "one"
    NOBODY = "nobody"


class Offer(NamedTuple):
    """A possible payment of a month, by label.

    ``each`` are the possible amounts of each payer, the plain one first. ``halves``: half may be
    paid (下げ, 取消し). ``alone``: one may pay for both (法度, 下げ). ``struck``: the payment may
    be struck out (吹き消し). ``seats`` are the possible receivers, empty for all. ``cards`` are the
    cards needed in any case (a mask). ``marks``: nothing is paid, but the receiver deals next.
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
    """A payment as entered by a person: receiver and label.

    ``gain`` is the whole sum paid, None for the sum by the rules. ``payer`` pays alone, 0 for all
    due payers. ``void`` None leaves striking out to the rules.
    """

    seat: int
    label: str
    gain: int | None = None
    payer: int = 0
    half: bool = False
    void: bool | None = None


class Playing(NamedTuple):
    """The seats in play in a month, in play order from the dealer on.

    ``players`` is the number of seats at the table.
    """

    dealer: int
    order: tuple[int, ...]
    players: int

    def payers(self, offer: Offer, chosen: Chosen) -> list[int]:
        """Return the payers of an offer to the seat of a choice."""
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
        """Return the number of shares of an offer for a seat, for any payers."""
        if offer.paid in (Paid.ONE, Paid.NOBODY):
            return 1
        among = self.order if offer.paid is Paid.PLAYING else range(1, self.players + 1)
        return sum(payer != seat for payer in among)


def gain(offer: Offer, chosen: Chosen, playing: Playing) -> int:
    """Return the whole sum of a payment: as entered, else by the plain value."""
    if chosen.gain is not None:
        return chosen.gain
    whole = offer.each[0] * playing.shares(offer, chosen.seat)
    return whole // 2 if chosen.half and offer.halves else whole


def amounts(offer: Offer, chosen: Chosen, playing: Playing) -> tuple[int, ...]:
    """Return the amounts of a payment for each seat.

    The payers pay equal parts; the first payers pay an indivisible remainder.
    """
    sums = [0] * playing.players
    if offer.marks:
        return tuple(sums)
    due = gain(offer, chosen, playing)
    sums[chosen.seat - 1] += due
    payers = playing.payers(offer, chosen)
    for i, seat in enumerate(payers):
        sums[seat - 1] -= due // len(payers) + (i < due % len(payers))
    return tuple(sums)


def join_payments(
    payments: Sequence[tuple[Offer, Chosen, Payment]], order: Sequence[str]
) -> list[tuple[Payment, tuple[Chosen, ...]]]:
    """Return payments with the payments of one player and kind joined in a line (S1).

    Only payments paid in the same way are joined. The yaku of a line are in ``order``.
    """
    lines: dict[object, list[tuple[Chosen, Payment]]] = {}
    for offer, chosen, payment in payments:
        key = (chosen.seat, offer.kind, chosen.payer, chosen.half, payment.void)
        if offer.kind is PaymentKind.OTHER or offer.paid is Paid.TABLE:
            key = (*key, payment.label)  # type: ignore[assignment]
        lines.setdefault(key, []).append((chosen, payment))
    joined_lines = []
    for parts in lines.values():
        labels = sorted((chosen.label for chosen, _ in parts), key=order.index)
        sums = tuple(map(sum, zip(*(payment.amounts for _, payment in parts), strict=True)))
        line = Payment("+".join(labels), sums, parts[0][1].void)
        joined_lines.append((line, tuple(chosen for chosen, _ in parts)))
    return joined_lines
