"""Dealt-hand yaku by patterns, with exact odds (K4, C6)."""

import json
from math import comb

import pytest

from kafu.cards import mask
from kafu.rules.koikoi.yaku import TEYAKU
from kafu.rules.teyaku import find, hands, odds, patterns
from shared import shared

GOLDEN = shared("golden/odds.json")


@pytest.mark.parametrize(
    ("hand", "yaku"),
    [
        ("ABCEFIJM", "haneken"),
        ("ABCDEFIM", "teshi"),
        ("ABCDEIMQ", "teshi"),
        ("ABCEFGIM", "futasanbon"),
        ("ABEFIJMN", "kuttsuki"),
        ("ABCEFGIJ", "futasanbon-kuttsuki"),
        ("ABCDEFIJ", "teshi-kuttsuki"),
        ("ABCDEFGI", "shiso"),
        ("ABCDEFGH", "futateshi"),
        ("AEIMQUYc", None),
        ("ABCEFIMQ", None),
    ],
)
def test_yaku_of_a_hand_is_found_by_its_pattern(hand: str, yaku: str | None) -> None:
    match = find(TEYAKU, mask(hand))
    assert (match and match.id) == yaku


def test_patterns_cover_every_hand_once() -> None:
    assert sum(map(hands, patterns(8))) == comb(48, 8)
    assert sum(map(hands, patterns(7))) == comb(48, 7)


def test_odds_equal_those_of_the_document() -> None:
    """The document's 手役: the printed percentages, to the last figure."""
    percent = {id: round(100 * count / comb(48, 8), 6) for id, count in odds(TEYAKU).items()}
    assert percent == {
        "haneken": 0.906704,
        "teshi": 0.419771,
        "futasanbon": 0.201490,
        "kuttsuki": 0.170007,
        "futasanbon-kuttsuki": 0.016791,
        "teshi-kuttsuki": 0.006297,
        "shiso": 0.005597,
        "futateshi": 0.000017,
    }


@pytest.mark.skipif(
    not GOLDEN.exists(), reason="the shared golden figures are not beside the project"
)
def test_counts_equal_the_golden_counts() -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))["rulesets"]["001_koikoi"]
    counts = {id: row["count"] for id, row in golden["yaku"].items()}
    assert odds(TEYAKU) == counts
    assert {"-".join(map(str, shape)): hands(shape) for shape in patterns(8)} == golden[
        "month_patterns"
    ]
