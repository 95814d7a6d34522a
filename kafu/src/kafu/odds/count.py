"""Counts hands and fields by the properties that the rules see, without enumerating every one.

Hands that no rule distinguishes are counted together, month by month or group by group, and one of
each kind is judged.
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
    """A hand or field as a mask, and the number of ways to deal one equivalent to it."""

    hand: int
    ways: int


def by_months(size: int, key: Callable[[int], Hashable]) -> list[HandClass]:
    """Every hand of ``size`` cards, those of one ``key`` together.

    The key of a part of a hand must contain all that matters of it whatever months are added.
    """
    dealt = [HandClass(0, 1)]
    for month in cards.MONTHS[1:]:
        parts = _of_month(month)
        dealt = _together(
            (key(hand | part), HandClass(hand | part, ways * more))
            for hand, ways in dealt
            for part, more in parts
            if hand.bit_count() + part.bit_count() <= size
        )
    return [alike for alike in dealt if alike.hand.bit_count() == size]


def by_groups(size: int, *groups: int) -> list[HandClass]:
    """Every hand or field of ``size`` cards, those with as many of each group (mask) together.

    The groups must have no card in common; cards in none are a group of their own.

    >>> [one.ways for one in by_groups(2, cards.mask("AB"))]
    [1035, 92, 1]
    """
    plain = cards.ALL & ~sum(groups)
    found = []
    for numbers in product(*(range(min(size, one.bit_count()) + 1) for one in groups)):
        left = size - sum(numbers)
        if not 0 <= left <= plain.bit_count():
            continue
        hand, ways = 0, 1
        for number, group in zip((*numbers, left), (*groups, plain), strict=True):
            hand |= sum(list(cards.bits(group))[:number])
            ways *= comb(group.bit_count(), number)
        found.append(HandClass(hand, ways))
    return found


def matrix(
    hands: Sequence[HandClass],
    rows: Sequence[str],
    columns: Sequence[str],
    judge: Callable[[int], tuple[str, str]],
) -> dict[str, dict[str, int]]:
    """The number of ``hands`` in each row and column, as ``judge`` says of one (mask)."""
    cells = {row: dict.fromkeys(columns, 0) for row in rows}
    for hand, ways in hands:
        row, column = judge(hand)
        cells[row][column] += ways
    return cells


def _together(alike: Iterator[tuple[Hashable, HandClass]]) -> list[HandClass]:
    """One hand of each key, with the counts of all."""
    found: dict[Hashable, HandClass] = {}
    for key, (hand, ways) in alike:
        known = found.get(key, HandClass(hand, 0))
        found[key] = known._replace(ways=known.ways + ways)
    return list(found.values())


def _of_month(month: int) -> list[HandClass]:
    """The possible parts of a hand of a month, grouped by number, kinds and 立三本."""

    def key(part: int) -> Hashable:
        stands = part.bit_count() == 3 and hachihachi_hands.stands(part)
        return part.bit_count(), stands, *((part & kind).bit_count() for kind in _PICTURES)

    parts = (sum(part) for n in range(5) for part in combinations(cards.bits(month), n))
    return _together((key(part), HandClass(part, 1)) for part in parts)
