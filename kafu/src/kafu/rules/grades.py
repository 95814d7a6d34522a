"""Field grades (場), their factor on every payment, and 二代しばり (H1, H18)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, NamedTuple

from kafu.cards import CRANE, CURTAIN, MOON, PHOENIX, RAIN_MAN

#: 絶場対象札 and 大場対象札.
ABSOLUTE: Final = RAIN_MAN | PHOENIX
LARGE: Final = CRANE | CURTAIN | MOON
#: The 二代しばり that can be carried into a month.
BOUNDS: Final = (None, "large", "absolute")


@dataclass(frozen=True, slots=True)
class GradeScale:
    """The effect of a grade on values.

    ``halves`` is the factor in halves: 2 is ×1, 3 is ×1.5. ``more`` are kan added to dealt-hand,
    captured-hand and special yaku, but not to 飛込み and 抜け.
    """

    halves: int = 2
    more: int = 0

    def card_points(self, deviations: tuple[int, ...]) -> tuple[int, ...]:
        """Return deviations from 88 with the factor.

        At ×1.5 odd deviations first move one toward zero, and the third player's takes up the
        difference (H18).
        """
        if self.halves % 2:
            even = [d - (d > 0) + (d < 0) if d % 2 else d for d in deviations]
            third = next((i for i, d in enumerate(deviations) if d % 2 == 0), 0)
            even[third] -= sum(even)
            deviations = tuple(even)
        return tuple(d * self.halves // 2 for d in deviations)

    def list_amounts(self, deviations: range) -> range:
        """Return the possible amounts of a player for a range of ``deviations``.

        At ×1.5 odd deviations are rounded, so that every amount is of an even deviation.
        """
        first, last, step = deviations[0], deviations[-1], self.halves // 2
        if self.halves % 2:
            first, last, step = -(-first // 2), last // 2, self.halves
        return range(first * step, last * step + 1, step)

    def list_deviations(self, amounts: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the possible deviations, by seat, for the ``amounts`` paid.

        There are several only if odd deviations are rounded (H18), of three players.
        """
        nearest = tuple(2 * amount // self.halves for amount in amounts)
        if self.halves % 2 == 0:
            return [nearest]
        return [
            triple
            for first, second in product(range(-2, 3), repeat=2)
            for triple in [(nearest[0] + first, nearest[1] + second, nearest[2] - first - second)]
            if self.card_points(triple) == tuple(amounts)
        ]


GRADES: Final = ("small", "large", "absolute")
#: Option ``ba``: A to F, by grade.
SCALES: Final[Mapping[str, Mapping[str, GradeScale]]] = {
    name: dict(zip(GRADES, scales, strict=True))
    for name, scales in {
        "A": (GradeScale(2), GradeScale(4), GradeScale(8)),
        "B": (GradeScale(2), GradeScale(4), GradeScale(6)),
        "C": (GradeScale(2), GradeScale(3), GradeScale(4)),
        "D": (GradeScale(2), GradeScale(4), GradeScale(4)),
        "E": (GradeScale(2), GradeScale(2), GradeScale(2)),
        "F": (GradeScale(2), GradeScale(2, more=1), GradeScale(2, more=2)),
    }.items()
}


def grade(field: int, bound: str | None) -> tuple[str, str | None]:
    """Return the grade of a month and the 二代しばり that the month carries on (H1).

    ``field`` is the dealt field (mask), ``bound`` the 二代しばり carried into the month. An
    absolute bright or an absolute 二代しばり makes the month absolute, else a large one large. Both
    absolute brights carry on an absolute 二代しばり. Two large brights carry on a large 二代しばり,
    except in a month that is absolute.
    """
    absolutes = (field & ABSOLUTE).bit_count()
    larges = (field & LARGE).bit_count()
    if absolutes == 2:
        return "absolute", "absolute"
    if bound == "absolute" or absolutes:
        return "absolute", None
    if larges >= 2:
        return "large", "large"
    return ("large", None) if bound == "large" or larges else ("small", None)


class Carried(NamedTuple):
    """Brights left over from earlier fields (持ち越し, B2): the number of each grade."""

    absolutes: int = 0
    larges: int = 0

    @property
    def strongest(self) -> str | None:
        """The grade of the strongest carried bright, None without any."""
        return "absolute" if self.absolutes else "large" if self.larges else None

    def join(self, field: int) -> tuple[str, Carried]:
        """Return the grade of a month with this dealt ``field`` (mask), and the brights carried on.

        The month takes the strongest of its own and the carried brights, and carries on the others
        (B2).
        """
        absolutes = self.absolutes + (field & ABSOLUTE).bit_count()
        larges = self.larges + (field & LARGE).bit_count()
        if absolutes:
            return "absolute", Carried(absolutes - 1, larges)
        if larges:
            return "large", Carried(0, larges - 1)
        return "small", Carried()


class Grades(NamedTuple):
    """The sequence of field grades over a year, from a first month with nothing carried in.

    ``step`` returns the grade of a field (mask) with the carry of the month before, and the new
    carry. ``name`` names a carry by a member of `BOUNDS`, and ``of`` has one
    carry for each name. ``extends``: a carry left after the last month extends the year (越年).
    """

    of: Mapping[str | None, Any]
    step: Callable[[int, Any], tuple[str, Any]]
    name: Callable[[Any], str | None]
    extends: bool


#: The grades of 三人はちはち: a month carries on a 二代しばり at the most (H1).
BOUND_GRADES: Final = Grades(
    {bound: bound for bound in BOUNDS}, grade, lambda bound: bound, extends=True
)
#: The grades of 八八: a month carries on the brights that it does not use (B2).
BRIGHT_GRADES: Final = Grades(
    {None: Carried(), "large": Carried(0, 1), "absolute": Carried(1, 0)},
    lambda field, carried: carried.join(field),
    lambda carried: carried.strongest,
    extends=False,
)
