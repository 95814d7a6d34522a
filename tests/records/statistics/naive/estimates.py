"""Shares, means and intervals by SciPy or the standard library, without our formulas."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import chain
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


def rate_of_deals(id: str, deals: Sequence[Sequence[bool]]) -> Row:
    """Return the share of cases by deal; agreeing cases of a deal count as fewer (design effect).

    Wilson's limits are the shares p with (share − p)² = z² p (1 − p) / n.
    """
    cases = list(chain.from_iterable(deals))
    if not cases:
        return estimate(id, None, None, None)
    n, share = len(cases), Fraction(sum(cases), len(cases))
    if len({len(deal) for deal in deals}) == 1 and max(map(sum, deals)) == 1:
        size = len(deals[0])
        row = rate(id, sum(cases), len(deals))
        return {name: value / size for name, value in row.items()}
    effect = design_effect(deals)
    if not effect:
        return estimate(id, float(share), None, None)
    part = NormalDist().inv_cdf(0.975) ** 2 * float(effect) / n
    low, high = sorted(np.roots([1 + part, -(2 * float(share) + part), float(share) ** 2]).real)
    return estimate(id, float(share), float(low), min(1.0, float(high)))


def design_effect(deals: Sequence[Sequence[bool]]) -> Fraction:
    """Return the variance of a share of cases by deal, divided by that of independent cases."""
    n = sum(map(len, deals))
    share = Fraction(sum(map(sum, deals)), n) if n else Fraction()
    if share in (0, 1):
        return Fraction(sum(len(deal) ** 2 for deal in deals), max(1, n))
    changes = sum((sum(deal) - share * len(deal)) ** 2 for deal in deals)
    effect = changes / (n * share * (1 - share)) * len(deals) / max(1, len(deals) - 1)
    return effect if len(deals) >= _LEAST else max(Fraction(1), effect)


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


def mean_of_deals(id: str, deals: Sequence[Sequence[int]]) -> Row:
    """Return a mean whose interval takes deals as independent, not the values of a deal."""
    values = list(chain.from_iterable(deals))
    middle = Fraction(sum(values), len(values)) if values else None
    if middle is None or len(deals) < _LEAST:
        return estimate(id, None if middle is None else float(middle), None, None)
    changes = sum((sum(deal) - middle * len(deal)) ** 2 for deal in deals)
    if not changes:
        return estimate(id, float(middle), None, None)
    error = sqrt(changes * len(deals) / (len(deals) - 1)) / len(values)
    distribution = scipy.stats.t((len(deals) - 1) / _SKEWED, float(middle), error)
    low, high = distribution.interval(0.95)
    return estimate(id, float(middle), float(low), float(high))


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
def tails(count: float, n: float, probability: float) -> float:
    """Return twice the smaller tail of the binomial distribution, by the beta distribution."""
    if not 0 <= count <= n or not n:
        return 1.0
    beta = scipy.stats.beta
    upper = beta.cdf(probability, count, n - count + 1) if count else 1.0
    lower = beta.sf(probability, count + 1, n - count) if count < n else 1.0
    return min(1.0, 2 * float(min(upper, lower)))


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
