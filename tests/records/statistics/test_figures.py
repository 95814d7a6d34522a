"""Figures over facts in memory: cases that test_second_computation.py does not compare."""

from __future__ import annotations

from math import isclose

import pytest
from django.utils import translation

from records.pages.statistics.answers import answer_context
from records.statistics.figures.cards import possible
from records.statistics.registry import FIGURES
from tests.records.statistics.memory_facts import MemoryFacts, answer, facts_of, row

pytestmark = pytest.mark.django_db

#: Figures with the same rows for any games.
FIXED = ("hands", "seats", "grades", "cards")


@pytest.mark.parametrize("id", FIXED)
def test_rows_without_games_have_no_rates(id: str) -> None:
    rules = FIGURES[id].rulesets[0]
    answered = answer(id, f"ruleset={rules}")
    assert (answered.n, answered.games, answered.deals_played) == (0, 0, 0)
    assert len(answered.rows) == len(answer(id, f"ruleset={rules}", facts_of(rules)).rows)
    for line in answered.rows:
        assert line.get("rate", line.get("gain")) is None
        assert line.get("differs") is None
        assert line["n"] == 0


def test_yaku_of_another_house_have_its_odds() -> None:
    query = "ruleset=ten-five-one&option=nasake%3Dall&option=kuttsuki%3Dyes"
    odds = {line["yaku"]: line["exact"] for line in answer("yaku", query).rows}
    total = 73629072
    assert odds["kuttsuki"] == 1710720 / total
    assert isclose(float(odds["nasake"] or 0), (20482176 + 2 * 10814616) / total / 3)


def test_chart_of_yaku_leaves_dealt_hands_to_their_own_chart() -> None:
    ids = ("kuttsuki", "goko", "kobiki")
    assert [id for id in ids if FIGURES["yaku"].is_drawn({"yaku": id, "times": 1})] == ["goko"]
    assert not FIGURES["yaku"].is_drawn({"yaku": "goko", "times": 0})


def test_hands_of_a_house_without_dealt_hand_yaku_have_no_rows() -> None:
    assert not answer("hands", "ruleset=koikoi&profile=koikoi-ai", facts_of("koikoi")).rows


def test_chart_of_scores_shows_their_range() -> None:
    """Far scores do not make the other bars narrow; the number of bars is limited."""
    facts = MemoryFacts()
    columns = "1 AS deal, 1 AS seat, true AS scored"
    scores = f"SELECT range AS game, {columns}, 12 * (range % 80 - 40) AS score FROM range(8000)"
    facts.insert("seats", scores)
    facts.insert("seats", f"SELECT 8000 AS game, {columns}, unnest([2400, -2400]) AS score")
    answered = answer("scores", "ruleset=hachihachi", facts)
    assert len(answered.rows) == 82 and answered.drawn is not None
    assert [bar["low"] for bar in answered.drawn] == list(range(-480, 480, 24))
    assert {bar["count"] for bar in answered.drawn} == {200}
    assert answered.notes == [
        "Mean −0.50 kan, 95% from −1.0 to 0.01.",
        "Scores beyond 200 kan are counted in the outermost bins.",
        "The chart leaves out 2 of 8,002, far from the rest.",
    ]


@pytest.mark.parametrize(
    ("ruleset", "size", "small", "large"),
    [
        ("hachihachi", 12, "points", "kan"),
        ("hachihachi-bga", 12, "mon", "kan"),
        ("koikoi", 1, "mon", "mon"),
        ("ten-five-one", 1, "points", "points"),
    ],
)
def test_large_sums_are_shown_in_kan(ruleset: str, size: int, small: str, large: str) -> None:
    """Answers are in the small unit, pages in kan, if the ruleset has kan."""
    facts = MemoryFacts()
    facts.insert("seats", "SELECT 1 AS seat, 1 AS place, true AS scored, false AS won, 6 AS score")
    answered = answer("seats", f"ruleset={ruleset}", facts)
    (mean,) = (column for column in answered.columns if column.id == "score")
    assert answered.rows[0]["score"] == 6
    assert (mean.unit, mean.size, mean.shown_unit) == (small, size, large)
    table = answer_context(answered)
    at = [head["title"] for head in table["heads"]].index(mean.title)
    assert table["rows"][0][at]["text"] == ("0.50" if size > 1 else "6.0")


def test_situations_of_decisions_are_named() -> None:
    facts = MemoryFacts()
    columns = 'true AS "on", false AS won, 0 AS score, 0 AS stop, 0 AS margin, 0 AS stop_margin'
    facts.insert(
        "choices",
        f"SELECT 1 AS seat, 'akatan tan' AS held, 4 AS \"left\", 9 AS opponent, {columns}",
    )
    answered = answer("decisions", "ruleset=koikoi&by=opp,left,yaku", facts)
    assert [line["name"] for line in answered.rows] == [
        "akatan, 4 left, opponent 8–11",
        "tan, 4 left, opponent 8–11",
    ]
    assert answered.n == 1


def test_openings_name_a_plant_once() -> None:
    facts = MemoryFacts()
    facts.insert(
        "seats",
        "SELECT 1 AS seat, true AS won, 1 AS score, unnest(['A', 'E', 'I']) AS first_card,"
        " unnest(['B', '', 'JKL']) AS first_take",
    )
    assert [line["name"] for line in answer("openings", "ruleset=koikoi", facts).rows] == [
        "pine with crane captures red poem ribbon",
        "plum with warbler, nothing captured",
        "cherry with curtain captures red poem ribbon, chaff ①, chaff ②",
    ]
    with translation.override("ja"):
        answered = answer("openings", "ruleset=koikoi", facts)
    assert answered.rows[2]["name"] == "桜に幕で桜に赤短、桜のカス ①、桜のカス ②を取る"


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
        ("A", "B", "AB", False),  # The card itself lies on the field.
    ],
)
def test_only_possible_openings_are_accepted(
    card: str, take: str, field: str, expected: bool
) -> None:
    assert possible(card, take, field) is expected


def test_index_of_the_document_is_beside_the_gain_of_chaff() -> None:
    answered = answer("cards", "ruleset=koikoi")
    assert [row(answered, card=card)["index"] for card in "AC"] == [None, 0.22]
    assert any("6.91, 6.24" in note for note in answered.notes)


def test_comparison_of_nobody_has_no_rates() -> None:
    answered = answer("compare", "ruleset=koikoi", facts_of("koikoi"))
    assert answered.n == 0 and answered.notes == ["No player is given."]
    assert {line["rate"] for line in answered.rows} == {None}
    assert all(line["all"] is not None for line in answered.rows)
