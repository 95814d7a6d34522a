"""The sentence that says how a game was won."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from records.facts.analysed import SeatSums
from records.wording.causes import Cause, cause_of


def _deal(*score: int, label: str = "tane", month: int = 1) -> dict[str, Any]:
    line = {"label": label, "amounts": list(score), "void": False}
    return {"month": month, "score": list(score), "ledger": [line]}


@pytest.mark.parametrize(
    ("deals", "final", "cause"),
    [
        (
            [_deal(3, 0), _deal(0, 9, label="ameshiko", month=6)],
            (3, 9),
            (2, "6月の雨四光 +9で逆転"),
        ),
        ([_deal(3, 0), _deal(2, 0, month=2)], (5, 0), (1, "1月のタネ +3から首位")),
        ([_deal(0, 0), _deal(2, 0, month=2)], (2, 0), (2, "2月のタネ +2で首位")),
        ([_deal(0, 5)], (0, 5), (1, "タネ +5で勝ち")),
        ([_deal(3, 0), _deal(1, 0, month=2)], (4, 9), (2, "精算で逆転")),
        ([_deal(3, 3)], (3, 3), None),
        ([_deal(3, 0)], None, None),
    ],
)
def test_sentence_names_the_deciding_month_and_its_best_payment(
    deals: list[dict[str, Any]], final: tuple[int, int] | None, cause: tuple[int, str] | None
) -> None:
    with translation.override("ja"):
        found = cause_of({"rules": "koikoi", "deals": deals, "final": final})
    assert found == (cause and Cause(*cause))


@pytest.mark.parametrize(
    ("luck", "error", "deals", "words"),
    [
        (6, 0, 2, "6月の雨四光 +9で逆転（主に運）"),
        (-1, 1, 2, "6月の雨四光 +9で逆転（主に選択）"),
        (6, 2, 2, "6月の雨四光 +9で逆転（運と選択）"),
        (6, 0, 1, "6月の雨四光 +9で逆転"),  # a deal was not measured
    ],
)
def test_sentence_of_an_analysed_game_weighs_luck_and_choices(
    luck: int, error: int, deals: int, words: str
) -> None:
    """The winner of the two deals has 6 more than the opponent."""
    months = [_deal(3, 0), _deal(0, 9, label="ameshiko", month=6)]
    loser, winner = (
        SeatSums(deals, 1000 * amount, 1000**2 * error**2, 0, 0, bold=0, careful=0)
        for amount in (-luck, luck)
    )
    with translation.override("ja"):
        cause = cause_of({"rules": "koikoi", "deals": months, "final": (3, 9)}, [loser, winner])
    assert cause == Cause(2, words)
