"""The possible totals of captured yaku on a score sheet (S2)."""

from __future__ import annotations

from functools import lru_cache

from kafu.rules.yaku import CapturedYaku


@lru_cache(maxsize=4096)
def captured_totals(rows: tuple[CapturedYaku, ...]) -> frozenset[int]:
    """Return the possible totals of captured yaku that do not replace one another, 0 for none.

    A yaku comes before those that it replaces. Some of the totals may need more cards than the pack
    has, but no possible total is missing.
    """
    if not rows:
        return frozenset({0})
    row, others = rows[0], rows[1:]
    left = tuple(other for other in others if other.id not in row.over)
    with_row = {value + total for value in row.values for total in captured_totals(left)}
    return captured_totals(others) | with_row
