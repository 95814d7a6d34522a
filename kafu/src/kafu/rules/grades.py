"""Field grades (場) and the factor they put on every payment; 二代しばり (H1, H18)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from kafu.cards import CRANE, CURTAIN, MOON, PHOENIX, RAIN_MAN
from kafu.notation.vocabulary import KAN

#: 絶場対象札 and 大場対象札.
ABSOLUTE: Final = RAIN_MAN | PHOENIX
LARGE: Final = CRANE | CURTAIN | MOON
#: The 二代しばり that can be carried into a month.
BOUNDS: Final = (None, "large", "absolute")


@dataclass(frozen=True, slots=True)
class Scale:
    """The effect of a grade on values: ``halves`` half-times (2 is ×1, 3 is ×1.5), ``more`` kan
    added.

    ``more`` is added to dealt-hand, captured-hand and special yaku, not to 飛込み and 抜け.
    """

    halves: int = 2
    more: int = 0

    def yaku(self, kan: int) -> int:
        """A yaku's value in points, additions before factors (H18)."""
        return (kan + self.more) * KAN * self.halves // 2

    def yaku_sum(self, kan: int, count: int) -> int:
        """The value in points of ``count`` yaku declared together, worth ``kan``."""
        return (kan + count * self.more) * KAN * self.halves // 2

    def plain(self, kan: int) -> int:
        """The value in points of payments without addition (飛込み, 抜け)."""
        return kan * KAN * self.halves // 2

    def card_points(self, deviations: tuple[int, ...]) -> tuple[int, ...]:
        """Deviations from 88 with the factor; at ×1.5 odd ones first move one toward zero (H18)."""
        if self.halves % 2:
            even = [d - (d > 0) + (d < 0) if d % 2 else d for d in deviations]
            left = -sum(even)
            third = next((i for i, d in enumerate(deviations) if d % 2 == 0), 0)
            even[third] += left
            deviations = tuple(even)
        return tuple(d * self.halves // 2 for d in deviations)


#: Option ``ba``: A to F, by grade.
SCALES: Final[Mapping[str, Mapping[str, Scale]]] = {
    name: dict(zip(("small", "large", "absolute"), scales, strict=True))
    for name, scales in {
        "A": (Scale(2), Scale(4), Scale(8)),
        "B": (Scale(2), Scale(4), Scale(6)),
        "C": (Scale(2), Scale(3), Scale(4)),
        "D": (Scale(2), Scale(4), Scale(4)),
        "E": (Scale(2), Scale(2), Scale(2)),
        "F": (Scale(2), Scale(2, more=1), Scale(2, more=2)),
    }.items()
}


def grade(field: int, bound: str | None) -> tuple[str, str | None]:
    """The grade of a month by its dealt field (mask) and the 二代しばり carried into it, and the
    one that it carries on.

    An absolute bright or 二代しばり makes it absolute, else a large one large. Both absolute
    brights carry on an absolute 二代しばり; two large ones a large, but in a month that is
    absolute (H1).
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
    """Brights left over from earlier fields (持ち越し, B2): how many of each grade."""

    absolutes: int = 0
    larges: int = 0

    @property
    def strongest(self) -> str | None:
        """The grade of the strongest, None if none is carried."""
        return "absolute" if self.absolutes else "large" if self.larges else None

    def join(self, field: int) -> tuple[str, Carried]:
        """The grade of a month with this dealt ``field`` (mask), and what is carried on: the month
        takes the strongest of its own brights and those carried in, and leaves the rest (B2).
        """
        absolutes = self.absolutes + (field & ABSOLUTE).bit_count()
        larges = self.larges + (field & LARGE).bit_count()
        if absolutes:
            return "absolute", Carried(absolutes - 1, larges)
        if larges:
            return "large", Carried(0, larges - 1)
        return "small", Carried()
