"""The division of an amount among the yaku of a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def sums(choices: Sequence[Sequence[int]]) -> set[int]:
    """Return all sums of one number out of each of the ``choices``."""
    totals = {0}
    for numbers in choices:
        totals = {total + number for total in totals for number in numbers}
    return totals


def ways(choices: Sequence[Sequence[int]], sum_: int) -> Iterator[tuple[int, ...]]:
    """Generate the ways to take a number out of each of the ``choices`` with the given sum."""
    if not choices:
        if not sum_:
            yield ()
        return
    reach = sums(choices[1:])
    for number in choices[0]:
        if sum_ - number in reach:
            for numbers in ways(choices[1:], sum_ - number):
                yield (number, *numbers)
