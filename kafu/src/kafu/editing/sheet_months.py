"""Months of a score sheet in a form: as entered, as written, and the payments on offer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from kafu.notation.faults import Fault
from kafu.notation.game import Month
from kafu.rules.sheets.offers import Offer, Paid, Playing
from kafu.rules.verdict import DealResult

#: Maximum number of payments of a month in a form.
MAX_LINES: Final = 40


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
    unfinished month, and after an earlier fault.
    """

    month: Month
    playing: Playing
    score: tuple[int, ...]
    totals: tuple[int, ...]
    made_by: list[tuple[int, ...]]
    points: tuple[int, ...] | None
    captured: tuple[int, ...] | None
    result: DealResult | None = None


class Bar(NamedTuple):
    """The payment that excludes an offer: label and receiving seat."""

    label: str
    seat: int


@dataclass(frozen=True, slots=True)
class OfferedMonth:
    """The possible payments of the current month.

    ``bars`` are by label and seat. ``stone`` tells whether the form asks for the next dealer,
    ``stones`` whether a stone marks the dealer, and ``points`` whether card points are paid;
    ``whole`` are the points of all cards.
    """

    number: int
    month: int
    dealers: tuple[int, ...]
    grades: tuple[str, ...]
    grade: str | None
    offers: tuple[Offer, ...]
    bars: Mapping[tuple[str, int], Bar]
    playing: Playing
    stone: bool
    stones: bool
    points: bool
    whole: int

    def seats(self, offer: Offer) -> tuple[int, ...]:
        """Return the seats that may get an offer."""
        return offer.seats or self.playing.order

    def payers(self, offer: Offer) -> tuple[int, ...]:
        """Return the seats that may pay an offer alone."""
        if offer.paid is Paid.ONE:
            every = range(1, self.playing.players + 1)
            return tuple(seat for seat in every if seat not in self.playing.order)
        return self.playing.order if offer.alone else ()
