"""Answers of figures from sums made by hand; every answer is complete."""

from __future__ import annotations

import json
from math import isclose
from typing import Any

import pytest
import vl_convert
from django.utils import translation

from kafu.odds.exact import odds
from kafu.rules.rulesets import RULESETS
from lengths import LONG
from records.pages.statistics.answers import shown
from records.search.filters import yaku_of
from records.statistics.answer import KINDS, Answer, spec
from records.statistics.charts import FAINT, RED
from records.statistics.figures.openings import possible
from records.statistics.intervals import exact as exact_interval
from records.statistics.intervals import mean, wilson
from records.statistics.registry import FIGURES
from records.statistics.sums import NO_SUMS
from tests.records.statistics.asked import Vectors, answer, answer_vectors, row, whole

EVERY = [(id, rules) for id, figure in FIGURES.items() for rules in figure.rulesets]
#: Other forms of figures that have several.
FORMS = [
    ("scores", "ruleset=koikoi&of=game"),
    ("openings", "ruleset=koikoi&of=card&field=BEK"),
    ("openings", "ruleset=koikoi&field=BEK&n_min=2"),
    ("decisions", "ruleset=koikoi&by=none"),
    ("decisions", "ruleset=koikoi&by=yaku,left,opp&yaku=akatan&left=4&opp=7"),
]
QUERIES = [*((id, f"ruleset={rules}") for id, rules in EVERY), *FORMS]
#: Figures whose rows are the same whatever was played.
FIXED = ("hands", "seats", "grades", "cards")


def values(found: dict[str, Any], *names: str) -> list[Any]:
    return [found[name] for name in names]


@pytest.mark.parametrize("lang", ["en", "ja"] if LONG else ["ja"])
@pytest.mark.parametrize(("id", "query"), QUERIES)
def test_every_answer_is_complete(id: str, query: str, lang: str) -> None:
    rules = query.removeprefix("ruleset=").partition("&")[0]
    with translation.override(lang):
        for sums in (NO_SUMS, whole(rules)):
            found = answer(id, query, sums)
            ids = [column.id for column in found.columns]
            assert len(set(ids)) == len(ids)
            assert all(column.title and column.kind in KINDS for column in found.columns)
            assert all(set(one) == set(ids) for one in found.rows)
            assert found.title and found.definition and found.formula
            check_estimates(found)
            json.dumps([*found.rows, spec(found)])
    assert answer(id, query).n == 0


def check_estimates(found: Answer) -> None:
    """What is estimated has an interval about it, and rates have their n beside them."""
    ids = {column.id for column in found.columns}
    assert "n" in ids or not any(id.endswith("_low") for id in ids)
    for column in found.columns:
        if f"{column.id}_low" not in ids:
            continue
        for one in found.rows:
            value, low, high = (one[f"{column.id}{end}"] for end in ("", "_low", "_high"))
            assert isinstance(value, float | None)
            if isinstance(low, float) and isinstance(high, float):
                assert isinstance(value, float) and low - 1e-9 <= value <= high + 1e-9
            if column.kind == "rate" and isinstance(value, float):
                assert 0 <= value <= 1


@pytest.mark.parametrize("lang", ["en", "ja"] if LONG else ["en"])
@pytest.mark.parametrize(
    ("id", "query"),
    [*((id, f"ruleset={figure.rulesets[0]}") for id, figure in FIGURES.items()), *FORMS],
)
def test_chart_of_each_figure_can_be_drawn(id: str, query: str, lang: str) -> None:
    """In Japanese tests/api/test_statistics.py draws them."""
    rules = query.removeprefix("ruleset=").partition("&")[0]
    with translation.override(lang):
        for sums in (NO_SUMS, whole(rules)):
            found = answer(id, query, sums)
            svg = vl_convert.vegalite_to_svg(spec(found), vl_version="6.4")
            assert found.title in svg
            if sums is not NO_SUMS and found.rows:
                assert svg.count("<path") > 1


@pytest.mark.parametrize("id", FIXED)
def test_rows_without_games_have_no_rates(id: str) -> None:
    rules = FIGURES[id].rulesets[0]
    found = answer(id, f"ruleset={rules}")
    assert (found.n, found.games, found.deals_played) == (0, 0, 0)
    assert len(found.rows) == len(answer(id, f"ruleset={rules}", whole(rules)).rows)
    for one in found.rows:
        rate = one.get("rate", one.get("gain"))
        assert rate is None
        assert one.get("differs") is None
        assert one["n"] == 0


def test_yaku_are_counted_from_sums() -> None:
    sums = {
        "deals": {"1": [600, 200, 0, 0], "2": [400, 100, 0, 0], "out": [50, 0, 0, 0]},
        "yaku": {
            "tane": [40, 30, 90, 2, 300, 3],
            "teshi": [4, 4, 24, 0, 144, 0],
            "futateshi": [1, 1, 360, 0, 360**2, 0],
        },
        "paid": {"ginmi": [5, 60, 800, 7]},
        "payments": {"ginmi": [6, 2, 1]},
    }
    found = answer_vectors("yaku", "ruleset=koikoi", sums)
    assert found.n == 1000
    assert {one["yaku"] for one in found.rows} == {*yaku_of("koikoi"), "ginmi"}
    tane = row(found, yaku="tane")
    assert values(tane, "times", "n", "alone", "void", "value") == [40, 1000, 30, 2, 3]
    assert values(tane, "paid", "zero") == [None, 3]
    assert values(tane, "rate", "rate_low", "rate_high") == list(wilson(40, 1000))
    assert values(tane, "exact", "one_in") == [None, None]
    teshi = row(found, yaku="teshi")
    exact = odds("koikoi").hands
    assert teshi["exact"] == exact.rows["teshi"] / exact.total
    assert values(teshi, "rate", "rate_low", "rate_high") == list(exact_interval(4, 1000))
    assert "differs" not in teshi  # A hand need not be declared.
    # Six payments, of which seats received five and paid seven; and of one player twelve.
    names = ("times", "alone", "value", "paid", "zero", "void")
    assert values(row(found, yaku="ginmi"), *names) == [6, 5, 12, 7, 2, 1]
    assert row(found, yaku="ginmi")["rate"] == 5 / 1000
    found = answer_vectors("yaku", "ruleset=koikoi&player=Aya", sums)
    assert values(row(found, yaku="ginmi"), *names) == [12, 5, 12, 7, None, None]
    assert row(found, yaku="goko")["times"] == 0


def test_hands_are_counted_from_sums() -> None:
    hands = odds("hachihachi").hands
    n = 100_000
    counts = {
        **{f"row {yaku}": [round(n * ways / hands.total)] for yaku, ways in hands.rows.items()},
        **{f"col {yaku}": [round(n * ways / hands.total)] for yaku, ways in hands.columns.items()},
    }
    found = answer_vectors("hands", "ruleset=hachihachi", {"hands": {"hands": [n], **counts}})
    assert [one["differs"] for one in found.rows] == [False] * len(found.rows)
    assert found.n == n
    assert len(found.rows) == len(hands.rows) + len(hands.columns)
    stacked = {**counts, "row sanbon": [counts["row sanbon"][0] + 2000]}
    found = answer_vectors("hands", "ruleset=hachihachi", {"hands": {"hands": [n], **stacked}})
    assert [one["yaku"] for one in found.rows if one["differs"]] == ["sanbon"]
    sanbon = row(found, yaku="sanbon")
    assert isclose(sanbon["expected"], n * hands.rows["sanbon"] / hands.total)
    assert sanbon["chance"] < 1e-9
    assert not sanbon["rate_low"] <= sanbon["exact"] <= sanbon["rate_high"]
    assert RED in json.dumps(spec(found))


def test_yaku_of_ten_five_one_have_the_odds_of_the_house_and_of_its_seats() -> None:
    rows = {one["yaku"]: one["exact"] for one in answer("yaku", "ruleset=ten-five-one").rows}
    total = 73629072
    assert {yaku: odd for yaku, odd in rows.items() if odd} == {
        "sanbon": 6473808 / total,
        "nasake": 20482176 / (3 * total),
    }
    query = "ruleset=ten-five-one&option=nasake%3Dall&option=kuttsuki%3Dyes"
    rows = {one["yaku"]: one["exact"] for one in answer("yaku", query).rows}
    assert rows["kuttsuki"] == 1710720 / total
    assert isclose(float(rows["nasake"] or 0), (20482176 + 2 * 10814616) / total / 3)


def test_hands_of_ten_five_one_count_for_the_yaku_of_the_house() -> None:
    counts = {
        **{"row nashi": [80], "row haneken": [5], "row sanbon": [10], "row kuttsuki": [5]},
        **{"col nashi": [75], "col nasake": [15], "col nasake-ame": [10]},
    }
    found = answer_vectors("hands", "ruleset=ten-five-one", {"hands": {"hands": [100], **counts}})
    assert [(one["family"], one["yaku"], one["count"]) for one in found.rows] == [
        ("row", "nashi", 85),
        ("row", "sanbon", 15),
        ("col", "nashi", 75),
        ("col", "nasake", 25),
    ]
    assert row(found, yaku="nasake")["exact"] == 20482176 / 73629072


def test_hands_of_a_house_without_dealt_hand_yaku_have_no_rows() -> None:
    counts = {"hands": [10], "row nashi": [9], "row teshi": [1], "col nashi": [10]}
    found = answer_vectors("hands", "ruleset=koikoi&profile=koikoi-ai", {"hands": counts})
    assert (found.n, found.rows) == (10, [])


def test_seats_are_counted_from_sums() -> None:
    sums = {
        "deals": {
            "1": [1000, 400, 3000, 100_000],
            "2": [1000, 300, 0, 90_000],
            "3": [1000, 300, -3000, 100_000],
            "out": [200, 0, 0, 0],
        }
    }
    found = answer_vectors("seats", "ruleset=hachihachi", sums)
    assert [one["name"] for one in found.rows] == [
        "dealer (oya)",
        "second (dōni)",
        "last (biki)",
    ]
    assert [one["rate"] for one in found.rows] == [0.4, 0.3, 0.3]
    assert {one["even"] for one in found.rows} == {1 / 3}
    assert [one["rate_differs"] for one in found.rows] == [True, False, False]
    assert [one["score"] for one in found.rows] == [3, 0, -3]
    assert [one["score_differs"] for one in found.rows] == [True, False, True]
    two = answer_vectors("seats", "ruleset=koikoi", {"deals": {"2": [3, 1, 5, 25]}})
    assert [(one["name"], one["n"]) for one in two.rows] == [
        ("dealer (oya)", 0),
        ("last (biki)", 3),
    ]


def test_grades_are_counted_from_sums() -> None:
    grades = {
        "- small": [497],
        "- large": [266],
        "- absolute": [237],
        "large large": [10],
        "absolute small": [1],
    }
    found = answer_vectors("grades", "ruleset=hachihachi", {"grades": grades})
    assert found.n == 1011
    free = [one for one in found.rows if one["bound"] == "none"]
    assert [one["n"] for one in free] == [1000] * 3
    assert [one["differs"] for one in free] == [False] * 3
    assert [round(float(one["exact"] or 0), 6) for one in free] == [0.496797, 0.266501, 0.236702]
    impossible = row(found, bound="absolute", grade="small")
    assert values(impossible, "exact", "rate", "differs") == [0, 1, True]


def test_ends_are_counted_from_sums() -> None:
    ends = {"shobu": [6, 60], "nagare": [2, 32], "redeal": [0, 0]}
    found = answer_vectors("ends", "ruleset=koikoi", {"ends": ends})
    assert [(one["end"], one["rate"], one["turns"]) for one in found.rows] == [
        ("shobu", 0.75, 10),
        ("nagare", 0.25, 16),
    ]


def test_scores_are_counted_from_sums() -> None:
    sums = {
        # tables, seats, pairs, total, total_sq
        "score": {
            "-12": [10, 10, 0, -120, 1440],
            "0": [35, 60, 50, 0, 0],
            "24": [30, 30, 0, 520, 9600],
            "all": [50, 100, 100, 400, 8000],
        },
        "final": {"120": [1, 1, 0, 130, 16900], "all": [1, 1, 0, 130, 16900]},
    }
    found = answer_vectors("scores", "ruleset=hachihachi", sums)
    assert [(one["low"], one["high"], one["count"]) for one in found.rows] == [
        (-12, 0, 10),
        (0, 12, 60),
        (24, 36, 30),
    ]
    assert found.n == 100
    # Seats agree on the bin 0 in 50 pairs, independent ones in 36: the effect is 1 + 14 / 24.
    low, high = wilson(60 * 24 / 38, 100 * 24 / 38)[1:]
    assert found.rows[1]["rate_low"] == pytest.approx(low)
    assert found.rows[1]["rate_high"] == pytest.approx(high)
    assert found.rows[2]["rate_low"] == wilson(30, 100).low
    # 50 deals gave 8 points each, and so 4 a seat.
    low, high = (limit / 24 for limit in mean(50, 400, 8000)[1:] if limit is not None)
    assert found.notes[0] == f"Mean 0.33 kan, 95 % from {low:.2f} to {high:.2f}."
    found = answer_vectors("scores", "ruleset=hachihachi&of=game", sums)
    assert [(one["low"], one["high"], one["rate"]) for one in found.rows] == [(120, 180, 1)]
    assert found.notes == ["Mean 10.83 kan."]


def test_chart_of_scores_shows_their_range() -> None:
    """Far scores do not make the others narrow; no more bars than can be told apart."""
    score = {str(12 * bin): [100, 100, 0, 0, 0] for bin in range(-40, 40)}
    score |= {"2400": [1, 1, 0, 0, 0], "-2400": [1, 1, 0, 0, 0], "all": [8002, 8002, 0, 0, 0]}
    found = answer_vectors("scores", "ruleset=hachihachi", {"score": score})
    assert len(found.rows) == 82 and found.drawn is not None
    assert [row["low"] for row in found.drawn] == list(range(-480, 480, 24))
    assert {row["count"] for row in found.drawn} == {200}
    assert found.notes[-1] == "The chart leaves out 2 of 8,002, far from the rest."


def test_large_sums_are_shown_in_kan() -> None:
    """Answers are in the small unit, charts and pages in kan, of rulesets that have them."""
    sums = {"deals": {"1": [40, 1, 240, 4000]}, "score": {"0": [3, 3, 0, 0, 0]}}
    for ruleset, size in (("hachihachi", 12), ("hachihachi-bga", 12), ("koikoi", 1)):
        found = answer_vectors("seats", f"ruleset={ruleset}", sums)
        (mean,) = (column for column in found.columns if column.id == "score")
        assert found.rows[0]["score"] == 6
        assert spec(found)["data"]["values"][0]["score"] == 6 / size
        assert (mean.size, mean.shown_unit) == (size, "kan" if size > 1 else "mon")
        table = shown(found)
        at = [head["title"] for head in table["heads"]].index(mean.title)
        assert table["rows"][0][at]["text"] == ("0.50" if size > 1 else "6.00")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_sums_have_the_unit_of_the_ruleset(ruleset: str) -> None:
    seats = answer("seats", f"ruleset={ruleset}")
    unit = next(column.unit for column in seats.columns if column.id == "score")
    assert unit == ("mon" if ruleset in ("koikoi", "hachihachi-bga") else "points")


DECISIONS: Vectors = {
    "decisions": {
        # n, won, score, score_sq, margin, stop, stop_margin, gain_sq, own_gain_sq
        "koikoi akatan 4 4": [10, 6, 60, 600, 52, 70, 70, 220, 210],
        "koikoi all 4 4": [10, 6, 60, 600, 52, 70, 70, 220, 210],
        # five who held both
        "koikoi akatan 4 8": [5, 1, 10, 100, 2, 40, 40, 200, 190],
        "koikoi tan 4 8": [5, 1, 10, 100, 2, 40, 40, 200, 190],
        "koikoi all 4 8": [5, 1, 10, 100, 2, 40, 40, 200, 190],
        "koikoi tan 2 4": [5, 5, 25, 125, 25, 5, 5, 90, 80],
        "koikoi all 2 4": [5, 5, 25, 125, 25, 5, 5, 90, 80],
        "shobu akatan 4 4": [30, 30, 210, 1470, 210, 210, 210, 0, 0],
        "shobu all 4 4": [30, 30, 210, 1470, 210, 210, 210, 0, 0],
        "shobu kasu 0 12": [50, 50, 50, 50, 50, 50, 50, 0, 0],
        "shobu all 0 12": [50, 50, 50, 50, 50, 50, 50, 0, 0],
        "sage akatan 4 4": [1, 1, 1, 1, 1, 1, 1, 0, 0],
        "sage all 4 4": [1, 1, 1, 1, 1, 1, 1, 0, 0],
    },
    "choices": {
        "koikoi akatan": [15, 7, 70, 700, 54, 110, 110, 410, 400],
        "koikoi tan": [10, 6, 35, 225, 27, 45, 45, 280, 270],
        "koikoi all": [20, 12, 95, 825, 79, 115, 115, 490, 480],
        "shobu akatan": [30, 30, 210, 1470, 210, 210, 210, 0, 0],
        "shobu kasu": [50, 50, 50, 50, 50, 50, 50, 0, 0],
        "shobu all": [80, 80, 260, 1520, 260, 260, 260, 0, 0],
        "sage akatan": [1, 1, 1, 1, 1, 1, 1, 0, 0],
        "sage all": [1, 1, 1, 1, 1, 1, 1, 0, 0],
    },
}


def test_decisions_with_akatan_and_four_cards_left_are_compared() -> None:
    query = "ruleset=koikoi&yaku=akatan&left=4&by=none"
    (found,) = answer_vectors("decisions", query, DECISIONS).rows
    assert values(dict(found), "n", "said", "won") == [45, 15, 7]
    assert found["rate"] == 15 / 45
    assert found["success"] == 7 / 15
    assert found["score"] == 70 / 15
    assert found["stop"] == 110 / 15
    assert found["margin"] == 54 / 15 and found["stop_margin"] == 110 / 15
    assert found["gain"] == -56 / 15
    assert found["own_gain"] == -40 / 15
    assert found["stopped"] == 7
    assert found["gain_low"] is None  # 15 gains are too few
    (found,) = answer_vectors("decisions", "ruleset=koikoi&by=none", DECISIONS).rows
    # 20 gains whose sum is -36 and whose squares are 490; of own points -20 and 480
    assert (found["gain_low"], found["gain_high"]) == mean(20, -36, 490)[1:]
    assert (found["own_gain_low"], found["own_gain_high"]) == mean(20, -20, 480)[1:]
    assert found["gain_low"] is not None


def test_decisions_are_grouped_by_situation() -> None:
    found = answer_vectors("decisions", "ruleset=koikoi&by=left,yaku&n_min=6", DECISIONS)
    assert [column.id for column in found.columns][:2] == ["yaku", "left"]
    assert [(one["yaku"], one["left"], one["n"]) for one in found.rows] == [
        ("kasu", 0, 50),
        ("akatan", 4, 45),
    ]
    assert [one["name"] for one in found.rows] == ["kasu, 0 left", "akatan, 4 left"]
    assert found.n == 100
    assert found.rows[0]["gain"] is None and found.rows[0]["rate"] == 0
    against = answer_vectors("decisions", "ruleset=koikoi&by=opp&opp=11", DECISIONS)
    assert [(one["name"], one["n"]) for one in against.rows] == [("opponent 8–11", 5)]
    sage = answer_vectors("decisions", "ruleset=hachihachi", DECISIONS)
    assert [(one["yaku"], one["said"]) for one in sage.rows] == [("akatan", 1)]


def test_hatto_is_counted_from_sums() -> None:
    sums = {
        "deals": {"1": [100, 0, 0, 0], "2": [100, 0, 0, 0], "out": [9, 0, 0, 0]},
        "hatto": {"A": [4, 120, 2], "s": [6, 0, 0]},
    }
    found = answer_vectors("hatto", "ruleset=hachihachi", sums)
    assert [one["card"] for one in found.rows] == ["all", "s", "A"]
    every, free, pine = found.rows
    assert values(dict(every), "thrown", "n", "rate", "paid", "paid_rate", "cost") == [
        *(10, 200, 0.05, 2, 0.2, 120),
    ]
    assert values(dict(free), "cost_thrown", "cost_paid") == [0, None]
    assert values(dict(pine), "cost_thrown", "cost_paid") == [30, 60]


def test_cards_are_counted_from_sums() -> None:
    sums = {"cards": {"all": [100, 40, 200, 1000], "A": [40, 30, 160, 800]}}
    sums["cards"]["B"] = sums["cards"]["all"]
    found = answer_vectors("cards", "ruleset=koikoi", sums)
    assert (found.n, len(found.rows), found.rows[0]["card"]) == (100, 48, "A")
    pine = row(found, card="A")
    assert values(pine, "count", "won", "score", "index") == [40, 0.75, 4, None]
    assert isclose(pine["without"], 4 / 6)
    assert isclose(pine["gain"], 4 - 4 / 6)
    assert pine["gain_low"] < pine["gain"] < pine["gain_high"]
    assert row(found, card="B")["gain"] is None  # nobody was without it
    assert row(found, card="C")["index"] == 0.22
    assert any("6.91, 6.24" in note for note in found.notes)
    assert "index" not in answer_vectors("cards", "ruleset=hanaawase", sums).rows[0]


OPENINGS = {
    "openings": {
        "A B": [5, 3, 10, 40],
        "E -": [4, 1, -4, 40],
        "I JKL": [1, 1, 6, 36],
        "M N": [2, 0, 0, 0],
    },
    "lay": {"B": [20, 5], "J": [10, 1]},
}


def test_openings_are_counted_from_sums() -> None:
    found = answer_vectors("openings", "ruleset=koikoi", OPENINGS)
    assert [(one["play"], one["take"], one["n"]) for one in found.rows] == [
        ("A", "B", 5),
        ("E", "none", 4),
        ("M", "N", 2),
        ("I", "JKL", 1),
    ]
    assert found.n == 12
    assert values(dict(found.rows[0]), "rate", "score") == [0.6, 2]
    # The plant is said once.
    assert [one["name"] for one in found.rows] == [
        "pine with crane takes red poem slip",
        "plum with warbler, nothing taken",
        "wisteria with cuckoo takes plain slip",
        "cherry with curtain takes red poem slip, dregs K, dregs L",
    ]
    with translation.override("ja"):
        found = answer_vectors("openings", "ruleset=koikoi", OPENINGS)
    assert found.rows[3]["name"] == "桜に幕で桜に赤短、桜のカス K、桜のカス Lを取る"


def test_openings_of_a_field_are_counted() -> None:
    found = answer_vectors("openings", "ruleset=koikoi&field=L BJK&n_min=2", OPENINGS)
    assert [one["play"] for one in found.rows] == ["A", "E"]
    assert found.n == 10
    assert "pine with red poem slip" in found.notes[-1]
    cards = answer_vectors("openings", "ruleset=koikoi&of=card&field=BG", OPENINGS)
    assert [(one["play"], one["n"], one["rate"]) for one in cards.rows] == [
        ("B", 20, 0.25),
        ("G", 0, None),
    ]
    assert cards.n == 20


@pytest.mark.parametrize(
    ("card", "take", "field", "expected"),
    [
        ("A", "B", "BE", True),
        ("A", "B", "BC", True),
        ("A", "B", "BCD", False),
        ("A", "BCD", "BCD", True),
        ("A", "BCD", "BC", False),
        ("A", "B", "CE", False),
        ("A", "-", "E", True),
        ("A", "-", "B", False),
        ("A", "B", "AB", False),  # it lies open itself
    ],
)
def test_only_possible_openings_are_accepted(
    card: str, take: str, field: str, expected: bool
) -> None:
    assert possible(card, take, field) is expected


def test_chart_of_a_gain_marks_zero_and_missing_intervals() -> None:
    chart = answer_vectors("decisions", "ruleset=koikoi", DECISIONS).chart
    nought, bar, point = chart["layer"]
    assert nought["encoding"]["x"]["datum"] == 0 and bar["mark"]["type"] == "rule"
    faint = point["encoding"]["opacity"]
    assert faint["condition"] == {"test": "datum['gain_low'] === null", "value": FAINT}
    assert faint["value"] == 1 > FAINT
    # A rate has its nought at the edge.
    assert len(answer("seats", "ruleset=koikoi").chart["layer"]) == 3
