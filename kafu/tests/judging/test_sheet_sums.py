"""Months of score sheets that are written as their sum alone (S2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

import kafu
from kafu.notation.game import Game, Payment
from kafu.simulation.simulate import simulate
from lengths import LONG
from sheets import judge_sheet

#: Rulesets with their number of players.
TABLES = [(rules, 3) for rules in ("hachihachi", "hanaawase", "ten-five-one")]
TABLES += [("hachihachi-bga", players) for players in (3, 4, 6)] + [("koikoi", 2)]
SEEDS = range(40 if LONG else 1)


def sum_up(sheet: Game) -> Game:
    """Return a sheet with its months as sums, but for months that 四三 ends and prizes."""
    months = []
    for month in sheet.months:
        extra = [line for line in month.payments if line.label in ("kobiki", "obiki")]
        paid = [line.amounts for line in month.payments if line not in extra and not line.void]
        sums = tuple(map(sum, zip(*paid, strict=True))) or (0,) * len(sheet.players)
        payments = [Payment("month", sums), *extra]
        has_shiso = any("shiso" in line.label for line in month.payments)
        months.append(month if has_shiso else month.replace(payments=payments))
    return replace(sheet, months=months)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_sums_of_a_simulated_game_are_possible(rules: str, players: int, seed: int) -> None:
    sheet = sum_up(kafu.sheet_of(simulate(rules, seed=seed, players=players)))
    verdict = kafu.verify(sheet)
    assert verdict.error is None, kafu.write(sheet)


@pytest.mark.parametrize(
    ("rules", "sums", "is_possible"),
    [
        ("hachihachi", "1 +463 2 -200 3 -263", True),  # the largest such sum
        ("hachihachi", "1 +464 2 -200 3 -264", False),
        ("hachihachi", "1 +487 2 -200 3 -287", False),  # no hand of 17 kan with 167 points
        ("hachihachi", "1 +1001 2 -500 3 -501", False),  # no whole halves of a kan
        ("hachihachi", "1 +240 2 -120 3 -120", True),
        ("hachihachi", "1 +3000 2 -1500 3 -1500", False),  # in the bounds of all captured yaku
        pytest.param(
            *("hachihachi", "1 +504 2 -1008 3 +504", False),  # 42 kan for each of two players
            marks=pytest.mark.long_only,  # two seconds
        ),
        ("hachihachi-bga", "1 +1001 2 -500 3 -501", False),
        ("hachihachi-bga", "1 +2400 2 -1200 3 -1200", False),
        ("hachihachi-bga", "1 +480 2 -240 3 -240", True),
    ],
)
def test_sum_is_possible_if_cards_make_payments_with_it(
    rules: str, sums: str, is_possible: bool
) -> None:
    error = judge_sheet(rules, f"month 1 dealer 1\nba small\npay month {sums}\nstone 1").error
    assert (error and error.code.id) == (None if is_possible else "sheet-month-sum")


def test_sum_with_a_hand_shut_out_beside_a_rare_field_is_possible() -> None:
    """The largest fees leave tens of thousands of lists, which the field excludes."""
    sums = "1 -70k 2 +140k 3 -2k 4 -68k"
    month = f"month 1 dealer 3\nba absolute2\npay month {sums}\nstone 1"
    assert judge_sheet("hachihachi-bga", month, players=4).error is None


@pytest.mark.long_only  # a minute each
@pytest.mark.parametrize(
    ("ba", "sums"),
    [("large2", "1 -81k 2 +172k 3 -91k"), ("absolute", "1 +344k 2 -170k 3 -174k")],
)
def test_large_sum_of_many_lists_is_refused_by_proof(ba: str, sums: str) -> None:
    error = judge_sheet("hachihachi", f"month 1 dealer 3\nba {ba}\npay month {sums}\nstone 1").error
    assert error is not None and error.code.id == "sheet-month-sum"
