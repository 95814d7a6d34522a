"""95 % intervals of rates and means, and whether an observed rate differs from an exact one.

SciPy is imported where it is needed: no worker should carry its memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

#: The level of all intervals and flags.
LEVEL: Final = 0.95
#: The normal quantile of `LEVEL`, two-sided.
Z: Final = 1.959963984540054
#: Number of values from which a mean has an interval. Fewer scores show neither how skewed they are
#: nor how far the outermost ones are out: no interval tried contains the mean of most kinds of
#: scores in 93 to 97 % of samples.
LEAST: Final = 20
#: Cases from which a sentence or a cell shows a percentage.
LEAST_OF_SHARE: Final = 10
#: The excess kurtosis that values are taken to have, because a few scores are far out. Of the
#: constants tried, it brings most of the coverage in docs/statistics.md between 93 and 97 %.
KURTOSIS: Final = 3


class Estimate(NamedTuple):
    """An estimate and its interval; None if there is nothing to estimate from."""

    value: float | None
    low: float | None
    high: float | None

    def divided(self, parts: float) -> Estimate:
        """Return the estimate in units of which the numbers count so many parts."""
        return Estimate(*(None if number is None else number / parts for number in self))


NOTHING: Final = Estimate(None, None, None)


def wilson(count: float, n: float) -> Estimate:
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
        effect = 1 + all_pairs / n  # nothing shows that they do not depend on each other entirely
    else:
        independent = count * (n - count) / n
        effect = max(1.0, 1 + (pairs - all_pairs * (count / n) ** 2) / independent)
    return wilson(count / effect, n / effect)


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
    """The mean of ``n`` values of this sum and sum of squares, with the interval of Student's t for
    skewed values (`_freedom`).

    There is none of fewer than `LEAST` values, nor of values that are all the same: they do not
    show how far values are apart.

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
    """The sample variance of n ≥ 2 values, from whole sums, so that nothing cancels out."""
    return (n * squares - total * total) / (n * (n - 1))


def difference(one: tuple[int, int, int], other: tuple[int, int, int]) -> Estimate:
    """The mean of ``one`` minus that of ``other``, each (n, sum, sum of squares).

    The interval is Welch's, with the variance and the degrees of freedom of either; none if either
    mean has none.
    """
    if not one[0] or not other[0]:
        return NOTHING
    middle = one[1] / one[0] - other[1] / other[0]
    first, second = _spread(*one), _spread(*other)
    if not first or not second:
        return Estimate(middle, None, None)
    freedom = (first + second) ** 2 / (first**2 / _freedom(one[0]) + second**2 / _freedom(other[0]))
    return _around(middle, first + second, freedom)


def _spread(n: int, total: int, squares: int) -> float:
    """The variance of the mean of these values; 0 if they do not show it."""
    return variance(n, total, squares) / n if n >= LEAST else 0.0


def _freedom(n: int) -> float:
    """Degrees of freedom of the variance of ``n`` values that have the excess `KURTOSIS`.

    That of normal values has n − 1 of them, and the variance 2/(n − 1) of its square; skewed values
    add their excess kurtosis by n (Satterthwaite).
    """
    return (n - 1) / (1 + KURTOSIS / 2)


def _around(middle: float, spread: float, freedom: float) -> Estimate:
    """An estimate with the variance ``spread``, and its interval of Student's t."""
    from scipy.special import stdtrit  # noqa: PLC0415 - as in `exact`

    half = float(stdtrit(freedom, (1 + LEVEL) / 2)) * sqrt(spread)
    return Estimate(middle, middle - half, middle + half)


def chance(count: int, n: int, probability: float) -> float:
    """How likely so extreme a count of ``n`` cases is: twice the smaller tail of the binomial (the
    doubled exact test, which is never smaller than the one that adds up all rarer counts).

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
    """How likely a mean so far from ``expected`` is, on either side, by the distribution of its
    interval; None if it has none.
    """
    from scipy.special import stdtr  # noqa: PLC0415 - as in `exact`

    spread = _spread(n, total, squares)
    if not spread:
        return None
    away = abs(total / n - expected) / sqrt(spread)
    return 2 * float(stdtr(_freedom(n), -away))


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
