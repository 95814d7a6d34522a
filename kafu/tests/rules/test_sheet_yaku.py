"""Yaku that one player can have captured together, and impossible combinations (S4)."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafu import cards
from kafu.rules.hanaawase.machine import YAKU as HANAAWASE
from kafu.rules.koikoi.profiles import PROFILES, find_profile
from kafu.rules.koikoi.yaku import YAKU
from kafu.rules.sheets.together import Rain, possible, sums, ways
from kafu.rules.yaku import made

RAIN = Rain(cards.WILLOW, cards.CRANE)


def fits(**values: int) -> bool:
    """Return whether a winner of koi-koi can have exactly these yaku."""
    return possible(YAKU, frozenset(values.items()), rain=RAIN)


@pytest.mark.parametrize(
    "values",
    [
        {"kasu": 1},
        {"kasu": 16},  # all 24 and the cup
        {"teppo": 6},
        {"goko": 24},
        {"akatan": 7, "tan": 1},
        {"akatan": 7, "aotan": 7, "tan": 2},
        {"goun": 15, "inoshikacho": 6, "tane": 2},
        {"otori": 18},
        {"otori": 18, "tane": 1},
        {"sanko": 6, "omotesugawara": 4},
        {"tsukimi": 2},
        {"sanko": 6, "tane": 1, "otori": 18},
    ],
)
def test_possible_values_fit(values: dict[str, int]) -> None:
    assert fits(**values)


@pytest.mark.parametrize(
    "values",
    [
        {"kasu": 17},
        {"tane": 6},
        {"goko": 24, "shiko": 16},
        {"tsukimi": 2, "hanami": 2},  # the two are teppō
        {"goun": 15},  # five animals
        {"goun": 15, "inoshikacho": 6, "tane": 1},
        {"akatan": 7, "aotan": 7},  # six ribbons
        {"akatan": 7, "aotan": 7, "tan": 1},
        {"otori": 18, "kotori": 7},
        {"akatan": 7, "aotan": 7, "kusa": 5, "tan": 4},
        {"goko": 24, "omotesugawara": 4, "goun": 15, "tane": 1},  # the cup, I and c: teppō, if dry
    ],
)
def test_impossible_values_do_not_fit(values: dict[str, int]) -> None:
    assert not fits(**values)


def test_rain_permits_the_cards_of_a_voided_sake_yaku() -> None:
    """With willow captured, and no crane, the three cards of teppō make nothing (K7)."""
    assert fits(ameshiko=9, goun=15, tane=1)
    assert not possible(YAKU, frozenset({("ameshiko", 9), ("goun", 15), ("tane", 1)}))


def test_mist_permits_the_cards_of_a_voided_sake_yaku() -> None:
    """K20: ōtori has the phoenix, and also the crane, which lifts mist only with hinode."""
    claimed = frozenset({("otori", 18), ("goun", 15), ("tane", 4), ("sanko", 6)})
    for options, fits_ in (({}, False), ({"mist": "yes", "hinode": "no"}, True)):
        house = find_profile({"rain": "no", "omotesugawara": "0", **options})
        assert house is not None
        rain = Rain(house.voiding, cards.CRANE * house.crane)
        assert possible(house.yaku, claimed, rain=rain) is fits_


@pytest.mark.parametrize("called", [False, True])
def test_values_after_a_call_are_possible_only_with_a_call(called: bool) -> None:
    house = PROFILES["koikoi-ai"].yaku
    assert possible(house, frozenset({("tsukimi", 3)}), called=called) is called
    assert possible(house, frozenset({("tsukimi", 1)}), called=called) is not called


@pytest.mark.parametrize("house", sorted(PROFILES))
@given(seed=st.integers(0, 10**6), count=st.integers(1, 40))
def test_yaku_that_cards_make_are_possible(house: str, seed: int, count: int) -> None:
    captured = sum(Random(seed).sample(list(cards.bits(cards.ALL)), count))
    rules = PROFILES[house]
    made_yaku = made(rules.yaku, captured, rained=rules.rains(captured), called=False)
    rain = RAIN if rules.rain else Rain()
    claimed = frozenset((yaku.id, yaku.value) for yaku in made_yaku)
    assert possible(rules.yaku, claimed, rain=rain)
    whole = made(HANAAWASE, captured, rained=False, called=False)
    assert possible(HANAAWASE, frozenset((yaku.id, yaku.value) for yaku in whole))


def test_ways_to_divide_a_sum_are_found_up_to_a_hundred() -> None:
    assert sums([[1, 2], [10, 20]]) == {11, 12, 21, 22}
    assert list(ways([[1, 2], [1, 2], [5]], 8)) == [(1, 2, 5), (2, 1, 5)]
    assert list(ways([[1], [1]], 3)) == []
    assert len(list(ways([range(100), range(100)], 99))) == 100
    assert len(list(ways([range(200), range(200)], 199))) == 100, "no more are tried"
