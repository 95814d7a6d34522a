"""Exact odds of dealt hands and of field grades, from the functions that judge games.

Nothing is stored and no hand is judged twice: hands that no yaku tells apart are counted together,
month by month, and one of each kind is judged. All counts are whole numbers, all means fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any, Final, NamedTuple

from records import cards
from records.engine import grades, hachihachi, hachihachi_hands, teyaku
from records.engine.profiles import TEYAKU
from records.kafu.vocabulary import KAN

#: No yaku (なし), as a row or a column.
NONE: Final = "nashi"
GRADES: Final = ("small", "large", "absolute")
#: What 二代しばり can carry into a month.
BOUND: Final = (None, "large", "absolute")
MONTHS: Final = 12
_KINDS: Final = (cards.BRIGHTS, cards.ANIMALS, cards.SLIPS)


class Chance(NamedTuple):
    """So many of so many, each as likely as the other."""

    count: int
    total: int

    @property
    def percent(self) -> float:
        """Per hundred."""
        return 100 * self.count / self.total

    @property
    def one_in(self) -> float | None:
        """The n of 1/n, None for what never happens."""
        return self.total / self.count if self.count else None


@dataclass(frozen=True, slots=True)
class Hands:
    """Dealt-hand yaku of hands of ``size`` cards.

    ``matrix`` counts hands by row (yaku by count) and column (dregs family), `NONE` for none there;
    a hand counts where its dearest declaration stands. A ruleset without the dregs family has the
    one column `NONE`. ``values`` are in the small unit, by yaku.
    """

    size: int
    values: Mapping[str, int]
    matrix: Mapping[str, Mapping[str, int]]

    @property
    def total(self) -> int:
        """How many hands there are."""
        return comb(48, self.size)

    @property
    def rows(self) -> dict[str, int]:
        """Hands by yaku of the rows."""
        return {row: sum(cells.values()) for row, cells in self.matrix.items()}

    @property
    def columns(self) -> dict[str, int]:
        """Hands by yaku of the columns."""
        sums: Counter[str] = Counter()
        for cells in self.matrix.values():
            sums.update(cells)
        return dict(sums)

    @property
    def any(self) -> int:
        """Hands with a yaku."""
        return self.total - self.matrix[NONE][NONE]

    @property
    def compound(self) -> int:
        """Hands with a yaku of both families."""
        return self.any - sum(self.matrix[NONE].values()) - self.rows_alone() + self.alone()

    def value(self, row: str, column: str) -> int:
        """What is declared together, in the small unit."""
        return self.values[row] + self.values[column]

    @property
    def mean_value(self) -> Fraction:
        """What a hand is worth on the average, in the small unit."""
        worth = (
            count * self.value(row, column)
            for row, cells in self.matrix.items()
            for column, count in cells.items()
        )
        return Fraction(sum(worth), self.total)
