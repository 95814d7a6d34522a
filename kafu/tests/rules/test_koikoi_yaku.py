"""Captured-hand yaku of koi-koi: values and exclusions (the table of rulings/koikoi.md, K5–K7)."""

import pytest

from kafu import cards
from kafu.rules.koikoi.machine import Koikoi
from kafu.rules.koikoi.profiles import PROFILES, Profile
from kafu.rules.koikoi.yaku import YAKU
from kafu.rules.play.actions import Say
from kafu.rules.play.machine import Phase
from kafu.rules.yaku import CapturedYaku, YakuTable, counting, made, total, whole
from rules.tables import MACHINE, after, position, yaku

CHAFF = cards.letters(cards.CHAFF)


def test_captured_yaku_equal_the_table_with_its_exclusions() -> None:
    for captured, expected in [
        ("AIcos", {"goko": 24}),
        ("AIcs", {"shiko": 16}),
        ("AIco", {"ameshiko": 9}),
        ("AIc", {"sanko": 6}),
        ("AIo", {}),
        ("AEMdps", {"otori": 18, "tane": 0}),
        ("EMdp", {"kotori": 7}),
        ("EQUYg", {"goun": 15, "tane": 1}),
        ("BFJ", {"akatan": 7}),
        ("Vhl", {"aotan": 7}),
        ("YkU", {"inoshikacho": 6}),
        ("NRZ", {"kusa": 5}),
        ("AEI", {"omotesugawara": 4}),
        ("Icg", {"teppo": 6}),
        ("Ig", {"hanami": 2}),
        ("cg", {"tsukimi": 2}),
        ("BFJNR", {"akatan": 7, "tan": 1}),
        ("BFJNRVZ", {"akatan": 7, "kusa": 5, "tan": 3}),
        ("EMQUY", {"tane": 1}),
        ("EMQUYdgkp", {"goun": 15, "kotori": 7, "inoshikacho": 6, "tane": 5}),
    ]:
        state = position(captured, hand="b", stock="a")
        assert yaku(state) == {id: value for id, value in expected.items() if value}, captured


def test_chaff_yaku_begins_at_ten_and_counts_the_cup() -> None:
    """K5, K6: カス from ten, one mon for each card more; g is animal and dregs at once."""
    assert yaku(position(CHAFF[:9], hand="b", stock="a")) == {}
    assert yaku(position(CHAFF[:9] + "g", hand="b", stock="a")) == {"kasu": 1}
    assert yaku(position(CHAFF[:10] + "g", hand="b", stock="a")) == {"kasu": 2}
    assert yaku(position(CHAFF, hand="b", stock="g"))["kasu"] == 15


@pytest.mark.parametrize("sake", ["Ig", "cg", "Icg"])
def test_rain_voids_sake_unless_the_crane_is_held(sake: str) -> None:
    """K7 (雨流れ): any willow voids; A revives."""
    assert not yaku(position(sake + "r", hand="b", stock="a"))
    assert total(MACHINE.yaku(position(sake + "rA", hand="b", stock="a"), 1)) >= 2


def test_yaku_that_replaces_another_is_found_before_it() -> None:
    low, high = (
        whole("low", cards.mask("AB"), 1),
        whole("high", cards.mask("ABC"), 2, over=("low",)),
    )
    assert [
        yaku.id
        for yaku in made(YakuTable((high, low)), cards.mask("ABC"), rained=False, called=False)
    ] == ["high"]
    with pytest.raises(ValueError, match="must stand before"):
        YakuTable((low, high))


def test_table_has_every_value_of_the_document() -> None:
    """The eighteen rows of 出来役 with their values."""
    values = sorted((row.value for row in YAKU), reverse=True)
    assert values == [24, 18, 16, 15, 9, 7, 7, 7, 6, 6, 6, 5, 4, 2, 2, 1, 1, 1]


def test_yaku_of_koikoi_nintendo_have_the_values_of_that_house() -> None:
    """K15: named sets grow, and replace the plain count of their kind."""
    table = PROFILES["koikoi-nintendo"].yaku

    def worth(captured: str) -> dict[str, int]:
        made_yaku = made(table, cards.mask(captured), rained=False, called=False)
        return {yaku.id: yaku.value for yaku in made_yaku}

    assert worth("BFJVh") == {"akatan": 7}
    assert worth("BVhlNR") == {"aotan": 8}
    assert worth("BFJVhlN") == {"akatan-aotan": 11}
    assert worth("BNRZqF") == {"tan": 2}
    assert worth("YkUEM") == {"inoshikacho": 7}
    assert worth("YkEMQp") == {"tane": 2}
    assert worth("Icgo") == {"tsukimi": 5, "hanami": 5}
    assert worth("CDGHKLOPSg") == {"kasu": 1}
    assert [worth(brights) for brights in ("AIc", "AIo", "AIco", "AIcs", "AIcos")] == [
        {"sanko": 5},
        {},
        {"ameshiko": 7},
        {"shiko": 8},
        {"goko": 10},
    ]


def test_house_of_its_own_table_is_played() -> None:
    """K15: a house of our own, with a yaku that no other has, is played without a line of code."""
    profile = Profile(
        "three-poems",
        yaku=YakuTable(
            (
                whole("akatan", cards.RED_POEMS, 9, over=("poem-pair",)),
                CapturedYaku("poem-pair", cards.RED_POEMS, 2, 3),
                counting("tane", cards.ANIMALS, 4, value=2, step=2),
            )
        ),
        teyaku=(),
        months=1,
        extend=False,
        prize=None,
    )
    machine = Koikoi(profile)
    state = after(position("B", hand="G", field="F", stock="a", machine=machine), "GxF/a", machine)
    assert yaku(state, machine) == {"poem-pair": 3}
    state, _ = machine.apply(state, Say("shobu"))
    assert (state.phase, state.final) == (Phase.OVER, (3, 0))
    assert yaku(position("BFJEMQUY", hand="b", stock="a", machine=machine), machine) == {
        "akatan": 9,
        "tane": 4,
    }
