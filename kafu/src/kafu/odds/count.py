"""Count hands and fields without enumerating all of them.

Hands that the rules do not distinguish are counted together, month by month or group by group. Only
one hand of each class needs to be judged.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations, product
from math import comb
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.hachihachi import hands as hachihachi_hands

_PICTURES: Final = (cards.BRIGHTS, cards.ANIMALS, cards.SLIPS)


class HandClass(NamedTuple):
    """A class of equivalent hands or fields: an example (a mask) and the number of hands."""

    hand: int
    ways: int


def count_by_months(size: int, key: Callable[[int], Hashable]) -> list[HandClass]:
    """Return all hands of ``size`` cards, classified by ``key``.

    The key of an incomplete hand must determine the keys of all its completions by other months.
    """
    classes = [HandClass(0, 1)]
    for month in cards.MONTHS[1:]:
        parts = _count_parts(month)
        classes = _merge(
            (key(hand | part), HandClass(hand | part, ways * part_ways))
            for hand, ways in classes
            for part, part_ways in parts
            if hand.bit_count() + part.bit_count() <= size
        )
    return [full for full in classes if full.hand.bit_count() == size]


def count_by_groups(size: int, *groups: int) -> list[HandClass]:
    """Return all hands of ``size`` cards, classified by the number of cards from each group.

    Groups are disjoint masks; the remaining cards of the pack are an additional group.

    >>> [hands.ways for hands in count_by_groups(2, cards.mask("AB"))]
    [1035, 92, 1]
    """
    plain = cards.ALL & ~sum(groups)
    classes = []
    for numbers in product(*(range(min(size, group.bit_count()) + 1) for group in groups)):
        plain_number = size - sum(numbers)
        if not 0 <= plain_number <= plain.bit_count():
            continue
        hand, ways = 0, 1
        for number, group in zip((*numbers, plain_number), (*groups, plain), strict=True):
            hand |= sum(list(cards.bits(group))[:number])
            ways *= comb(group.bit_count(), number)
        classes.append(HandClass(hand, ways))
    return classes


def count_cells(
    hands: Sequence[HandClass],
    rows: Sequence[str],
    columns: Sequence[str],
    judge: Callable[[int], tuple[str, str]],
) -> dict[str, dict[str, int]]:
    """Return the number of hands by row and column; ``judge`` returns both for a hand (a mask)."""
    cells = {row: dict.fromkeys(columns, 0) for row in rows}
    for hand, ways in hands:
        row, column = judge(hand)
        cells[row][column] += ways
    return cells


def _merge(keyed: Iterator[tuple[Hashable, HandClass]]) -> list[HandClass]:
    """Merge classes with equal keys, adding up their ways."""
    classes: dict[Hashable, HandClass] = {}
    for key, (hand, ways) in keyed:
        merged = classes.get(key, HandClass(hand, 0))
        classes[key] = merged._replace(ways=merged.ways + ways)
    return list(classes.values())


def _count_parts(month: int) -> list[HandClass]:
    """Return the possible parts of a hand from one month, by size, kinds and 立三本."""

    def key(part: int) -> Hashable:
        stands = part.bit_count() == 3 and hachihachi_hands.stands(part)
        return part.bit_count(), stands, *((part & kind).bit_count() for kind in _PICTURES)

    parts = (sum(part) for n in range(5) for part in combinations(cards.bits(month), n))
    return _merge((key(part), HandClass(part, 1)) for part in parts)
