"""Seat draw and split of January (K1)."""

import pytest

from kafu.rules.play.actions import Illegal
from kafu.rules.play.seating import check_draws, settle


@pytest.mark.parametrize(
    ("first", "second", "dealer"),
    [
        ("YZab", "ABCD", 1),  # 28 against 4
        ("klop", "ABEF", 2),  # 10, 11 count 0: the lower months win by digits 6 to 0
        ("klAB", "oCDp", 2),  # digits 2 each, months 22 against 24
        ("EFCD", "GHAB", 2),  # digits 6 each, months 6 each, animal against bright
        ("CDIJ", "ABKL", 2),  # bright each, the lower month
        ("CGKO", "DHLP", None),  # dregs of the same months: not settled
    ],
)
def test_settle(first: str, second: str, dealer: int | None) -> None:
    assert settle({1: first, 2: second}, "".join(sorted(first + second))) == dealer


def test_a_split_is_the_field() -> None:
    with pytest.raises(Illegal):
        settle({1: "ABCD", 2: "EFGH"}, "ABCDEFGI")
    with pytest.raises(Illegal):
        settle({1: "ABC", 2: "DEFGH"}, "ABCDEFGH")


def test_draws_of_equal_months_are_drawn_again() -> None:
    check_draws([{1: "A", 2: "B"}, {1: "E", 2: "I"}])
    for rows in (
        [{1: "A", 2: "B"}],
        [{1: "A", 2: "E"}, {1: "I", 2: "M"}],
        [{1: "A"}],
        [{1: "A", 2: "B"}, {1: "A", 2: "E"}],
    ):
        with pytest.raises(Illegal):
            check_draws(rows)
