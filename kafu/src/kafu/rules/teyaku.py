"""Dealt-hand yaku by count (手役): how many cards of each month a hand has, and their odds.

Groups are exact: a four of a month is no three, a three no pair (C6). A hand is named by its groups
(K4). A *pattern* is the counts of the months in a hand, the largest first: 3-2-2-1 is ``(3, 2, 2,
1)``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import comb, factorial, prod
from typing import Final, NamedTuple

from kafu.cards import by_count

Pattern = tuple[int, ...]
#: No yaku (なし), as a row or column of odds.
NONE: Final = "nashi"
#: なさけ of slips that only willow makes three, of those who may count it (T5).
WITH_RAIN: Final = "nasake-ame"


class HandYaku(NamedTuple):
    """A dealt-hand yaku of a house's table: id, value in the small unit, the patterns that make
    it.
    """

    id: str
    value: int
    patterns: tuple[Pattern, ...]


def pattern(hand: int) -> Pattern:
    """The pattern of a hand (mask).

    >>> from kafu.cards import mask
    >>> pattern(mask("ABEFIJMN"))
    (2, 2, 2, 2)
    """
    ones, twos, threes, fours = by_count(hand)
    how_many = fours.bit_count(), threes.bit_count(), twos.bit_count(), ones.bit_count()
    return _pattern(*how_many)


@cache
def _pattern(fours: int, threes: int, twos: int, ones: int) -> Pattern:
    return (4,) * fours + (3,) * threes + (2,) * twos + (1,) * ones


def find(table: tuple[HandYaku, ...], hand: int) -> HandYaku | None:
    """The dealt-hand yaku of a hand (mask), None if it has none. Patterns exclude each other."""
    shape = pattern(hand)
    return next((row for row in table if shape in row.patterns), None)


def in_house(table: tuple[HandYaku, ...], house: tuple[HandYaku, ...], yaku: str) -> str:
    """Return the yaku of ``house`` that hands make which count for ``yaku`` in the whole ``table``,
    or `NONE`. Both tables have the best yaku first.

    >>> whole = (HandYaku("haneken", 35, ((3, 2, 2),)), HandYaku("sanbon", 10, ((3, 2, 2), (3,))))
    >>> in_house(whole, whole[1:], "haneken")
    'sanbon'
    """
    taken: set[Pattern] = set()
    for row in table:
        shape = next((shape for shape in row.patterns if shape not in taken), None)
        if row.id == yaku and shape is not None:
            return next((played.id for played in house if shape in played.patterns), NONE)
        taken.update(row.patterns)
    return NONE


def patterns(size: int, largest: int = 4, months: int = 12) -> Iterator[Pattern]:
    """All patterns of a hand of ``size`` cards, with at most ``largest`` of a month."""
    if size == 0:
        yield ()
    elif months:
        for first in range(min(size, largest), 0, -1):
            for rest in patterns(size - first, first, months - 1):
                yield (first, *rest)


def hands(shape: Pattern) -> int:
    """How many hands have a pattern: choices of months times choices of cards within each.

    >>> hands((4, 4))
    66
    """
    alike = prod(factorial(n) for n in Counter(shape).values())
    months = factorial(12) // factorial(12 - len(shape)) // alike
    return months * prod(comb(4, n) for n in shape)


def odds(table: tuple[HandYaku, ...]) -> dict[str, int]:
    """Of all hands, how many make each yaku of ``table``: exact, by patterns."""
    return {row.id: sum(map(hands, row.patterns)) for row in table}
