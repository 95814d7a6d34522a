"""Writing a score sheet: the possible payments of a month, and the lines made of chosen payments.

A sheet offers rows of the table of payments (`kafu.rules.payments`), and checks the lines by them.
Sums are in the small unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, NamedTuple

from kafu.notation.game import Payment
from kafu.rules.grades import GradeScale
from kafu.rules.payments import (
    POINTS,
    Payers,
    PaymentKind,
    PaymentRow,
    PaymentTable,
    Receivers,
)


class Chosen(NamedTuple):
    """A payment as entered by a person: receiver and label.

    ``gain`` is the whole sum paid, None for the sum by the rules. ``payer`` pays alone, 0 for all
    due payers. ``void`` None leaves striking out to the rules. ``number`` is the place in the
    form, -1 for a payment that follows from others.
    """

    seat: int
    label: str
    gain: int | None = None
    payer: int = 0
    half: bool = False
    void: bool | None = None
    number: int = -1


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


class PaymentForm:
    """The form of a month on a ruleset's sheet: possible payments, and the lines of chosen ones.

    ``payments`` are those of a small field, ``scales`` those of the grades. ``par`` are the card
    points without gain or loss, by the place in play order; ``whole`` are those of all cards.
    ``prize_labels`` are the ids of prizes for several months.
    """

    #: Kinds of payments joined in one line for each player.
    joined: ClassVar[frozenset[PaymentKind]] = frozenset()

    def __init__(
        self, payments: PaymentTable, scales: Mapping[str, GradeScale], par: tuple[int, ...]
    ) -> None:
        self.payments, self.scales = payments, scales
        self.par, self.whole = par, sum(par)
        self.prize_labels = tuple(row.id for row in payments.values() if row.prize)

    @property
    def graded(self) -> bool:
        """Whether months have a field grade, ``ba``."""
        return bool(self.scales)

    @property
    def pointed(self) -> bool:
        """Whether card points are paid."""
        return POINTS in self.payments

    @property
    def deviations(self) -> range:
        """The possible differences from par."""
        return range(-max(self.par), self.whole - min(self.par) + 1)

    def list_payments(self, ba: str | None) -> PaymentTable:
        """Return the payments of the due month at a grade (H18, B2)."""
        if not self.scales:
            return self.payments
        return self.payments.at(self.scales[(ba or "small").removesuffix("2")])

    def offers(
        self, ba: str | None, playing: Playing, chosen: Sequence[Chosen] = ()
    ) -> tuple[PaymentRow, ...]:
        """Return the possible payments of the due month, at a grade or the plainest due.

        Card points are entered apart, and prizes follow from the months. Joined yaku of a player
        are in the same order. ``chosen`` is for values that depend on the other lines.
        """
        payments = self.list_payments(ba or next(iter(self.grades_due()), None))
        return tuple(
            row
            for row in payments.values()
            if row.payers is not Payers.BALANCE and not row.prize and playing.list_receivers(row)
        )

    def grades_due(self) -> tuple[str, ...]:
        """Return the possible grades of the due month, the plainest first; none without grades."""
        return ()

    def bars(self, offer: PaymentRow, seat: int, other: PaymentRow, other_seat: int) -> bool:
        """Return whether a player cannot have an offer because of another taken offer (S1, S4)."""
        have_ends = bool(offer.ends and other.ends) and not (offer.struck or other.struck)
        if have_ends and offer.ends.isdisjoint(other.ends):
            return True
        if seat != other_seat:
            return bool(offer.cards & other.cards) or (offer.of_winner and other.of_winner)
        yaku = offer.kind is not PaymentKind.OTHER and offer.kind is other.kind
        return yaku and self.payments.find_kind((offer.id, other.id)) is None

    def written(
        self,
        chosen: Sequence[Chosen],
        points: tuple[int, ...] | None,
        offers: Sequence[PaymentRow],
        playing: Playing,
    ) -> list[tuple[Payment, tuple[Chosen, ...]]]:
        """Return the lines of a month by the chosen payments, each with the choices in the line.

        Payments of one player and kind are joined if they are paid in the same way (S1). Lines come
        in the order of entry, then card points. Raise KeyError for a payment not offered.
        """
        by_label = {offer.id: offer for offer in offers}
        chosen = self.complete(chosen, by_label, playing)
        strikes = self.strikes([by_label[choice.label] for choice in chosen], points)
        parts: dict[object, list[tuple[Chosen, Payment]]] = {}
        for choice in chosen:
            offer = by_label[choice.label]
            void = offer.struck and strikes if choice.void is None else choice.void
            payment = Payment(choice.label, compute_amounts(offer, choice, playing), void)
            key: object = choice.number
            if offer.kind in self.joined and offer.payers is not Payers.TABLE:
                key = (choice.seat, offer.kind, choice.payer, choice.half, void)
            parts.setdefault(key, []).append((choice, payment))
        lines: list[tuple[Payment, tuple[Chosen, ...]]] = []
        for joined in parts.values():
            labels = sorted((choice.label for choice, _ in joined), key=list(by_label).index)
            paid = tuple(map(sum, zip(*(payment.amounts for _, payment in joined), strict=True)))
            payment = Payment("+".join(labels), paid, joined[0][1].void)
            lines.append((payment, tuple(choice for choice, _ in joined)))
        if points is not None:
            lines.append((Payment(POINTS, points, self.strikes_points(points)), ()))
        return lines

    def complete(
        self, chosen: Sequence[Chosen], offers: Mapping[str, PaymentRow], playing: Playing
    ) -> Sequence[Chosen]:
        """Return chosen payments with the amounts and payments that follow from others."""
        return chosen

    def strikes(self, offers: Sequence[PaymentRow], points: tuple[int, ...] | None) -> bool:
        """Return whether a month strikes out the lines with the flag ``struck``."""
        is_special = any(offer.marks or offer.kind is PaymentKind.SPECIAL for offer in offers)
        return is_special or (points is not None and self.strikes_points(points))

    def strikes_points(self, points: tuple[int, ...]) -> bool:
        """Return whether card points, and all lines with them, are struck out."""
        return False

    def paid_points(
        self, captured: tuple[int, ...], ba: str | None, playing: Playing
    ) -> tuple[int, ...]:
        """Return the payments for card points ``captured``, by seat; 0 for seats not in play."""
        deviations = [0] * playing.players
        for seat, par in zip(playing.order, self.par, strict=False):
            deviations[seat - 1] = captured[seat - 1] - par
        return self.list_payments(ba).scale.card_points(tuple(deviations))

    def prizes(self, payments: Sequence[Payment]) -> Iterable[Payment]:
        """Return the lines that follow from earlier months and the month's ``payments``."""
        return ()
