"""Months of score sheets: those of simulated games are right, and changed ones are illegal."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from breaking.proof import WAYS, broken_sheets, find_fault, judge, right_forms, sheet_of_seed
from kafu.judging.verify import verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.rules.verdict import Verdict

#: Few enough that a run draws the same game several times.
SEEDS = st.integers(0, 40)


@cache
def sheet_of(rules: str, seed: int) -> Game | None:
    """Return the sheet of a simulated game, None for a game that has no right one."""
    return sheet_of_seed(rules, seed)


@pytest.mark.parametrize("rules", sorted(RULES))
@given(SEEDS)
def test_sheet_of_a_simulated_game_is_right_in_every_form(rules: str, seed: int) -> None:
    sheet = sheet_of(rules, seed)
    if sheet is None:
        return
    for form, right in right_forms(sheet, Random(seed)):
        verdict = judge(right)
        assert verdict.error is None and not verdict.mismatches, form
        assert verdict.status == "verified" or form != "whole"


@pytest.mark.parametrize("rules", sorted(RULES))
@given(SEEDS, st.data())
def test_impossible_month_is_refused_at_its_line(
    rules: str, seed: int, data: st.DataObject
) -> None:
    sheet = sheet_of(rules, seed)
    if sheet is None:
        return
    ways = data.draw(st.sets(st.sampled_from(WAYS[rules]), min_size=6, max_size=6))
    for broken in broken_sheets(sheet, Random(seed), sorted(ways, key=WAYS[rules].index)):
        assert not find_fault(broken), (broken.way, broken.number)


def judge_text(lines: list[str]) -> Verdict:
    """Return the verdict on a sheet of these lines."""
    return verify(read("\n".join(lines))).verdict


KOIKOI = """[Kafu "1"]
[Rules "koikoi"]
{options}[Player1 "Aya"]
[Player2 "Ben"]
[Sheet "1"]
[Termination "unfinished"]

month 1 dealer 1
pay month 1 +{sum} 2 0
"""


@pytest.mark.parametrize(
    ("options", "possible", "impossible"),
    [
        ("", (1, 7, 119, 360), (120, 359, 1_000_000)),
        ('[Options "profile=koikoi-nintendo"]\n', (6, 8, 14), (7, 9, 11, 13, 1_000)),
    ],
)
def test_sum_that_no_month_of_the_house_can_have_is_illegal(
    options: str, possible: tuple[int, ...], impossible: tuple[int, ...]
) -> None:
    for sum_ in possible:
        assert judge_text(KOIKOI.format(options=options, sum=sum_).split("\n")).error is None, sum_
    for sum_ in impossible:
        error = judge_text(KOIKOI.format(options=options, sum=sum_).split("\n")).error
        assert error is not None and error.code.id == "sheet-month-sum", sum_


def test_sum_below_the_floor_of_a_month_played_again_is_illegal() -> None:
    flow = KOIKOI.format(options="", sum=2).replace(
        "\npay month 1 +2 2 0\n", "\n\nmonth 1 dealer 2\n"
    )
    verdict = judge_text([*flow.split("\n"), "pay month 1 +2 2 0"])
    assert verdict.error is not None and verdict.error.code.id == "sheet-month-sum"
