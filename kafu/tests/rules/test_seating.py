"""Seat draw and split of January (K1, C7)."""

import pytest

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.rules import codes
from kafu.rules.play.actions import Illegal
from kafu.rules.play.seating import check_draws, dealer_of_split, first_by_draw, order_by_draw

FOUR = (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("first", "second", "dealer"),
    [
        ("YZab", "ABCD", 1),  # 28 against 4
        ("klop", "ABEF", 2),  # 10, 11 count 0: the lower months win by digits 6 to 0
        ("klAB", "oCDp", 2),  # digits 2 each, months 22 against 24
        ("EFCD", "GHAB", 2),  # digits 6 each, months 6 each, animal against bright
        ("CDIJ", "ABKL", 2),  # bright each, the lower month
        ("CGKO", "DHLP", None),  # chaff of the same months: no dealer is determined
    ],
)
def test_split_chooses_the_dealer(first: str, second: str, dealer: int | None) -> None:
    assert dealer_of_split({1: first, 2: second}, "".join(sorted(first + second))) == dealer


def test_draws_of_equal_months_are_repeated() -> None:
    check_draws([{1: "A", 2: "B"}, {1: "E", 2: "I"}])
    for rows in (
        [{1: "A", 2: "B"}],
        [{1: "A", 2: "E"}, {1: "I", 2: "M"}],
        [{1: "A"}],
        [{1: "A", 2: "B"}, {1: "A", 2: "E"}],
    ):
        with pytest.raises(Illegal):
            check_draws(rows)


def test_card_is_drawn_again_in_a_later_row_only() -> None:
    """C7: the cards are put back; within a row a card is drawn once."""
    assert order_by_draw([{1: "A", 2: "B", 3: "Y"}, {1: "A", 2: "Y"}], (1, 2, 3)) == 1
    assert first_by_draw([{1: "A", 2: "B", 3: "C", 4: "E"}, {1: "E", 2: "B", 3: "I"}], FOUR) == 2
    with pytest.raises(Illegal) as caught:
        order_by_draw([{1: "A", 2: "B", 3: "Y"}, {1: "E", 2: "E"}], (1, 2, 3))
    assert (caught.value.code, caught.value.where) == (codes.DRAW_TWICE, "draw.1.2")


HEAD = '[Kafu "1"]\n[Rules "hachihachi"]\n[Player1 "A"]\n[Player2 "B"]\n[Player3 "C"]\n\n'


@pytest.mark.parametrize(
    ("rows", "code", "line", "column", "message"),
    [
        (
            "draw 1A 2B 3I\ndraw 1B 3 A",
            "draw-wrong",
            9,
            11,
            "row 2: player 3 draws pine with crane (A)",
        ),
        ("draw 1A 2_ 3I", "card-not-in-pack", 8, 10, "card _"),
    ],
)
def test_wrong_seat_draw_is_refused_at_its_row_and_card(
    rows: str, code: str, line: int, column: int, message: str
) -> None:
    """C7, H25: the fault has the line of the row and the column of the card."""
    error = verify(read(f"{HEAD}month 1 dealer 1\n{rows}\n")).verdict.to_json()["error"]
    assert (error["code"], error["line"], error["column"]) == (code, line, column)
    assert message in error["message"]
    assert (error["deal"], error["turn"]) == (1, None)
