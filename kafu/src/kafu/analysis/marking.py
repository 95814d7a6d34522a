"""Which choices of a game may be called costly: Holm's procedure over all of them.

Among hundreds of choices some seem bad by chance. So the choices of a game are tested together
(Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics
6, 1979): the chance that any is called costly that cost nothing is at most `LEVEL`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, sqrt
from typing import Final, Protocol

#: The chance of one wrong mark or more in a game.
LEVEL: Final = 0.05
#: What costs less is not called costly, however certain it is (in the small unit).
LEAST: Final = 0.5


class Measured(Protocol):
    """How much better the rival of a choice was measured, as of `search.Valued`."""

    @property
    def better(self) -> float: ...
    @property
    def error(self) -> float: ...
    @property
    def deals(self) -> int: ...
    @property
    def exact(self) -> bool: ...
    @property
    def sought(self) -> bool: ...


def probability(choice: Measured) -> float:
    """The chance that the rival seems to be so much better if it is not, by the normal
    distribution; 1 where what was played was found best. Where it was better by the same in every
    deal, as with a hand that pays if it is declared, by the sign test.
    """
    if not choice.sought or choice.better <= 0:
        return 1.0
    if not choice.error:
        return 0.0 if choice.exact else 0.5**choice.deals
    return erfc(choice.better / choice.error / sqrt(2)) / 2


def costly(choices: Sequence[Measured]) -> list[bool]:
    """For each choice of a game whether it was costly beyond its error."""
    chances = [probability(choice) for choice in choices]
    order = sorted(range(len(choices)), key=lambda number: chances[number])
    marked = [False] * len(choices)
    for rank, number in enumerate(order):
        if chances[number] > LEVEL / (len(choices) - rank):
            break
        marked[number] = choices[number].better >= LEAST
    return marked
