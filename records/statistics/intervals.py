"""95 % intervals of rates and means, and tests of an observed rate against an exact rate.

Functions import SciPy on first use, to save memory in worker processes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

#: The level of all intervals and flags.
LEVEL: Final = 0.95
#: The normal quantile of `LEVEL`, two-sided.
Z: Final = 1.959963984540054
#: Number of values from which a mean has an interval. Smaller samples hide the skewness and the
#: extremes of scores: no tried interval covers the mean of most kinds of scores in 93 to 97 % of
#: samples.
LEAST: Final = 20
#: Cases from which a sentence or a cell shows a percentage.
LEAST_OF_SHARE: Final = 10
#: The assumed excess kurtosis of values: a few scores are far out. Among the tried constants, 3
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
    # Rounding could exceed 0 and 1, or exclude them if none or all count.
    low = max(0.0, middle - half) if count else 0.0
    high = min(1.0, middle + half) if count < n else 1.0
    return Estimate(share, low, high)


class DealSums(NamedTuple):
    """Sums over deals, for the interval of cases that depend on each other within a deal.

    ``deals`` is the number of deals with a case, ``squares`` sums the squares of the totals of the
    deals, ``products`` their products with the numbers of cases, ``sizes`` the squares of these
    numbers.
    """

    deals: int
    squares: int
    products: int
    sizes: int

    def sum_changes(self, n: int, total: int) -> float:
        """Return the sum of the squared changes that deals make to the sum of ``n`` cases.

        The change is the total of a deal, less the mean of all cases for each of its cases.
        """
        # Whole numbers until the division: equal values have exactly 0.
        changes = n * n * self.squares - 2 * n * total * self.products + total * total * self.sizes
        return changes / (n * n)


def wilson_of_deals(count: int, n: int, sums: DealSums) -> Estimate:
    """Return the share of ``n`` cases, with Wilson's interval for cases that share deals.

    If at most one of equally many cases of a deal counts, the deals are the cases. Otherwise n is
    divided by `design_effect`. A share that is the same in every deal has no interval.

    >>> wilson_of_deals(8, 10, DealSums(10, 8, 8, 10)) == wilson(8, 10)
    True
    >>> # Ten deals with two cases each, and always both or neither.
    >>> [round(x, 4) for x in wilson_of_deals(16, 20, DealSums(10, 32, 32, 40))]
    [0.8, 0.459, 0.9502]
    """
    if not 0 <= count <= n or not n:
        return NOTHING
    if 0 < sums.squares == count and sums.deals * sums.sizes == n * n:
        return wilson(count, sums.deals).divided(n / sums.deals)
    effect = design_effect(count, n, sums)
    return wilson(count / effect, n / effect) if effect else Estimate(count / n, None, None)


def design_effect(count: int, n: int, sums: DealSums) -> float:
    """Return the variance of a share, divided by the variance of independent cases (Kish).

    The cases of a deal may depend on each other entirely where all or none count. Few deals do not
    show that their cases agree less often than independent cases.
    """
    if count in (0, n):
        return sums.sizes / n
    independent = count * (n - count) / n
    deals = sums.deals
    effect = sums.sum_changes(n, count) / independent * deals / max(1, deals - 1)
    return effect if deals >= LEAST else max(1.0, effect)


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
    """Return the mean of ``n`` values, from their sum and their sum of squares.

    The interval is Student's t for skewed values (`_freedom`). Fewer than `LEAST` values, and equal
    values, have no interval.

    >>> [round(x, 4) for x in mean(30, 75, 225)]
    [2.5, 2.0459, 2.9541]
    >>> mean(9, 18, 90)
    Estimate(value=2.0, low=None, high=None)
    """
    return mean_of_deals(n, total, DealSums(n, squares, total, n))


def mean_of_deals(n: int, total: int, sums: DealSums) -> Estimate:
    """Return the mean of ``n`` values that share deals; the interval is that of `mean` for deals.

    >>> mean_of_deals(30, 75, DealSums(30, 225, 75, 30)) == mean(30, 75, 225)
    True
    """
    if not n:
        return NOTHING
    middle, deals = total / n, sums.deals
    spread = sums.sum_changes(n, total) / (n * n) * deals / (deals - 1) if deals >= LEAST else 0.0
    return _around(middle, spread, _freedom(deals)) if spread else Estimate(middle, None, None)


def variance(n: int, total: int, squares: int) -> float:
    """Return the sample variance of n ≥ 2 values, from exact sums."""
    return (n * squares - total * total) / (n * (n - 1))


def difference(
    first: tuple[int, int, int], second: tuple[int, int, int], spread: float | None = None
) -> Estimate:
    """Return the difference of two means, each given as (n, sum, sum of squares).

    The interval is Welch's, None if a mean has no interval. ``spread`` is the variance of the
    difference of means that depend on each other.
    """
    if not first[0] or not second[0]:
        return NOTHING
    middle = first[1] / first[0] - second[1] / second[0]
    spreads = _spread(*first), _spread(*second)
    if not all(spreads):
        return Estimate(middle, None, None)
    squares = spreads[0] ** 2 / _freedom(first[0]) + spreads[1] ** 2 / _freedom(second[0])
    spread = sum(spreads) if spread is None else spread
    return _around(middle, spread, sum(spreads) ** 2 / squares)


def _spread(n: int, total: int, squares: int) -> float:
    """Return the variance of the mean of values, 0 for too few or equal values."""
    return variance(n, total, squares) / n if n >= LEAST else 0.0


def _freedom(n: int) -> float:
    """Return the degrees of freedom of the variance of ``n`` values with the excess `KURTOSIS`.

    For normal values this is n − 1, with the variance 2/(n − 1) of the squared variance. Skewed
    values add their excess kurtosis divided by n (Satterthwaite).
    """
    return (n - 1) / (1 + KURTOSIS / 2)


def _around(middle: float, spread: float, freedom: float) -> Estimate:
    """Return the estimate with the variance ``spread`` and an interval of Student's t."""
    from scipy.special import stdtrit  # noqa: PLC0415 - as in `exact`

    half = float(stdtrit(freedom, (1 + LEVEL) / 2)) * sqrt(spread)
    return Estimate(middle, middle - half, middle + half)


def chance(count: float, n: float, probability: float) -> float:
    """Return the p-value of a count of ``n`` cases: twice the smaller tail of the binomial.

    The doubled exact test is never smaller than a test that adds up all rarer counts.

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
    """Return the two-sided p-value of a mean, from the distribution behind its interval.

    Returns None for a mean without an interval.
    """
    from scipy.special import stdtr  # noqa: PLC0415 - as in `exact`

    spread = _spread(n, total, squares)
    if not spread:
        return None
    away = abs(total / n - expected) / sqrt(spread)
    return 2 * float(stdtr(_freedom(n), -away))


def chance_of_difference(difference: float, squares: float, fourths: float) -> float:
    """Return the two-sided p-value of a difference of two means.

    ``squares`` and ``fourths`` are sums of powers of what each independent group of cases adds to
    the difference if the means are equal. The degrees of freedom are the number of groups that
    would give the same sums with equal amounts: few large amounts say little about the variance.

    >>> round(chance_of_difference(2.0, 1.0, 0.01), 4)
    0.0482
    """
    from scipy.special import stdtr  # noqa: PLC0415 - as in `exact`

    if not squares:
        return 1.0
    return 2 * float(stdtr(squares**2 / fourths, -abs(difference) / sqrt(squares)))


def are_extremes_apart(chance: float, rows: int) -> bool:
    """Return whether the highest and the lowest of several rows differ at `LEVEL`.

    The highest and the lowest are one of all pairs of rows, whose p-values share the level (Holm's
    first step).

    >>> are_extremes_apart(0.01, 2), are_extremes_apart(0.01, 4)
    (True, False)
    """
    return chance * rows * (rows - 1) / 2 <= 1 - LEVEL


def differ(chances: Sequence[float | None]) -> list[bool | None]:
    """Return whether each of several p-values is significant at `LEVEL` with Holm's correction.

    None stands for a missing test.

    >>> differ([0.01, 0.04, None, 0.03])
    [True, False, None, False]
    """
    tested = sorted((p, place) for place, p in enumerate(chances) if p is not None)
    differs: list[bool | None] = [None if p is None else False for p in chances]
    for rank, (p, place) in enumerate(tested):
        if p > (1 - LEVEL) / (len(tested) - rank):
            break
        differs[place] = True
    return differs
