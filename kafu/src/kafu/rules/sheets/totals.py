"""The possible totals of captured yaku on a score sheet (S2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from kafu.rules.yaku import CapturedYaku, YakuTable


@lru_cache(maxsize=64)
def captured_totals(table: YakuTable) -> frozenset[int]:
    """Return the possible totals of captured yaku that do not replace one another, 0 for none.

    Some of the totals may need more cards than the pack has, but no possible total is missing.
    """
    groups: list[list[CapturedYaku]] = []
    for row in table:
        related = [
            group
            for group in groups
            if any(row.id in member.over or member.id in row.over for member in group)
        ]
        groups = [group for group in groups if group not in related]
        groups.append([row, *(member for group in related for member in group)])
    totals = {0}
    for group in groups:
        totals = {total + more for total in totals for more in _group_totals(group)}
    return frozenset(totals)


def _group_totals(rows: Sequence[CapturedYaku]) -> set[int]:
    """Return the totals of all sets of these yaku in which none replaces another."""
    totals = {0}
    for chosen in product((False, True), repeat=len(rows)):
        group = [row for row, is_made in zip(rows, chosen, strict=True) if is_made]
        replaced = {id for row in group for id in row.over}
        if not replaced & {row.id for row in group}:
            sums = {0}
            for row in group:
                sums = {sum_ + value for sum_ in sums for value in row.values}
            totals |= sums
    return totals
