"""95 % intervals of rates and means, and tests of an observed rate against an exact one.

Functions import SciPy when they need it: workers should not carry its memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

#: The level of all intervals and flags.
LEVEL: Final = 0.95
#: The normal quantile of `LEVEL`, two-sided.
Z: Final = 1.959963984540054
#: Number of values from which a mean has an interval. Fewer scores show neither their skewness nor
#: their outermost values: no interval tried contains the mean of most kinds of scores in 93 to 97 %
#: of samples.
LEAST: Final = 20
#: Cases from which a sentence or a cell shows a percentage.
LEAST_OF_SHARE: Final = 10
#: The assumed excess kurtosis of values: a few scores are far out. Of the constants tried, this one
#: brings most of the coverage in docs/statistics.md between 93 and 97 %.
KURTOSIS: Final = 3


class Estimate(NamedTuple):
    """An estimate and its interval; None without cases."""

    value: float | None
    low: float | None
    high: float | None

    def divided(self, parts: float) -> Estimate:
        """Return the estimate divided by the number of parts of a unit."""
        return Estimate(*(None if number is None else number / parts for number in self))


NOTHING: Final = Estimate(None, None, None)


def wilson(count: float, n: float) -> Estimate:
    """Return the share of ``n`` cases with Wilson's interval.

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


def wilson_of_seats(count: int, n: int, pairs: int, all_pairs: int) -> Estimate:
    """Return the share of ``n`` seats, with Wilson's interval for seats that share tables.

    ``pairs`` counts the ordered pairs of seats at the same table of which both are among the
    ``count``, ``all_pairs`` all pairs at the same table. Seats that agree more often than
    independent ones count as fewer: n is divided by the design effect (Kish), the variance of the
    share by that of independent seats. Where they agree less often, the interval is that of
    independent seats.

    >>> wilson_of_seats(8, 10, 0, 0) == wilson(8, 10)
    True
    >>> # Two seats at each of 10 tables, and always both or neither.
    >>> [round(x, 4) for x in wilson_of_seats(16, 20, 16, 20)]
    [0.8, 0.4902, 0.9433]
    """
    if not 0 <= count <= n or not n:
        return NOTHING
    if count in (0, n):
        effect = 1 + all_pairs / n  # Seats of a table may depend on each other entirely.
    else:
        independent = count * (n - count) / n
        effect = max(1.0, 1 + (pairs - all_pairs * (count / n) ** 2) / independent)
    return wilson(count / effect, n / effect)


def exact(count: int, n: int) -> Estimate:
    """Return the share of ``n`` cases with the exact interval of Clopper and Pearson.

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
    """Return the mean of ``n`` values of this sum and sum of squares.

    The interval is that of Student's t for skewed values (`_freedom`). Fewer than `LEAST` values,
    and equal values, have none.

    >>> [round(x, 4) for x in mean(30, 75, 225)]
    [2.5, 2.0459, 2.9541]
    >>> mean(9, 18, 90)
    Estimate(value=2.0, low=None, high=None)
    """
    if not n:
        return NOTHING
    middle = total / n
    spread = _spread(n, total, squares)
    return _around(middle, spread, _freedom(n)) if spread else Estimate(middle, None, None)


def variance(n: int, total: int, squares: int) -> float:
    """Return the sample variance of n ≥ 2 values, from exact sums."""
    return (n * squares - total * total) / (n * (n - 1))


def difference(cases: tuple[int, int, int], others: tuple[int, int, int]) -> Estimate:
    """Return the mean of some cases minus the mean of others, each (n, sum, sum of squares).

    The interval is Welch's; there is none if a mean has none.
    """
    if not cases[0] or not others[0]:
        return NOTHING
    middle = cases[1] / cases[0] - others[1] / others[0]
    spreads = _spread(*cases), _spread(*others)
    if not all(spreads):
        return Estimate(middle, None, None)
    squares = spreads[0] ** 2 / _freedom(cases[0]) + spreads[1] ** 2 / _freedom(others[0])
    return _around(middle, sum(spreads), sum(spreads) ** 2 / squares)


def _spread(n: int, total: int, squares: int) -> float:
    """Return the variance of the mean of values, 0 for too few or equal values."""
    return variance(n, total, squares) / n if n >= LEAST else 0.0


def _freedom(n: int) -> float:
    """Return the degrees of freedom of the variance of ``n`` values with the excess `KURTOSIS`.

    The variance of normal values has n − 1 of them, and the variance 2/(n − 1) of its square.
    Skewed values add their excess kurtosis divided by n (Satterthwaite).
    """
    return (n - 1) / (1 + KURTOSIS / 2)


def _around(middle: float, spread: float, freedom: float) -> Estimate:
    """Return an estimate with the variance ``spread``, and its interval of Student's t."""
    from scipy.special import stdtrit  # noqa: PLC0415 - as in `exact`

    half = float(stdtrit(freedom, (1 + LEVEL) / 2)) * sqrt(spread)
    return Estimate(middle, middle - half, middle + half)


def chance(count: int, n: int, probability: float) -> float:
    """Return the p-value of a count of ``n`` cases: twice the smaller tail of the binomial.

    This doubled exact test is never smaller than the test that adds up all rarer counts.

    >>> round(chance(8, 10, 0.5), 4)
    0.1094
    """
    from scipy.special import betainc, betaincc  # noqa: PLC0415 - as in `exact`

    if not 0 <= count <= n or not n:
        return 1.0
    upper = float(betainc(count, n - count + 1, probability)) if count else 1.0
    lower = float(betaincc(count + 1, n - count, probability)) if count < n else 1.0
    return min(1.0, 2 * min(upper, lower))


def chance_of_mean(n: int, total: int, squares: int, expected: float) -> float | None:
    """Return the two-sided p-value of a mean by the distribution of its interval.

    None for a mean without an interval.
    """
    from scipy.special import stdtr  # noqa: PLC0415 - as in `exact`

    spread = _spread(n, total, squares)
    if not spread:
        return None
    away = abs(total / n - expected) / sqrt(spread)
    return 2 * float(stdtr(_freedom(n), -away))


def differ(chances: Sequence[float | None]) -> list[bool | None]:
    """Return whether each of several p-values is significant at `LEVEL` with Holm's correction.

    None stands for a missing test.

    >>> differ([0.01, 0.04, None, 0.03])
    [True, False, None, False]
    """
    tested = sorted((p, place) for place, p in enumerate(chances) if p is not None)
    differs: list[bool | None] = [None if p is None else False for p in chances]
    for done, (p, place) in enumerate(tested):
        if p > (1 - LEVEL) / (len(tested) - done):
            break
        differs[place] = True
    return differs
