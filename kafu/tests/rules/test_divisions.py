"""The division of a line's amount among its yaku."""

from __future__ import annotations

from kafu.rules.sheets.divisions import sums, ways


def test_all_ways_to_divide_a_sum_are_found() -> None:
    assert sums([[1, 2], [10, 20]]) == {11, 12, 21, 22}
    assert list(ways([[1, 2], [1, 2], [5]], 8)) == [(1, 2, 5), (2, 1, 5)]
    assert list(ways([[1], [1]], 3)) == []
    assert len(list(ways([range(200), range(200)], 199))) == 200
