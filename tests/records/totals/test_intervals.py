"""Intervals and tests against values of their own kind, found in another way."""

from __future__ import annotations

from fractions import Fraction
from math import comb, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.totals.intervals import (
    NOTHING,
    chance,
    chance_of_mean,
    differ,
    difference,
    exact,
    mean,
    wilson,
)


def tails(count: int, n: int, p: Fraction) -> tuple[Fraction, Fraction]:
    """The chance of so many or fewer, and of so many or more, term by term."""
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
    assert wilson(3, 2) == NOTHING  # no share: more than there can be
    assert mean(1, 5, 25) == (5, None, None)
    assert difference((1, 5, 25), (2, 2, 2)) == (4, None, None)


def test_a_difference_of_means() -> None:
    one, other = (2, 3, 4, 7), (1, 1, 2, 5, 6)
    vectors = [(len(v), sum(v), sum(x * x for x in v)) for v in (one, other)]
    middle, low, high = difference(*vectors)
    assert middle == 1 and low is not None and high is not None
    # variances 14/3 and 11/2
    assert isclose(high - low, 2 * 1.959963984540054 * (14 / 3 / 4 + 5.5 / 5) ** 0.5)


def test_the_chance_of_a_mean() -> None:
    assert chance_of_mean(1, 5, 25, 0) == chance_of_mean(3, 3, 3, 1) == 1
    assert isclose(chance_of_mean(4, 10, 30, 2.5), 1)
    assert isclose(chance_of_mean(4, 10, 30, 2.5 - 1.2651530664), 0.05, rel_tol=1e-3)


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
