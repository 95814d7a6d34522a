"""Months of score sheets at the limits of what is possible, written by hand."""

from __future__ import annotations

import pytest

from kafu.rules.verdict import Verdict
from sheets import judge_sheet


def judge_koikoi(pay: str, options: str = "") -> Verdict:
    """Return the verdict on a sheet of koi-koi whose first month begins with a line."""
    return judge_sheet("koikoi", f"month 1 dealer 1\n{pay}", options, players=2)


@pytest.mark.parametrize(
    ("options", "possible", "impossible"),
    [
        ("", (1, 7, 107, 360), (108, 113, 119, 359, 1_000_000)),
        ("profile=koikoi-nintendo", (6, 8, 14), (7, 9, 11, 13, 1_000)),
    ],
)
def test_sum_that_no_month_of_the_house_can_have_is_illegal(
    options: str, possible: tuple[int, ...], impossible: tuple[int, ...]
) -> None:
    for sum_ in possible:
        assert judge_koikoi(f"pay month 1 +{sum_} 2 0", options).error is None, sum_
    for sum_ in impossible:
        error = judge_koikoi(f"pay month 1 +{sum_} 2 0", options).error
        assert error is not None and error.code.id == "sheet-month-sum", sum_


def test_sum_below_the_floor_of_a_month_played_again_is_illegal() -> None:
    verdict = judge_koikoi("\nmonth 1 dealer 2\npay month 1 +2 2 0")
    assert verdict.error is not None and verdict.error.code.id == "sheet-month-sum"


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("pay month 1 +10k 2 -5k 3 -4k 4 -1k", ""),
        ("pay month 1 +10k 2 -5k 3 -4k7 4 -5", "sheet-month-sum"),
        ("pay points 1 +5 2 -5 3 0 4 0\npay oikomi 1 -174 2 -174 3 -174 4 +522", ""),
        ("pay points 1 +5 2 -5 3 0 4 0\npay oikomi 1 -177 2 -177 3 -177 4 +531", "sheet-value"),
        ("pay points 1 +5 2 -5 3 0 4 0\npay oikomi 1 -3 2 -3 3 +9 4 -3", "sheet-seats"),
        ("pay futahachi 1 -17k 2 +34k 3 -17k 4 0\npay mizuten 1 +3k 2 -1k 3 -1k 4 -1k", ""),
        (
            "pay futahachi 1 -18k 2 +36k 3 -18k 4 0\npay mizuten 1 +3k 2 -1k 3 -1k 4 -1k",
            "sheet-no-cards",
        ),
    ],
)
def test_month_of_a_larger_table_has_only_what_it_can_have(lines: str, code: str) -> None:
    months = f"month 1 dealer 1\nba small\n{lines}"
    error = judge_sheet("hachihachi-bga", months, "tsukifuda=no", players=4).error
    assert (error.code.id if error else "") == code


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("pay month 1 +300 2 -200 3 -100", ""),
        ("pay month 1 +487 2 -200 3 -287", "sheet-month-sum"),
        ("pay month 1 +488 2 -200 3 -288", "sheet-month-sum"),
        ("pay month 1 +40k 2 -20k 3 -20k", ""),
        ("pay month 1 +280k 2 -280k 3 0", "sheet-month-sum"),
        (
            "void shiso 1 +80k 2 -40k 3 -40k\npay futahachi 1 +20k 2 -10k 3 -10k",
            "sheet-void",
        ),
        (
            "void nuke 1 +2k 2 -1k 3 -1k\npay futahachi 1 +20k 2 -10k 3 -10k",
            "sheet-void",
        ),
        (
            "pay futatatesanbon 1 +20k 2 -10k 3 -10k\npay futatatesanbon 1 -10k 2 +20k 3 -10k\n"
            "pay tatesanbon 1 -3k 2 -3k 3 +6k\npay points 1 +5 2 -5 3 0",
            "sheet-too-many-cards",
        ),
        # The second player captures nothing. A search that counts such a player's cards never ends.
        (
            "pay kuttsuki 1 -4k 2 +8k 3 -4k\npay futatatesanbon 1 -10k 2 -10k 3 +20k\n"
            "pay points 1 +4k3 2 -7k4 3 +3k1",
            "",
        ),
    ],
)
def test_month_of_hachihachi_has_only_what_it_can_have(lines: str, code: str) -> None:
    months = f"month 1 dealer 1\nba small\n{lines}\nstone 1"
    error = judge_sheet("hachihachi", months).error
    assert (error.code.id if error else "") == code


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        # The first calls add no value here, and no line mentions them.
        (
            "profile=koikoi-nintendo hanami-called=49 koikoi-times=8",
            "pay hanami 1 +49 2 0\npay kasu 1 +1 2 0\npay bai 1 +50 2 0",
        ),
        # The dealer's 58 are oyaken with which nobody wins, or inoshikachō and sankō.
        (
            "profile=koikoi-ai pays=no kobiki=40 oyaken=58 inoshikacho=53",
            "pay month 1 +1 2 0\n\nmonth 2 dealer 1\npay month 1 +58 2 0\n\n"
            "month 3 dealer 1\npay month 1 +1 2 0",
        ),
    ],
)
def test_month_that_a_sheet_cannot_tell_apart_is_possible(options: str, lines: str) -> None:
    verdict = judge_koikoi(lines, options)
    assert (verdict.status, verdict.error) == ("unfinished", None)
