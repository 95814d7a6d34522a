"""Intervals and tests compared with values computed by other methods."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, isclose
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.statistics.intervals import (
    LEAST,
    NOTHING,
    DealSums,
    Estimate,
    chance,
    chance_of_mean,
    differ,
    difference,
    exact,
    mean,
    mean_of_deals,
    wilson,
    wilson_of_deals,
)


def tails(count: int, n: int, p: Fraction) -> tuple[Fraction, Fraction]:
    """Return the probabilities of at most and of at least ``count``, term by term."""
    terms = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    return sum(terms[: count + 1], Fraction(0)), sum(terms[count:], Fraction(0))


@given(st.integers(1, 40), st.data())
def test_the_exact_interval_is_where_the_tails_are_a_fortieth(n: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, n))
    share, low, high = exact(count, n)
    assert share == count / n and low is not None and high is not None
    assert low <= share <= high
    if count:
        assert isclose(tails(count, n, Fraction(low))[1], 0.025, rel_tol=1e-6)
    else:
        assert low == 0
    if count < n:
        assert isclose(tails(count, n, Fraction(high))[0], 0.025, rel_tol=1e-6)
    else:
        assert high == 1


@given(st.integers(1, 40), st.integers(0, 20), st.data())
def test_the_chance_is_twice_the_smaller_tail(n: int, twentieths: int, data: st.DataObject) -> None:
    count, p = data.draw(st.integers(0, n)), Fraction(twentieths, 20)
    expected = min(1.0, float(2 * min(tails(count, n, p))))
    assert isclose(chance(count, n, float(p)), expected, rel_tol=1e-9, abs_tol=1e-12)


@given(st.integers(0, 10**9), st.integers(1, 10**9))
def test_wilson_stays_within_a_share(count: int, more: int) -> None:
    share, low, high = wilson(count, count + more - 1)
    if share is not None and low is not None and high is not None:
        assert 0 <= low <= share + 1e-12 and share - 1e-12 <= high <= 1


def test_published_intervals() -> None:
    # Newcombe 1998, table I: 81 of 263 and 0 of 20.
    assert [round(x or 0, 4) for x in wilson(81, 263)[1:]] == [0.2553, 0.3662]
    assert [round(x or 0, 4) for x in wilson(0, 20)[1:]] == [0.0, 0.1611]
    assert [round(x or 0, 4) for x in exact(81, 263)[1:]] == [0.2527, 0.3676]
    assert [round(x or 0, 4) for x in exact(0, 20)[1:]] == [0.0, 0.1684]


def test_of_nothing_there_is_no_estimate() -> None:
    assert wilson(0, 0) == exact(0, 0) == mean(0, 0, 0) == NOTHING
    assert difference((0, 0, 0), (3, 3, 3)) == NOTHING
    assert wilson(3, 2) == NOTHING  # no share, because the count exceeds the total
    assert mean(1, 5, 25) == (5, None, None)
    assert difference((1, 5, 25), (2, 2, 2)) == (4, None, None)


def sums(values: Sequence[int]) -> tuple[int, int, int]:
    return len(values), sum(values), sum(value * value for value in values)


def test_few_values_or_equal_ones_show_no_spread() -> None:
    many = sums(range(LEAST))
    assert mean(*sums(range(LEAST - 1)))[1:] == (None, None)
    assert mean(*sums([7] * 100)) == (7, None, None)
    assert None not in mean(*many)
    assert difference(many, sums(range(LEAST - 1)))[1:] == (None, None)
    assert difference(sums([7] * 100), many)[1:] == (None, None)
    assert None not in difference(many, many)


#: Numbers of values, and the 97.5 % quantiles of Student's t with two fifths of n − 1 degrees of
#: freedom, from tables: 8, 10, 20 and 40.
QUANTILES: Final = ((21, 2.306004), (26, 2.228139), (51, 2.085963), (101, 2.021075))


@pytest.mark.parametrize(("n", "quantile"), QUANTILES)
def test_mean_has_the_quantile_of_two_fifths_of_the_freedom(n: int, quantile: float) -> None:
    values = [k * k for k in range(n)]
    middle, low, high = mean(*sums(values))
    assert middle == statistics.fmean(values) and low is not None and high is not None
    half = quantile * statistics.stdev(values) / n**0.5
    assert isclose(high - middle, half, rel_tol=1e-6) and isclose(middle - low, half, rel_tol=1e-6)
    # The limit of the interval is rejected by the test at the level of the interval.
    assert isclose(chance_of_mean(*sums(values), low) or 0, 0.05, rel_tol=1e-6)


def test_a_difference_of_means() -> None:
    values = list(range(26))
    middle, low, high = difference(sums([5 + value for value in values]), sums(values))
    assert middle == 5 and low is not None and high is not None
    # With equal variances the degrees of freedom are the sum of both: 10 and 10.
    assert isclose(
        high - low, 2 * 2.085963 * (2 * statistics.variance(values) / 26) ** 0.5, rel_tol=1e-6
    )
    # If one sample varies little, only the degrees of freedom of the second sample count.
    middle, low, high = difference(sums([1000 * value for value in values]), sums([0, 1] * 10))
    assert low is not None and high is not None
    half = 2.228139 * 1000 * statistics.stdev(values) / 26**0.5
    assert isclose(high - low, 2 * half, rel_tol=1e-4)


def test_the_chance_of_a_mean() -> None:
    assert chance_of_mean(1, 5, 25, 0) is chance_of_mean(30, 30, 30, 1) is None
    assert chance_of_mean(*sums(range(31)), 15) == 1


@pytest.mark.parametrize(
    ("chances", "expected"),
    [
        ([], []),
        ([None], [None]),
        ([0.04], [True]),
        ([0.04, 0.04], [False, False]),
        ([0.001, 0.02, 0.04], [True, True, True]),
        ([0.04, 0.02, 0.03], [False, False, False]),
        ([0.0, None, 0.9], [True, None, False]),
    ],
)
def test_many_tests_at_once(chances: list[float | None], expected: list[bool | None]) -> None:
    assert differ(chances) == expected


def contains(estimate: Estimate, truth: float) -> bool:
    _value, low, high = estimate
    return low is not None and high is not None and low <= truth <= high


def simulate_winners(deals: int, samples: int) -> Iterator[list[int]]:
    """Yield the scores of the winners of deals of two seats: 0 in 30 %, else 1 or 3."""
    chance_of = Random(7)
    for _ in range(samples):
        yield chance_of.choices((0, 1, 3), (30, 35, 35), k=deals)


def test_shares_of_two_seats_that_agree_count_as_fewer() -> None:
    """In a zero-sum ruleset either both seats score 0 or neither."""
    by_seats = by_tables = 0
    for scores in simulate_winners(100, 2_000):
        zeros = 2 * scores.count(0)
        by_seats += contains(wilson(zeros, 200), 0.3)
        tables = DealSums(100, 2 * zeros, 2 * zeros, 400)
        by_tables += contains(wilson_of_deals(zeros, 200, tables), 0.3)
    assert by_seats < 0.9 * 2_000
    assert 0.93 * 2_000 <= by_tables <= 0.97 * 2_000


def test_mean_of_two_seats_of_whom_one_scores_is_that_of_deals() -> None:
    """In koi-koi the loser scores 0: seats taken as independent have too wide an interval."""
    by_seats = by_tables = 0
    for scores in simulate_winners(60, 2_000):
        by_seats += contains(mean(120, sums(scores)[1], sums(scores)[2]), 0.7)
        by_tables += contains(mean(*sums(scores)), 1.4)
    assert by_seats > 0.975 * 2_000
    assert 0.93 * 2_000 <= by_tables <= 0.97 * 2_000


def test_shares_of_all_seats_or_of_seats_that_disagree() -> None:
    assert wilson_of_deals(20, 20, DealSums(10, 40, 40, 40)) == wilson(10, 10)
    assert wilson_of_deals(0, 20, DealSums(10, 0, 0, 40)) == wilson(0, 10)
    # If at most one of the two quantities counts, the deals are the cases.
    assert wilson_of_deals(8, 20, DealSums(10, 8, 16, 40)) == wilson(8, 10).divided(2)
    # If always two of three count, the rules decide the share.
    assert wilson_of_deals(60, 90, DealSums(30, 120, 180, 270)) == (60 / 90, None, None)
    nothing = DealSums(0, 0, 0, 0)
    assert wilson_of_deals(0, 0, nothing) == wilson_of_deals(3, 2, nothing) == NOTHING


def test_mean_of_equal_values_that_share_deals_has_no_interval() -> None:
    assert mean_of_deals(45, 315, DealSums(30, 3675, 525, 75)) == (7, None, None)
    assert mean_of_deals(60, 420, DealSums(30, 30 * 14 * 14, 30 * 28, 120)) == (7, None, None)
    assert mean_of_deals(60, 400, DealSums(19, 9000, 1300, 200))[1:] == (None, None)
