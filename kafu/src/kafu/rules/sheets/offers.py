"""Writing a score sheet: the possible payments of a month, and the lines made of chosen payments.

A sheet offers rows of the table of payments (`kafu.rules.payments`), and checks the lines by them.
Sums are in the small unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kafu.notation.game import Payment
from kafu.rules.payments import Payers, PaymentKind, PaymentRow, Receivers


class Chosen(NamedTuple):
    """A payment as entered by a person: receiver and label.

    ``gain`` is the whole sum paid, None for the sum by the rules. ``payer`` pays alone, 0 for all
    due payers. ``void`` None leaves striking out to the rules. ``number`` is the place in the form.
    """

    seat: int
    label: str
    gain: int | None = None
    payer: int = 0
    half: bool = False
    void: bool | None = None
    number: int = 0


class Playing(NamedTuple):
    """The seats in play in a month, in play order from the dealer on.

    ``players`` is the number of seats at the table.
    """

    dealer: int
    order: tuple[int, ...]
    players: int

    @property
    def idle(self) -> tuple[int, ...]:
        """The seats that are not in play."""
        return tuple(seat for seat in range(1, self.players + 1) if seat not in self.order)

    def list_receivers(self, row: PaymentRow) -> tuple[int, ...]:
        """Return the seats that may get a payment, none if it is not made by these players."""
        match row.receivers:
            case Receivers.FIRST:
                return self.order[:1]
            case Receivers.SECOND:
                return self.order[1:2]
            case Receivers.LAST:
                return self.order[-1:]
            case Receivers.IDLE:
                return self.idle
            case Receivers.BLIND:
                return self.order[:1] if self.idle and self.dealer in self.order else ()
            case Receivers.AT_LARGE_TABLE:
                return self.order if self.idle else ()
        return self.order

    def list_payers(self, row: PaymentRow, receiver: int) -> tuple[int, ...]:
        """Return the seats that pay a receiver, of whom a payment by one player has the first."""
        match row.payers:
            case Payers.PLAYING:
                among: tuple[int, ...] = self.order
            case Payers.TABLE:
                among = tuple(range(1, self.players + 1))
            case Payers.ONE:
                among = self.idle[:1]
            case _:
                among = ()
        return tuple(seat for seat in among if seat != receiver)

    def count_shares(self, row: PaymentRow, receiver: int) -> int:
        """Return the number of shares of a payment, for any payers."""
        return len(self.list_payers(row, receiver)) or 1


def compute_gain(row: PaymentRow, chosen: Chosen, playing: Playing) -> int:
    """Return the whole sum of a payment: as entered, else by the plain value."""
    if chosen.gain is not None:
        return chosen.gain
    whole = row.each[0] * playing.count_shares(row, chosen.seat)
    return whole // 2 if chosen.half and row.halves else whole


def compute_amounts(row: PaymentRow, chosen: Chosen, playing: Playing) -> tuple[int, ...]:
    """Return the amounts of a payment for each seat.

    The payers pay equal parts; the first payers pay an indivisible remainder.
    """
    sums = [0] * playing.players
    if row.marks:
        return tuple(sums)
    due = compute_gain(row, chosen, playing)
    sums[chosen.seat - 1] += due
    payers = playing.list_payers(row, chosen.seat)
    if chosen.payer and (row.alone or row.payers is Payers.ONE):
        payers = (chosen.payer,)
    for i, seat in enumerate(payers):
        sums[seat - 1] -= due // len(payers) + (i < due % len(payers))
    return tuple(sums)


def join_payments(
    payments: Sequence[tuple[PaymentRow, Chosen, Payment]], order: Sequence[str]
) -> list[tuple[Payment, tuple[Chosen, ...]]]:
    """Return payments with the payments of one player and kind joined in a line (S1).

    Only payments paid in the same way are joined. The yaku of a line are in ``order``.
    """
    lines: dict[object, list[tuple[Chosen, Payment]]] = {}
    for row, chosen, payment in payments:
        key = (chosen.seat, row.kind, chosen.payer, chosen.half, payment.void)
        if row.kind is PaymentKind.OTHER or row.payers is Payers.TABLE:
            key = (*key, payment.label)  # type: ignore[assignment]
        lines.setdefault(key, []).append((chosen, payment))
    joined_lines = []
    for parts in lines.values():
        labels = sorted((chosen.label for chosen, _ in parts), key=order.index)
        sums = tuple(map(sum, zip(*(payment.amounts for _, payment in parts), strict=True)))
        line = Payment("+".join(labels), sums, parts[0][1].void)
        joined_lines.append((line, tuple(chosen for chosen, _ in parts)))
    return joined_lines
