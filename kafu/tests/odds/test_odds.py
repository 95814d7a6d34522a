"""Exact odds compared with closed forms, the document's figures, and the golden counts."""

import json
from collections import Counter
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest

from kafu.notation.vocabulary import RULES
from kafu.odds.exact import (
    ALL,
    BOUNDS,
    DONI,
    NONE,
    OTHER,
    WITH_RAIN,
    Odds,
    count_by_months,
    house_hands,
    odds,
    seat_odds,
)
from kafu.odds.form import format_one_in, format_percent, to_json
from kafu.rules import teyaku
from kafu.rules.hachihachi.hands import CHAFF, COUNT
from kafu.rules.rulesets import RULESETS, Unsupported
from kafu.rules.ten_five_one.machine import TenFiveOneHouse
from shared import shared

GOLDEN = shared("golden/odds.json")
GOLDEN_FILES = [GOLDEN] if GOLDEN.exists() else []


@pytest.fixture
def hachihachi() -> Odds:
    return odds("hachihachi")


def golden(path: Path, ruleset: str) -> dict[str, Any]:
    counts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["rulesets"][ruleset]
    return counts


def test_every_hand_of_hachihachi_is_counted_once(hachihachi: Odds) -> None:
    hands = hachihachi.hands
    assert sum(hands.rows.values()) == sum(hands.columns.values()) == comb(48, 7) == hands.total
    assert sum(hands.choices.values()) == hands.total
    assert list(hands.matrix) == [NONE, *COUNT]
    assert all(list(cells) == [NONE, *CHAFF] for cells in hands.matrix.values())


def test_columns_equal_their_closed_forms(hachihachi: Odds) -> None:
    """27 cards are chaff (with all three 柳), 4 are brights, 8 animals and 9 ribbons."""
    columns = hachihachi.hands.columns
    assert columns["karasu"] == comb(27, 7)
    assert columns["pikaichi"] == 4 * comb(27, 6)
    assert columns["toichi"] == 8 * comb(27, 6)
    assert columns["tanichi"] == 9 * comb(27, 6)
    assert columns["aka"] == sum(comb(9, n) * comb(27, 7 - n) for n in range(2, 8))


def test_rows_of_a_pattern_add_up_to_its_hands(hachihachi: Odds) -> None:
    """A pattern of months ignores 立三本, so its hands have several yaku."""
    rows = hachihachi.hands.rows
    for pattern, yaku in {
        (2, 2, 2, 1): ["kuttsuki"],
        (4, 1, 1, 1): ["teshi"],
        (3, 2, 2): ["haneken"],
        (4, 2, 1): ["ichinishi"],
        (4, 3): ["shiso"],
        (3, 3, 1): ["futasanbon", "sanbon-tatesanbon", "futatatesanbon"],
    }.items():
        assert sum(rows[id] for id in yaku) == teyaku.hands(pattern)
    threes = teyaku.hands((3, 1, 1, 1, 1)) + teyaku.hands((3, 2, 1, 1))
    assert rows["sanbon"] + rows["tatesanbon"] == threes
    # 13 of 48 threes are 立三本: all four of 藤, 菖蒲 and 萩, and one of 桐.
    assert rows["tatesanbon"] == threes * 13 // 48


@pytest.mark.parametrize(
    ("row", "column", "printed", "n"),
    [
        (NONE, "aka", "5.954719", "16.7934"),
        (NONE, "pikaichi", "1.430728", "69.8945"),
        ("sanbon", "karasu", "0.047590", "2,101.29"),
        ("tatesanbon", "pikaichi", "0.008019", "12,471.0"),
        ("kuttsuki", NONE, "2.000634", "49.9842"),
        ("haneken", "karasu", "0.000550", "181,800"),
        ("shiso", "karasu", "0.0000014", "73,629,072"),
        ("sanbon-tatesanbon", "toichi", "0.000535", "186,876"),
        ("futatatesanbon", "tanichi", "0.000090", "1,115,592"),
    ],
)
def test_cell_equals_the_printed_figure(row: str, column: str, printed: str, n: str) -> None:
    cell = to_json(odds("hachihachi"))["hand"]["matrix"][row][column]
    assert (format_percent(cell), format_one_in(cell)) == (printed, n)


def test_yaku_that_exclude_each_other_have_no_hands(hachihachi: Odds) -> None:
    """複合せず."""
    never = {
        (row, column)
        for row, cells in hachihachi.hands.matrix.items()
        for column, count in cells.items()
        if not count
    }
    assert never == {
        ("shiso", "aka"),
        ("futasanbon", "karasu"),
        ("futatatesanbon", "pikaichi"),
        ("futatatesanbon", "karasu"),
    }


def test_odds_of_many_ribbons_equal_those_of_the_supplement(hachihachi: Odds) -> None:
    """Supplement, section 6: about 1/841.67 and 1/613576."""
    hands = hachihachi.hands
    assert round(hands.total / hands.opening_ribbons, 2) == 841.67
    assert round(hands.total / hands.ribbons[7]) == 613576
    assert sum(hands.ribbons.values()) == hands.columns["aka"]


def test_mean_grades_of_a_year_equal_the_documents_figures(hachihachi: Odds) -> None:
    year = hachihachi.year
    assert year is not None
    assert {grade: f"{float(mean):.4f}" for grade, mean in year.mean.items()} == {
        "small": "5.7206",
        "large": "3.3273",
        "absolute": "2.9521",
    }
    assert sum(year.mean.values()) == 12
    assert year.mean["absolute"] == Fraction(417353, 141376)
    assert f"{100 * float(year.left):.4f}" == "4.4059"
    assert sum(year.carried.values()) == 1
    assert all(sum(year.grades[bound].values()) == comb(48, 6) for bound in BOUNDS)
    assert year.grades["absolute"] == {"small": 0, "large": 0, "absolute": comb(48, 6)}


def test_hands_of_koikoi_equal_their_closed_forms() -> None:
    koikoi = odds("koikoi")
    assert sum(koikoi.hands.rows.values()) == comb(48, 8)
    assert koikoi.hands.columns == {NONE: comb(48, 8)}
    assert (koikoi.hands.values["futateshi"], koikoi.hands.rows["futateshi"]) == (360, 66)
    # A field of eight has all four cards of at most two months.
    assert koikoi.fours == 12 * comb(44, 4) - comb(12, 2)
    assert koikoi.year is None


def test_unknown_ruleset_is_unsupported() -> None:
    assert set(RULESETS) == set(RULES)
    with pytest.raises(Unsupported):
        odds("nothing")


@pytest.mark.parametrize("rules", sorted(RULES))
def test_every_hand_of_any_ruleset_is_counted_once(rules: str) -> None:
    ruleset_odds = odds(rules)
    hands = ruleset_odds.hands
    assert sum(hands.rows.values()) == sum(hands.columns.values()) == comb(48, hands.size)
    assert ruleset_odds.fours + ruleset_odds.threes < ruleset_odds.fields
    assert all(count >= hands.rows[yaku] for yaku, count in hands.alone.items())


@pytest.mark.parametrize(
    ("yaku", "printed", "n"),
    [
        ("rokkasu", "4.387267", "22.7932"),
        ("shichikasu", "0.470064", "212.737"),
        ("teshi", "0.215850", "463.286"),
        ("tsukisante", "0.186448", "536.342"),
    ],
)
def test_odds_of_hanaawase_equal_the_printed_figures(yaku: str, printed: str, n: str) -> None:
    hand = to_json(odds("hanaawase"))["hand"]
    chance = (hand["rows"] | hand["columns"])[yaku]
    assert (format_percent(chance), format_one_in(chance)) == (printed, n)


def test_hands_of_board_game_arena_are_counted_as_in_hachihachi_without_choices() -> None:
    """B6: willow is always chaff there, and values differ."""
    bga, hachihachi = odds("hachihachi-bga").hands, odds("hachihachi").hands
    assert bga.matrix == hachihachi.matrix
    assert bga.values != hachihachi.values
    assert not bga.choices


def test_nasake_equals_its_closed_form() -> None:
    """T5: three of ten ribbons, or of thirteen if o, p and r count as ribbons."""
    columns = odds("ten-five-one").hands.columns

    def three_of(pool: int) -> int:
        return sum(comb(pool, n) * comb(48 - pool, 7 - n) for n in range(3, 8))

    assert columns["nasake"] == three_of(10)
    assert columns["nasake"] + columns[WITH_RAIN] == three_of(13)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"nasake": "no", "kuttsuki": "yes"},
        {"nasake": "chosen-doni", "teshi": "doni", "haneken": "yes"},
        {"nasake": "all", "teshi": "all", "futasanbon": "yes"},
        {"nasake": "all-rain", "teshi": "doni", "ichinishi": "yes", "shiso": "ends"},
    ],
)
def test_hands_of_a_house_and_place_equal_a_count_of_its_declarations(
    options: dict[str, str],
) -> None:
    rules = RULESETS["ten-five-one"]
    assert rules.dealt
    house = TenFiveOneHouse(options)
    places = {at_place.place: at_place.hands for at_place in house_hands(rules.id, options)}
    counts = {True: Counter[str](), False: Counter[str]()}
    for hand, ways in count_by_months(rules.hand, rules.dealt.key):
        for doni, count in counts.items():
            declared = house.declarations(hand, doni=doni, chosen=True)
            for yaku in {id for declaration in declared for id in declaration.yaku}:
                count[yaku] += ways
    for doni, count in counts.items():
        hands = places[ALL] if ALL in places else places[DONI if doni else OTHER]
        declared_hands = Counter(hands.rows) + Counter(hands.columns)
        del declared_hands[NONE]
        assert declared_hands == count
    by_seat = seat_odds(rules.id, options)
    total = 3 * comb(48, 7)
    assert by_seat == {
        yaku: Fraction(counts[True][yaku] + 2 * counts[False][yaku], total)
        for yaku in counts[True] | counts[False]
    }


def test_house_of_the_document_of_ten_five_one_plays_two_yaku_one_of_doni_alone() -> None:
    doni, other_seats = house_hands("ten-five-one")
    assert (doni.place, other_seats.place) == (DONI, OTHER)
    assert list(doni.hands.rows) == list(other_seats.hands.rows) == [NONE, "sanbon"]
    assert list(doni.hands.columns) == [NONE, "nasake"]
    assert list(other_seats.hands.columns) == [NONE]


@pytest.mark.parametrize("rules", sorted({*RULES} - {"ten-five-one"}))
def test_house_of_any_other_document_plays_every_yaku_for_all_seats(rules: str) -> None:
    (at_place,) = house_hands(rules)
    assert at_place.place == ALL
    assert at_place.hands.matrix == odds(rules).hands.matrix


@pytest.mark.parametrize("profile", ["koikoi-ai", "koikoi-nintendo"])
def test_house_without_dealt_hand_yaku_has_no_odds(profile: str) -> None:
    assert seat_odds("koikoi", {"profile": profile}) == {}


def test_hands_of_a_removed_yaku_count_for_the_next_best() -> None:
    all_hands = odds("koikoi").hands
    (at_place,) = house_hands("koikoi", {"futateshi": "0"})
    assert "futateshi" not in at_place.hands.rows
    assert at_place.hands.rows["teshi"] == all_hands.rows["teshi"] + all_hands.rows["futateshi"]


@pytest.mark.parametrize("path", GOLDEN_FILES)
def test_counts_of_hachihachi_equal_the_golden_counts(path: Path, hachihachi: Odds) -> None:
    hands, expected = hachihachi.hands, golden(path, "000_sannin_hachihachi")
    assert hands.matrix == {
        row: {column: cell["count"] for column, cell in cells.items()}
        for row, cells in expected["matrix"].items()
    }
    assert hands.rows == {row: cell["count"] for row, cell in expected["rows"].items()}
    assert hands.columns == {column: cell["count"] for column, cell in expected["columns"].items()}
    for row, cells in expected["matrix"].items():
        for column, cell in cells.items():
            assert hands.values[row] + hands.values[column] == 12 * cell["kan"]
    assert hands.any == expected["any_teyaku"]["count"]
    assert hands.compound == expected["any_compound"]["count"]
    assert hands.mean_value * hands.total == 12 * expected["kan_sum_over_all_hands"]
    assert hands.opening_ribbons == expected["aka_slips_ge5"]["count"]
    by_ribbons = {str(n): count for n, count in hands.ribbons.items()}
    assert by_ribbons == expected["aka_by_slips_incl_willow"]
    choices = {",".join(yaku): count for yaku, count in hands.choices.items()}
    assert choices == expected["willow_choice_sets"]["sets"]


@pytest.mark.parametrize("path", GOLDEN_FILES)
def test_grades_of_hachihachi_equal_the_golden_counts(path: Path, hachihachi: Odds) -> None:
    year, expected = hachihachi.year, golden(path, "000_sannin_hachihachi")
    assert year is not None
    field, words = expected["field"], {"small": "koba", "large": "oba", "absolute": "zetsuba"}
    bounds = {None: "no_binding", "large": "oba_binding", "absolute": "zetsuba_binding"}
    for grade, word in words.items():
        assert year.mean[grade] == Fraction(field["mean_months"][word]["fraction"])
        for bound, name in bounds.items():
            count = field["probabilities"][word].get(name, {"count": 0})["count"]
            assert year.grades[bound][grade] == count
    assert year.left == Fraction(field["etsunen"]["fraction"])
    for bound, letter in {"large": "O", "absolute": "Z", None: "N"}.items():
        assert year.carried[bound] == Fraction(field["state_after_12"][letter]["fraction"])
    assert hachihachi.fields == field["field_counts"]["total"]
    assert hachihachi.fours == expected["field_extra"]["shima_four_of_a_month_6"]


@pytest.mark.parametrize("path", GOLDEN_FILES)
def test_counts_of_koikoi_equal_the_golden_counts(path: Path) -> None:
    counted, expected = odds("koikoi"), golden(path, "001_koikoi")
    rows = {yaku: cell["count"] for yaku, cell in expected["yaku"].items()}
    assert counted.hands.rows == {NONE: counted.hands.total - sum(rows.values()), **rows}
    assert counted.hands.any == expected["any_teyaku"]["count"]
    assert counted.fours == expected["field8_shima"]["count"]


@pytest.mark.parametrize("path", GOLDEN_FILES)
def test_counts_of_hachihachi_bga_equal_the_golden_counts(path: Path) -> None:
    counted, expected = odds("hachihachi-bga"), golden(path, "002_bga_hachihachi")
    hands, year = counted.hands, counted.year
    assert hands.matrix == {
        row: {column: cell["count"] for column, cell in cells.items()}
        for row, cells in expected["matrix"].items()
    }
    for row, cells in expected["matrix"].items():
        for column, cell in cells.items():
            assert hands.values[row] + hands.values[column] == 12 * cell["kan"]
    assert (hands.rows, hands.columns) == (expected["rows"], expected["columns"])
    held = expected["tsukami"]
    assert hands.held == {
        "goko": held["goko"],
        "shiko": held["shiko_exact"],
        "nanatan": held["nanatan_9_slips"],
        "akatan": held["akatan"],
        "aotan": held["aotan"],
    }
    assert year is not None
    words = {"small": "koba", "large": "oba", "absolute": "zetsuba"}
    # B2: brights left over by a month wait, card by card.
    counts, chain = expected["field"]["counts"], expected["field"]["reading_queue"]
    assert counted.fields == counts["total"]
    for grade, word in words.items():
        assert year.grades[None][grade] == counts[word]
        assert float(year.mean[grade]) == pytest.approx(chain[word], abs=1e-12)
    carried = pytest.approx(chain["carry_left_after_12_percent"], abs=1e-10)
    assert 100 * float(year.left) == carried


@pytest.mark.parametrize("path", GOLDEN_FILES)
def test_counts_of_hanaawase_equal_the_golden_counts(path: Path) -> None:
    counted, expected = odds("hanaawase"), golden(path, "003_sannin_hanaawase")
    hands, overlaps = counted.hands, expected["overlaps"]
    counts = {yaku: cell["count"] for yaku, cell in expected["yaku"].items()}
    assert {yaku: (hands.rows | hands.columns)[yaku] for yaku in counts} == counts
    assert hands.matrix["teshi"]["rokkasu"] == overlaps["rokkasu_and_teshi"]
    assert hands.matrix["teshi"]["shichikasu"] == overlaps["shichikasu_and_teshi"]
    tsukisante = hands.matrix["tsukisante"]
    assert tsukisante["rokkasu"] == overlaps["rokkasu_and_tsukisante_322_331"]
    assert tsukisante["shichikasu"] == overlaps["shichikasu_and_tsukisante_322_331"]
    assert hands.alone == {"teshi": counts["teshi"], "tsukisante": overlaps["months_exactly_three"]}
    assert hands.total - hands.rows[NONE] == overlaps["redeal_allowed_teshi_or_tsukisante"]


@pytest.mark.parametrize("path", GOLDEN_FILES)
def test_counts_of_ten_five_one_equal_the_golden_counts(path: Path) -> None:
    counted, expected = odds("ten-five-one"), golden(path, "004_yokohamabana")
    hands, ribbons = counted.hands, expected["nasake"]
    patterned = {name.rpartition("_")[0]: count for name, count in expected["exclusive"].items()}
    patterned["sanbon"] = patterned.pop("sanbon_31111")
    assert hands.rows == {NONE: hands.rows[NONE], **patterned}
    basic = expected["literal_if_only_basic_yaku_played"]
    assert hands.alone["sanbon"] == basic["sanbon_any_month_of_exactly_3"]
    doni, other_seats = house_hands("ten-five-one")
    assert doni.hands.rows["sanbon"] == other_seats.hands.rows["sanbon"] == hands.alone["sanbon"]
    assert hands.alone["teshi"] == basic["teshi_any_month_of_4"]
    assert hands.alone["kuttsuki"] == basic["kuttsuki_three_months_of_exactly_2"]
    with_rain = hands.columns["nasake"] + hands.columns[WITH_RAIN]
    assert hands.columns["nasake"] == ribbons["pool10_all_printed_slips"]["at_least_3"]
    assert with_rain == ribbons["pool13_9_slips_plus_4_willow"]["at_least_3"]
    assert doni.hands.columns["nasake"] == with_rain
    # The golden rows distinguish 立三本, unlike this game.
    alike = {"tatesanbon": "sanbon", "sanbon-tatesanbon": "futasanbon"}
    alike["futatatesanbon"] = "futasanbon"
    for name, columns in {
        "nasake_ge3_pool10_and_month_row": ("nasake",),
        "nasake_ge3_pool13_and_month_row": ("nasake", WITH_RAIN),
    }.items():
        counts = Counter[str]()
        for row, count in expected[name].items():
            counts[alike.get(row, row)] += count
        assert counts == {
            row: sum(cells[column] for column in columns) for row, cells in hands.matrix.items()
        }
    assert hands.any == expected["any_month_yaku_or_nasake_pool13"]
    assert counted.fours == expected["field_ba_shi_redeal"]["count"]
    assert counted.fields == expected["field_ba_shi_redeal"]["total"]
    assert counted.threes == expected["field_three_of_a_month"]
