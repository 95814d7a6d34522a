"""The months of a score sheet that is being written: as they are entered, as they stand on it, and
what one may still have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from kafu.notation.faults import Fault
from kafu.notation.game import Month
from kafu.rules.sheets.offers import Offer, Paid, Playing
from kafu.rules.verdict import DealResult

#: Payments of one month that a form takes.
MAX_LINES: Final = 40


@dataclass(frozen=True, slots=True)
class LineWanted:
    """A payment as a form holds it: who gets it, what for, and what was paid in all, in words (None
    for what the rules say); the rest as in `kafu.rules.sheets.offers.Chosen`.
    """

    seat: int
    label: str
    gain: str | None = None
    payer: int = 0
    half: bool = False
    void: bool | None = None


@dataclass(frozen=True, slots=True)
class MonthWanted:
    """A month as a form holds it; what is None, empty or ``""`` follows from the rules.

    ``points``, ``captured`` and ``sums`` are words by seat: card points as they are paid, or else
    as they were captured, or what the month gave in all (S2).
    ``out`` are those who do not play. ``nothing`` says that nothing was paid. ``short`` and
    ``counted`` say how the month was entered, by its sums alone or with card points as they were
    captured; nothing follows from them.
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
        """Whether nothing was entered."""
        words = (*self.points, *self.captured, *self.sums)
        entered = self.lines or any(words) or self.stone or self.nothing
        return not (entered or self.dealer or self.ba)


class MonthFault(NamedTuple):
    """What is wrong in a month of the form (from 1), at one of its fields: ``dealer``, ``ba``,
    ``line.0``, ``points``, ``sums``, ``stone`` or ``month``.
    """

    number: int
    field: str
    fault: Fault


@dataclass(slots=True)
class WrittenMonth:
    """A month as it stands on the sheet. ``made_by`` are the numbers of the form's lines of each
    payment. ``result`` is None where it is not over, or not judged after a fault before it.
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
    """What keeps a player from an offer: another one that is taken, and by whom."""

    label: str
    seat: int


@dataclass(frozen=True, slots=True)
class OfferedMonth:
    """What the month that is looked at may have. ``bars`` are by label and seat, ``stone`` says
    whether it is asked who deals next, and ``stones`` whether a stone says so; ``points`` whether
    card points are paid, which are ``whole`` in all.
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
        """Who may get an offer."""
        return offer.seats or self.playing.order

    def payers(self, offer: Offer) -> tuple[int, ...]:
        """Who may pay an offer alone."""
        if offer.paid is Paid.ONE:
            every = range(1, self.playing.players + 1)
            return tuple(seat for seat in every if seat not in self.playing.order)
        return self.playing.order if offer.alone else ()
