"""Shares, means and intervals by SciPy or the standard library, without our formulas."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, permutations
from math import sqrt
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import scipy  # loads its parts on first use

Row = dict[str, Any]
#: A mean of fewer values has no interval; skewed values count as two fifths of normal values.
_LEAST: Final = 20
_SKEWED: Final = 2.5


@cache
def _interval(count: int, n: int, method: str) -> tuple[float, float]:
    interval = scipy.stats.binomtest(count, n).proportion_ci(0.95, method=method)
    return float(interval.low), float(interval.high)


def rate(id: str, count: int, n: int, method: str = "wilson") -> Row:
    """Return a share with its interval."""
    if not 0 <= count <= n or not n:
        return estimate(id, None, None, None)
    return estimate(id, count / n, *_interval(count, n, method))


def rate_of_seats(id: str, tables: Sequence[Sequence[bool]]) -> Row:
    """Return the share of seats; agreeing seats of a table count as fewer (design effect).

    Wilson's limits are the shares p with (share − p)² = z² p (1 − p) / n.
    """
    seats = list(chain.from_iterable(tables))
    n, share = len(seats), Fraction(sum(seats), len(seats))
    pairs = [pair for table in tables for pair in permutations(table, 2)]
    effect = 1 + Fraction(len(pairs), n)
    if share < 1:
        excess = sum(map(all, pairs)) - share**2 * len(pairs)
        effect = max(Fraction(1), 1 + excess / (n * share * (1 - share)))
    part = NormalDist().inv_cdf(0.975) ** 2 * float(effect) / n
    low, high = sorted(np.roots([1 + part, -(2 * float(share) + part), float(share) ** 2]).real)
    return estimate(id, float(share), float(low), min(1.0, float(high)))


def _variance(values: Sequence[int]) -> float:
    """Return the variance of a sample; the module `statistics` would be slow."""
    middle = sum(values) / len(values)
    return sum((value - middle) ** 2 for value in values) / (len(values) - 1)


def _is_spread(values: Sequence[int]) -> bool:
    return len(values) >= _LEAST and len(set(values)) > 1


def mean(id: str, values: Sequence[int]) -> Row:
    """Return a mean with its interval."""
    middle = float(Fraction(sum(values), len(values))) if values else None
    if middle is None or not _is_spread(values):
        return estimate(id, middle, None, None)
    error = sqrt(_variance(values) / len(values))
    low, high = scipy.stats.t((len(values) - 1) / _SKEWED, middle, error).interval(0.95)
    return estimate(id, middle, float(low), float(high))


def difference(
    id: str, first: Sequence[int], second: Sequence[int], deals: Sequence[tuple[list[int], ...]]
) -> Row:
    """Return the difference of two means, with the degrees of freedom of Welch's interval.

    ``deals`` are the values of both means by deal; the values of a deal depend on each other.
    """
    if not first or not second:
        return estimate(id, None, None, None)
    middle = float(Fraction(sum(first), len(first)) - Fraction(sum(second), len(second)))
    if not _is_spread(first) or not _is_spread(second):
        return estimate(id, middle, None, None)
    parts = [_variance(part) / len(part) for part in (first, second)]
    below = sum(
        part**2 / ((len(values) - 1) / _SKEWED)
        for part, values in zip(parts, (first, second), strict=True)
    )
    means = [sum(first) / len(first), sum(second) / len(second)]
    changes = [
        sum(value - means[0] for value in of_first) / len(first)
        - sum(value - means[1] for value in of_second) / len(second)
        for of_first, of_second in deals
    ]
    spread = sum(change**2 for change in changes) * len(deals) / (len(deals) - 1)
    distribution = scipy.stats.t(sum(parts) ** 2 / below, middle, sqrt(spread))
    low, high = distribution.interval(0.95)
    return estimate(id, middle, float(low), float(high))


def estimate(id: str, value: float | None, low: float | None, high: float | None) -> Row:
    """Return the three columns of an estimate."""
    return {id: value, f"{id}_low": low, f"{id}_high": high}


@cache
def tails(count: int, n: int, probability: float) -> float:
    """Return twice the smaller tail of the binomial distribution."""
    if not 0 <= count <= n or not n:
        return 1.0
    binomial = scipy.stats.binom(n, probability)
    return min(1.0, 2 * float(min(binomial.cdf(count), binomial.sf(count - 1))))


def far(values: Sequence[int], expected: float) -> float | None:
    """Return the p-value of a mean; None for a mean without an interval."""
    if not _is_spread(values):
        return None
    error = sqrt(_variance(values) / len(values))
    away = abs(sum(values) / len(values) - expected) / error
    return 2 * float(scipy.stats.t.sf(away, (len(values) - 1) / _SKEWED))


def flag(rows: Sequence[Row], chances: Sequence[float | None], id: str = "differs") -> None:
    """Set the flags of rows by Holm's correction.

    The least of k remaining p-values must be at most 5 % / k, and so on until the first that is
    not.
    """
    remaining = sorted((chance, i) for i, chance in enumerate(chances) if chance is not None)
    for row, chance in zip(rows, chances, strict=True):
        row[id] = None if chance is None else False
    while remaining and remaining[0][0] <= 0.05 / len(remaining):
        rows[remaining.pop(0)[1]][id] = True
