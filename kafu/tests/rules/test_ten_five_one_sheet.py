"""The months of a score sheet of the 10/5/1 game that 48 cards make (S1, S2, S8)."""

from __future__ import annotations

import pytest

from kafu.rules.sheets.capture_rules import CaptureRules, list_options
from kafu.rules.sheets.capture_ways import FIELD
from kafu.rules.verdict import Verdict
from sheets import judge_sheet

KABURI = "pay bozukaburi 1 +20 2 -10 3 -10\n"
AMEZORO = "pay amezoro 1 -20 2 -20 3 +40\n"
SHISO = "pay nasake+shiso 1 +220 2 -110 3 -110\npay points 1 0 2 -1 3 +1"
DIVE = "pay sanbon 1 +40 2 -20 3 -20\n"


def judge_month(lines: str, options: str = "", players: int = 3) -> Verdict:
    """Return the verdict on a month that player 1 deals."""
    return judge_sheet("ten-five-one", f"month 1 dealer 1\n{lines}", options, players=players)


@pytest.mark.parametrize(
    ("lines", "options", "code", "where"),
    [
        # Two cards of a month count six points at least.
        ("pay points 1 -95 2 +50 3 +45", "", "sheet-points", "pay.0"),
        ("pay points 1 -94 2 +50 3 +44", "", "", ""),
        # Moon and geese are ten points, and no two other cards are five.
        (f"{KABURI}pay points 1 -85 2 +40 3 +45", "", "sheet-no-cards", "pay.1"),
        (f"{KABURI}pay points 1 -84 2 +40 3 +44", "", "", ""),
        # All willow is 21 points, and no pairs are nineteen.
        (f"{AMEZORO}pay points 1 +40 2 +40 3 -80", "", "sheet-no-cards", "pay.1"),
        (f"{AMEZORO}pay points 1 +40 2 +39 3 -79", "", "", ""),
        # Four and three cards of two months have two ribbons, and willow may count for dōni only.
        (SHISO, "nasake=all shiso=yes", "sheet-no-cards", "pay.0"),
        (SHISO, "nasake=all-rain shiso=yes", "", ""),
        # Who captured all four cards of a month has sixteen points.
        (f"{DIVE}pay points 1 -85 2 +45 3 +40", "tobikomi=yes", "sheet-no-cards", "pay.1"),
        (f"{DIVE}pay points 1 -79 2 +44 3 +35", "tobikomi=yes", "", ""),
        # So many points include all pampas.
        ("pay points 1 +160 2 -75 3 -85", "", "sheet-due", "pay.0"),
        # Two hands of one player.
        (
            "pay sanbon 1 +20 2 -10 3 -10\npay kuttsuki 1 +40 2 -20 3 -20",
            "kuttsuki=yes",
            "sheet-no-cards",
            "pay.1",
        ),
    ],
)
def test_month_is_possible_if_cards_make_it(
    lines: str, options: str, code: str, where: str
) -> None:
    error = judge_month(lines, options).error
    assert (error.code.id if error else "") == code
    if error:
        assert error.where == (where,)


@pytest.mark.parametrize(
    ("nasake", "is_possible"),
    [("1 -10 2 +20 3 -10 4 0", False), ("1 -10 2 0 3 +20 4 -10", True)],
)
def test_doni_who_chose_to_go_in_has_no_nasake(nasake: str, is_possible: bool) -> None:
    """With ``chosen-doni`` everybody who bids after dōni must be in."""
    error = judge_month(f"pay nasake {nasake}", "nasake=chosen-doni", players=4).error
    assert (error and error.code.id) == (None if is_possible else "sheet-place")


@pytest.mark.parametrize(
    ("sums", "is_possible"),
    [
        ("1 -95 2 +50 3 +45", True),  # not by points alone
        ("1 -160 2 +80 3 +80", True),
        ("1 +190 2 -110 3 -80", True),
        ("1 +240 2 -140 3 -100", False),
        ("1 +999999 2 -999999 3 0", False),
    ],
)
def test_sum_is_possible_if_cards_make_any_payments_with_it(sums: str, is_possible: bool) -> None:
    error = judge_month(f"pay month {sums}").error
    assert (error and error.code.id) == (None if is_possible else "sheet-month-sum")


def test_field_with_four_of_a_month_is_no_option_where_it_is_dealt_again() -> None:
    rules = CaptureRules(is_played_out=True, tells_fours=True)
    for most in (3, 4):
        options = list_options(rules._replace(most_alike=most), 0)
        assert max(way.measures[FIELD] for option in options for way in option.ways.ways) == most
