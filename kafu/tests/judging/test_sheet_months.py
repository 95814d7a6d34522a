"""Months of score sheets: those of simulated games are right, and changed ones are illegal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kafu
from golden import text_of
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.rules.hachihachi.hands import NUKE
from kafu.rules.hachihachi.sheet_lines import SPECIAL
from kafu.rules.hachihachi.sheet_month import HACHIHACHI
from kafu.rules.verdict import Verdict

#: Few enough that a run draws the same game several times.
SEEDS = st.integers(0, 200)
_PAYMENT: Final = re.compile(r"(pay|void) (\S+) (.*)")
#: Hands with two threes, each of which can make a tobikomi.
_TWO_THREES: Final = {yaku for yaku, count in HACHIHACHI.threes.items() if count > 1}


@cache
def lines_of_sheet(rules: str, seed: int) -> tuple[str, ...]:
    """Return the lines of the sheet of a simulated game, none for a game that has no right one."""
    game = read(text_of(rules, seed)).game
    assert game is not None
    if verify(read(text_of(rules, seed))).verdict.status != "verified":
        return ()
    lines = tuple(kafu.write(kafu.sheet_of(game)).split("\n"))
    # The table of compounds has 複合せず for this pair, which a sheet keeps to (H24).
    return () if any("aka+shiso" in line for line in lines) else lines


def judge(lines: tuple[str, ...] | list[str]) -> Verdict:
    """Return the verdict on a sheet of these lines."""
    return verify(read("\n".join(lines))).verdict


def find_months(lines: tuple[str, ...]) -> Iterator[range]:
    """Yield the line numbers of each month of a sheet."""
    starts = [number for number, line in enumerate(lines) if line.startswith("month")]
    for start, end in pairwise([*starts, len(lines)]):
        yield range(start, end)


@pytest.mark.parametrize("rules", sorted(RULES))
@given(SEEDS)
def test_sheet_of_a_simulated_game_is_verified(rules: str, seed: int) -> None:
    lines = lines_of_sheet(rules, seed)
    if lines:
        verdict = judge(lines)
        assert (verdict.status, verdict.error) == ("verified", None)


def find_payments(lines: tuple[str, ...]) -> list[int]:
    """Return the line numbers of the payments that one player gets."""
    return [
        number
        for number, line in enumerate(lines)
        if (payment := _PAYMENT.match(line)) and payment[2] not in ("points", "oikomi")
    ]


@pytest.mark.parametrize("rules", sorted(RULES))
@given(SEEDS, st.integers(0, 99))
def test_payment_written_twice_is_illegal(rules: str, seed: int, choice: int) -> None:
    lines = lines_of_sheet(rules, seed)
    payments = find_payments(lines)
    if not payments:
        return
    number = payments[choice % len(payments)]
    month = next(month for month in find_months(lines) if number in month)
    has_two_threes = any(_TWO_THREES & set(re.split(r"[ +]", lines[i])) for i in month)
    if "tobikomi" in lines[number] and has_two_threes:
        return
    error = judge([*lines[:number], lines[number], *lines[number:]]).error
    assert error is not None and error.line is not None, lines[number]
    assert month.start < error.line <= month.stop + 1, lines[number]


@pytest.mark.parametrize("rules", ["hachihachi", "hachihachi-bga"])
@given(SEEDS)
def test_nuke_without_its_hand_or_points_is_illegal(rules: str, seed: int) -> None:
    lines = lines_of_sheet(rules, seed)
    for month in find_months(lines):
        labels = {
            yaku
            for number in month
            if (payment := _PAYMENT.match(lines[number]))
            for yaku in payment[2].split("+")
        }
        if NUKE & labels or not labels:
            continue
        first = next(number for number in month if _PAYMENT.match(lines[number]))
        seats = lines[first].split()[2::2]
        amounts = ["+2k", "-1k", "-1k", *["0"] * (len(seats) - 3)]
        nuke = " ".join(["pay nuke", *(f"{s} {a}" for s, a in zip(seats, amounts, strict=True))])
        verdict = judge([*lines[:first], nuke, *lines[first:]])
        assert verdict.error is not None
        assert verdict.error.line in range(month.start + 1, month.stop + 2)


@pytest.mark.parametrize("rules", ["hachihachi", "hachihachi-bga"])
@given(SEEDS, st.integers(0, 99))
def test_payment_of_three_times_the_value_is_illegal(rules: str, seed: int, choice: int) -> None:
    lines = lines_of_sheet(rules, seed)
    payments = [
        number
        for number in find_payments(lines)
        if not SPECIAL.keys() & set(re.split(r"[ +]", lines[number]))
    ]
    if payments:
        number = payments[choice % len(payments)]
        multiplied = re.sub(r"([+-])(\d+)k(\d*)", _multiply, lines[number])
        error = judge([*lines[:number], multiplied, *lines[number + 1 :]]).error
        assert error is not None, multiplied


def _multiply(match: re.Match[str]) -> str:
    kan, mon = divmod(3 * (12 * int(match[2]) + int(match[3] or 0)), 12)
    return f"{match[1]}{kan}k{mon or ''}"


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
        assert judge(KOIKOI.format(options=options, sum=sum_).split("\n")).error is None, sum_
    for sum_ in impossible:
        error = judge(KOIKOI.format(options=options, sum=sum_).split("\n")).error
        assert error is not None and error.code.id == "sheet-month-sum", sum_


def test_sum_below_the_floor_of_a_month_played_again_is_illegal() -> None:
    flow = KOIKOI.format(options="", sum=2).replace(
        "\npay month 1 +2 2 0\n", "\n\nmonth 1 dealer 2\n"
    )
    verdict = judge([*flow.split("\n"), "pay month 1 +2 2 0"])
    assert verdict.error is not None and verdict.error.code.id == "sheet-month-sum"
