"""A month of a right score sheet, and changes that make it impossible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Final, NamedTuple

from kafu.notation.game import Game, Month, Payment
from kafu.rules.grades import SCALES, GradeScale
from kafu.rules.play.seating import turn_order
from kafu.rules.rulesets import find_ruleset

SPECIAL: Final = ("sohachi", "futahachi", "sujuroku")
#: The prizes of koi-koi for a season, apart from the month itself.
PRIZES: Final = ("kobiki", "obiki")
#: Labels without a yaku, each its own kind.
OTHER: Final = frozenset(
    (
        *("points", "month", "tobikomi", "nuke", "ori", "oikomi", "mizuten", "fuke"),
        *("oyaken", "koikoi", "bai", "koikoigaeshi", *PRIZES),
    )
)


class Change(NamedTuple):
    """A broken month, and the possible verdicts.

    Attributes:
        month: The changed month.
        refused: Statements at one of which the record is refused.
        next_dealer: The dealer of the next month, None without a change.
        in_next: Whether the record may be refused in the next month.
        warning: The code of a warning that may replace a refusal.
    """

    month: Month
    refused: tuple[str, ...]
    next_dealer: int | None = None
    in_next: bool = False
    warning: str = ""


@dataclass(frozen=True)
class Case:
    """The month ``index`` of a right ``sheet``."""

    sheet: Game
    index: int
    random: Random

    @property
    def month(self) -> Month:
        """The month itself."""
        return self.sheet.months[self.index]

    @property
    def payments(self) -> Sequence[Payment]:
        """The lines of the month."""
        return self.month.payments

    @property
    def rules(self) -> str:
        """The id of the ruleset."""
        return self.sheet.rules

    @property
    def seats(self) -> range:
        """All seats at the table."""
        return range(1, len(self.sheet.players) + 1)

    @property
    def following(self) -> Month | None:
        """The next month, None after the last."""
        return self.sheet.months[self.index + 1] if self.index + 1 < self.count else None

    @property
    def count(self) -> int:
        """The number of months."""
        return len(self.sheet.months)

    @cached_property
    def yaku(self) -> set[str]:
        """All yaku and other labels except struck-out lines."""
        return {id for line in self.payments if not line.void for id in line.label.split("+")}

    @cached_property
    def is_struck_out(self) -> bool:
        """Whether some line is."""
        return any(line.void or line.label == "fuke" for line in self.payments)

    @cached_property
    def scale(self) -> GradeScale:
        """The factor of the month in the two hachi-hachi games, 1 elsewhere."""
        house = self.sheet.options.get("ba", "A") if self.rules == "hachihachi" else "A"
        return SCALES[house][(self.month.ba or "small").removesuffix("2")]

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The three players in play order; empty if the month does not show them."""
        order = turn_order(self.month.dealer, len(self.seats))
        besides = ("ori", "oikomi", "mizuten", "shiso")
        paid = {
            seat
            for line in self.payments
            if not set(besides) & set(line.label.split("+"))
            for seat in order
            if line.amounts[seat - 1]
        }
        playing = tuple(seat for seat in order if len(order) == 3 or seat in paid)
        return playing if len(playing) == 3 else ()

    def kind(self, line: Payment) -> str:
        """Return ``dealt``, ``captured`` or ``special``, or the label of another line."""
        first = line.label.split("+")[0]
        dealt = find_ruleset(self.rules).dealt
        if dealt and first in dealt.ids:
            return "dealt"
        if first in SPECIAL:
            return "special"
        return first if first in OTHER else "captured"

    def find(self, *kinds: str) -> list[int]:
        """Return the positions of valid lines of the kinds, by default of all kinds."""
        return [
            position
            for position, line in enumerate(self.payments)
            if not line.void and (not kinds or self.kind(line) in kinds)
        ]

    def choose(self, *kinds: str) -> int | None:
        """Return a random position from `find`, None if there is none."""
        positions = self.find(*kinds)
        return self.random.choice(positions) if positions else None

    def other(self, *seats: int, among: Iterable[int] = ()) -> int:
        """Return a playing seat that is not among ``seats``."""
        return self.random.choice([seat for seat in among or self.order if seat not in seats])

    def line(self, label: str, seat: int, each: int, payers: Iterable[int] = ()) -> Payment:
        """Return a line with equal payments of the payers, by default of all players."""
        amounts = [0] * len(self.seats)
        for payer in payers or self.order:
            amounts[payer - 1] = -each
        amounts[seat - 1] = 0
        amounts[seat - 1] = -sum(amounts)
        return Payment(label, tuple(amounts))

    def points(self, *deviations: int) -> Payment:
        """Return card points of the three in play order."""
        amounts = [0] * len(self.seats)
        for seat, amount in zip(self.order, self.scale.card_points(deviations), strict=True):
            amounts[seat - 1] = amount
        return Payment("points", tuple(amounts))

    def add(self, *lines: Payment) -> Change:
        """Append lines. The last line is refused, as the month is possible without it."""
        payments = [*self.payments, *lines]
        return Change(replace(self.month, payments=payments), (f"pay.{len(payments) - 1}",))

    def put(self, position: int, *lines: Payment) -> Change:
        """Replace a line by ``lines``. One of them, or a later line, is refused."""
        payments = [*self.payments[:position], *lines, *self.payments[position + 1 :]]
        refused = tuple(f"pay.{number}" for number in range(position, len(payments)))
        return Change(replace(self.month, payments=payments), refused)

    def leave_out(self, position: int) -> Change:
        """Leave out a line. Any other is refused, or the month."""
        change = self.put(position)
        return anywhere(change)


def anywhere(change: Change) -> Change:
    """Return a change that may be refused at any line of the month, or at the month."""
    lines = (f"pay.{number}" for number in range(len(change.month.payments)))
    return change._replace(refused=(*lines, "month", "stone"))


def seat_of(line: Payment) -> int:
    """Return the seat that gets a line."""
    return line.amounts.index(max(line.amounts)) + 1


def yaku_of(line: Payment) -> set[str]:
    """Return the yaku of a line."""
    return set(line.label.split("+"))


#: A way to break a month; returns None for a month that stays possible.
Way = Callable[[Case], Change | None]
