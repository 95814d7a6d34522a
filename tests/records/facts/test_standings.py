"""Standings before a deal, and who paid whom."""

from __future__ import annotations

import pytest

from kafu.rules.verdict import DealResult, End, Line
from records.facts.standings import Standing, list_balances


def make_result(*lines: tuple[str, tuple[int, ...]]) -> DealResult:
    """Return the result of a deal with these payments."""
    ledger = tuple(Line(label, amounts) for label, amounts in lines)
    score = tuple(map(sum, zip(*(amounts for _label, amounts in lines), strict=True)))
    return DealResult(1, 1, None, None, ledger, score, 1, End("played-out"))


def test_each_payment_has_a_payer_or_a_receiver() -> None:
    result = make_result(("akatan", (-5, 10, -5)), ("points", (3, -8, 5)), ("kobiki", (0, 0, 0)))
    assert list_balances(result) == [[0, -2, 0], [2, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(("amounts", "lead"), [((7, 0), 7), ((0, 7), -7), ((-4, 4), -4)])
def test_balance_of_two_seats_is_the_margin(amounts: tuple[int, int], lead: int) -> None:
    assert list_balances(make_result(("month", amounts))) == [[0, lead], [-lead, 0]]


@pytest.mark.parametrize("line", [("month", (4, -1, -3)), ("points", (1, 3, -2, -2))])
def test_payers_of_a_sum_without_reasons_are_not_known(line: tuple[str, tuple[int, ...]]) -> None:
    assert list_balances(make_result(line)) is None


def test_standing_is_the_lead_on_the_best_other_seat() -> None:
    standing = Standing((3, 10, 4), (False, True, False))
    seats = [standing.of_seat(seat) for seat in (1, 2, 3)]
    assert seats == [(-7, False), (6, True), (-6, False)]
    assert Standing((5, 5), ()).of_seat(1) == (0, None)
