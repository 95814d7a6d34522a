"""Dealt-hand yaku by count (手役): the counts of months in a hand, and the odds of these yaku.

Groups are exact: a four of a month is no three, a three no pair (C6). The groups name a hand (K4).
A *pattern* is the counts of the months in a hand, the largest first: 3-2-2-1 is ``(3, 2, 2, 1)``.
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
#: なさけ of a hand that has three ribbons only if willow counts as ribbons (T5).
WITH_RAIN: Final = "nasake-ame"


class HandYaku(NamedTuple):
    """A dealt-hand yaku of a house: id, value in the small unit, and its patterns."""

    id: str
    value: int
    patterns: tuple[Pattern, ...]


def pattern(hand: int) -> Pattern:
    """Return the pattern of a hand (mask).

    >>> from kafu.cards import mask
    >>> pattern(mask("ABEFIJMN"))
    (2, 2, 2, 2)
    """
    singles, twos, threes, fours = by_count(hand)
    return _pattern(fours.bit_count(), threes.bit_count(), twos.bit_count(), singles.bit_count())


@cache
def _pattern(fours: int, threes: int, twos: int, singles: int) -> Pattern:
    return (4,) * fours + (3,) * threes + (2,) * twos + (1,) * singles


def find(table: tuple[HandYaku, ...], hand: int) -> HandYaku | None:
    """Return the dealt-hand yaku of a hand (mask), None without one.

    The first row with the pattern of the hand counts.
    """
    shape = pattern(hand)
    return next((row for row in table if shape in row.patterns), None)


def in_house(table: tuple[HandYaku, ...], house_table: tuple[HandYaku, ...], yaku: str) -> str:
    """Return the yaku of ``house_table`` for hands that count as ``yaku`` in the whole ``table``.

    Return `NONE` if the house pays nothing for them. Both tables have the best yaku first.

    >>> whole = (HandYaku("haneken", 35, ((3, 2, 2),)), HandYaku("sanbon", 10, ((3, 2, 2), (3,))))
    >>> in_house(whole, whole[1:], "haneken")
    'sanbon'
    """
    better: set[Pattern] = set()
    for row in table:
        shape = next((shape for shape in row.patterns if shape not in better), None)
        if row.id == yaku and shape is not None:
            return next((played.id for played in house_table if shape in played.patterns), NONE)
        better.update(row.patterns)
    return NONE


def patterns(size: int, largest: int = 4, months: int = 12) -> Iterator[Pattern]:
    """Generate all patterns of a hand of ``size`` cards, with at most ``largest`` of a month."""
    if size == 0:
        yield ()
    elif months:
        for first in range(min(size, largest), 0, -1):
            for further in patterns(size - first, first, months - 1):
                yield (first, *further)


def hands(shape: Pattern) -> int:
    """Return the number of hands with a pattern.

    They are the choices of months times the choices of cards within each month.

    >>> hands((4, 4))
    66
    """
    alike = prod(factorial(n) for n in Counter(shape).values())
    months = factorial(12) // factorial(12 - len(shape)) // alike
    return months * prod(comb(4, n) for n in shape)


def odds(table: tuple[HandYaku, ...]) -> dict[str, int]:
    """Return the exact number of hands with each yaku of ``table``, counted by patterns."""
    return {row.id: sum(map(hands, row.patterns)) for row in table}
