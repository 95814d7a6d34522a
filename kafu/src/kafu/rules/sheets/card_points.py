"""The search for captured cards with given yaku, no other yaku, and enough card points (S4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, reduce
from operator import or_
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.sheets.together import need_of
from kafu.rules.yaku import YakuTable

#: The most steps of a search. When they are used up, any points count as possible.
_STEPS: Final = 2_000

Claimed = frozenset[tuple[str, int]]
Count = Callable[[int], int]


def least_points(table: YakuTable, claimed: Claimed, count: Count) -> int:
    """Return the least points of cards with the ``claimed`` yaku (id and value).

    Cards needed in any case count, and the cheapest cards of a choice. ``count`` counts cards.
    """
    sizes = _count_cards(table, claimed)
    needed = _needed_cards(table, sizes)
    least, counted = count(needed), needed
    for id, size in sizes.items():
        row = table.find(id)
        free = sorted(count(card) for card in cards.bits(row.cards & ~counted))
        least += sum(free[: max(0, size - (needed & row.cards).bit_count())])
        counted |= row.cards
    return least


@lru_cache(maxsize=4096)
def can_count(
    table: YakuTable, claimed: Claimed, count: Count, points: int, without: int = 0
) -> bool:
    """Return whether cards of at least ``points`` can make the ``claimed`` yaku and no other.

    ``without`` is a mask of cards of other players.
    """
    return _Search(table, _count_cards(table, claimed), count, points, without).succeeds()


@lru_cache(maxsize=64)
def most_without_yaku(table: YakuTable, count: Count) -> int:
    """Return the most points of cards without any yaku."""
    low, high = 0, count(cards.ALL)
    while low < high:
        middle = (low + high + 1) // 2
        if can_count(table, frozenset(), count, middle):
            low = middle
        else:
            high = middle - 1
    return low


def _count_cards(table: YakuTable, claimed: Claimed) -> dict[str, int]:
    """Return the number of cards of each yaku; the value decides for yaku that grow."""
    rows = [(table.find(id), value) for id, value in sorted(claimed)]
    return {
        row.id: row.base + (value - row.value) // row.step if row.step else row.need
        for row, value in rows
    }


def _needed_cards(table: YakuTable, sizes: Mapping[str, int]) -> int:
    """Return the cards that the yaku of ``sizes`` need in any case."""
    return reduce(or_, (need_of(table.find(id)) for id in sizes), 0)


class _Limit(NamedTuple):
    """A limit of captured cards: at most ``most`` of ``cards``, unless one of ``must`` is missing.

    Masks; a limit without ``must`` is valid in any case.
    """

    cards: int
    most: int
    must: int = 0

    def excess(self, held: int) -> int:
        """Return the least number of cards to be removed from the cards ``held``."""
        if self.must & ~held:
            return 0
        beyond = (held & self.cards).bit_count() - self.most
        return min(beyond, 1) if self.must else beyond


class _Search:
    """A search for the cheapest cards to be left to others.

    A player with all cards has all yaku. Therefore a card of each unclaimed yaku must be missing.
    """

    def __init__(
        self, table: YakuTable, sizes: Mapping[str, int], count: Count, points: int, without: int
    ) -> None:
        self.count, self.points = count, points
        self.start = cards.ALL & ~without
        self.needed = _needed_cards(table, sizes)
        replaced = {id for row in table if row.id in sizes for id in row.over}
        # Limits that cost most with the fewest cards come first, for a low bound.
        self.limits = sorted(
            self._limits(table, sizes, replaced),
            key=lambda limit: (-self._cost(limit, self.start, 0), limit.cards.bit_count()),
        )
        self.steps_left = _STEPS
        classes: dict[tuple[int, ...], int] = {}
        for card in cards.bits(self.start & ~self.needed):
            key = (count(card), *(int(bool(card & limit.cards)) for limit in self.limits))
            classes[key] = classes.get(key, 0) | card
        #: Classes of cards that are alike for all limits, the cheapest first.
        self.classes = [mask for _, mask in sorted(classes.items())]

    @staticmethod
    def _limits(table: YakuTable, sizes: Mapping[str, int], replaced: set[str]) -> Iterator[_Limit]:
        """Generate the limits of grown yaku and of yaku that are neither claimed nor replaced."""
        for row in table:
            if row.id in sizes and row.step:
                yield _Limit(row.counted, sizes[row.id])
            elif row.id not in sizes and row.id not in replaced:
                yield _Limit(row.cards, row.need - 1, row.must)

    def succeeds(self) -> bool:
        """Return whether suitable cards exist; True as well if the search is given up."""
        return self._remove(self.start, self.needed)

    def _remove(self, held: int, fixed: int) -> bool:
        """Remove cards of ``held``, none of the ``fixed``, until no limit is exceeded."""
        self.steps_left -= 1
        if self.steps_left < 0:
            return True
        if self._bound(held, fixed) < self.points:
            return False
        exceeded = [limit for limit in self.limits if limit.excess(held) > 0]
        if not exceeded:
            return True
        limit = min(exceeded, key=lambda limit: (limit.cards & held & ~fixed).bit_count())
        for mask in self.classes:
            free = mask & limit.cards & held & ~fixed
            if free and self._remove(held & ~(free & -free), fixed):
                return True
            fixed |= free
        return False

    def _bound(self, held: int, fixed: int) -> int:
        """Return an upper bound of the points.

        Each limit costs cards, unless an earlier limit has some of the same cards.
        """
        bound, used = self.count(held), 0
        for limit in self.limits:
            if not limit.cards & used and (cost := self._cost(limit, held, fixed)):
                bound -= cost
                used |= limit.cards
        return bound

    def _cost(self, limit: _Limit, held: int, fixed: int) -> int:
        """Return the points of the cheapest cards removed by a limit.

        If fewer cards than needed are not ``fixed``, return more than the points of all cards.
        """
        excess = limit.excess(held)
        if excess <= 0:
            return 0
        free = sorted(self.count(card) for card in cards.bits(held & limit.cards & ~fixed))
        return sum(free[:excess]) if len(free) >= excess else self.count(held) + 1
