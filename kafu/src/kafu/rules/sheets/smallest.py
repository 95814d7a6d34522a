"""The lines to blame for an impossible month: a smallest set that no month can have together."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from kafu.rules.sheets.lines import PaymentLine

#: Whether some month has lines like these, and perhaps others.
CanStand = Callable[[Sequence[PaymentLine]], bool]


def find_smallest(lines: Sequence[PaymentLine], can_stand: CanStand) -> list[PaymentLine]:
    """Return lines that cannot stand together, though any of them left out the others can.

    They end with the first line that makes the month impossible. The result is empty if all lines
    can stand together.
    """
    counts = range(1, len(lines) + 1)
    position = bisect_left(counts, True, key=lambda count: not can_stand(lines[:count]))
    if position == len(lines):
        return []
    smallest = list(lines[: position + 1])
    for line in lines[:position]:
        others = [other for other in smallest if other is not line]
        if not can_stand(others):
            smallest = others
    return smallest
