"""95 % intervals of rates and means, and whether an observed rate differs from an exact one.

SciPy is imported where it is needed: no worker should carry its memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, sqrt
from typing import Final, NamedTuple

#: The level of all intervals and flags.
LEVEL: Final = 0.95
#: The normal quantile of `LEVEL`, two-sided.
Z: Final = 1.959963984540054


class Estimate(NamedTuple):
    """An estimate and its interval; None if there is nothing to estimate from."""

    value: float | None
    low: float | None
    high: float | None


NOTHING: Final = Estimate(None, None, None)


def wilson(count: int, n: int) -> Estimate:
    """A share of ``n`` cases with Wilson's interval.

    >>> [round(x, 4) for x in wilson(8, 10)]
    [0.8, 0.4902, 0.9433]
    """
    if not 0 <= count <= n or not n:
        return NOTHING
    share, square = count / n, Z * Z
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = Z / (1 + square / n) * sqrt(share * (1 - share) / n + square / (4 * n * n))
    # At the ends only rounding would leave them.
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half))


def exact(count: int, n: int) -> Estimate:
    """A share of ``n`` cases with the exact interval of Clopper and Pearson.

    >>> [round(x, 4) for x in exact(8, 10)]
    [0.8, 0.4439, 0.9748]
    """
    from scipy.special import betaincinv  # noqa: PLC0415 - SciPy takes long to import

    if not 0 <= count <= n or not n:
        return NOTHING
    tail = (1 - LEVEL) / 2
    low = float(betaincinv(count, n - count + 1, tail)) if count else 0.0
    high = float(betaincinv(count + 1, n - count, 1 - tail)) if count < n else 1.0
    return Estimate(count / n, low, high)


def mean(n: int, total: int, squares: int) -> Estimate:
    """The mean of ``n`` values of this sum and sum of squares, with the normal interval.

    One value has a mean, but no interval.

    >>> [round(x, 4) for x in mean(4, 10, 30)]
    [2.5, 1.2348, 3.7652]
    """
    if not n:
        return NOTHING
    middle = total / n
    if n == 1:
        return Estimate(middle, None, None)
    half = Z * sqrt(variance(n, total, squares) / n)
    return Estimate(middle, middle - half, middle + half)


def variance(n: int, total: int, squares: int) -> float:
    """The sample variance of n ≥ 2 values, from whole sums, so that nothing cancels out."""
    return (n * squares - total * total) / (n * (n - 1))


def difference(one: tuple[int, int, int], other: tuple[int, int, int]) -> Estimate:
    """The mean of ``one`` minus that of ``other``, each (n, sum, sum of squares).

    The interval is the normal one with the variance of each (Welch).
    """
    if not one[0] or not other[0]:
        return NOTHING
    middle = one[1] / one[0] - other[1] / other[0]
    if one[0] < 2 or other[0] < 2:
        return Estimate(middle, None, None)
    half = Z * sqrt(variance(*one) / one[0] + variance(*other) / other[0])
    return Estimate(middle, middle - half, middle + half)


def chance(count: int, n: int, probability: float) -> float:
    """How likely so extreme a count of ``n`` cases is: twice the smaller tail of the binomial.

    >>> round(chance(8, 10, 0.5), 4)
    0.1094
    """
    from scipy.special import betainc, betaincc  # noqa: PLC0415 - as in `exact`

    if not 0 <= count <= n or not n:
        return 1.0
    upper = float(betainc(count, n - count + 1, probability)) if count else 1.0
    lower = float(betaincc(count + 1, n - count, probability)) if count < n else 1.0
    return min(1.0, 2 * min(upper, lower))


def chance_of_mean(n: int, total: int, squares: int, expected: float) -> float:
    """How likely a mean so far from ``expected`` is, by the normal distribution."""
    if n < 2:
        return 1.0
    spread = sqrt(variance(n, total, squares) / n)
    away = abs(total / n - expected)
    if not spread:
        return 1.0
    return erfc(away / spread / sqrt(2))


def differ(chances: Sequence[float | None]) -> list[bool | None]:
    """Which of these tests, made at once, differ at `LEVEL` by Holm's correction.

    None where there was no test.

    >>> differ([0.01, 0.04, None, 0.03])
    [True, False, None, False]
    """
    tested = sorted((one, place) for place, one in enumerate(chances) if one is not None)
    found: list[bool | None] = [None if one is None else False for one in chances]
    for done, (one, place) in enumerate(tested):
        if one > (1 - LEVEL) / (len(tested) - done):
            break
        found[place] = True
    return found
