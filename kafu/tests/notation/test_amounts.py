"""Sums, with and without kan."""

from __future__ import annotations

import pytest

from kafu.notation.faults import Code, Malformed
from kafu.notation.game import Place
from kafu.notation.reading import amounts
from kafu.notation.vocabulary import RULES


def ignore(code: Code, place: Place, **values: object) -> None:
    """Ignore a warning."""


KAN, POINTS = RULES["hachihachi"], RULES["koikoi"]


@pytest.mark.parametrize(
    ("word", "amount", "canonical"),
    [
        ("+5", 5, "+5"),
        ("5", 5, "+5"),
        ("-12", -12, "-1k"),
        ("0", 0, "0"),
        ("-0", 0, "0"),
        ("+7k", 84, "+7k"),
        ("-3k6", -42, "-3k6"),
        ("+1k12", 24, "+2k"),
        ("0k5", 5, "+5"),
    ],
)
def test_amount_in_kan_is_parsed_and_written_canonically(
    word: str, amount: int, canonical: str
) -> None:
    assert amounts.parse(word, KAN, lambda: (1, 1), ignore) == amount
    assert amounts.text(amount, kan=True) == canonical


def test_amount_in_points_is_parsed_and_written_with_its_sign() -> None:
    assert amounts.parse("+60", POINTS, lambda: (1, 1), ignore) == 60
    assert amounts.text(60, kan=False) == "+60"
    assert amounts.text(-60, kan=False) == "-60"


@pytest.mark.parametrize("word", ["", "k", "+", "--3", "+k5", "1.5", "99999999999", "1000000001"])
def test_word_that_is_not_an_amount_is_refused_at_its_place(word: str) -> None:
    with pytest.raises(Malformed) as caught:
        amounts.parse(word, KAN, lambda: (3, 7), ignore)
    assert caught.value.fault.code.id == "bad-amount"
    assert (caught.value.fault.line, caught.value.fault.column) == (3, 7)


def test_kan_where_points_are_counted_is_refused() -> None:
    with pytest.raises(Malformed) as caught:
        amounts.parse("+5k", POINTS, lambda: (1, 1), ignore)
    assert caught.value.fault.code.id == "no-kan"
