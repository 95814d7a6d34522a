"""A player beside all."""

from __future__ import annotations

import pytest

from records.models import Record
from records.statistics.figures.compare import FIGURE, WithBaseline
from records.statistics.gather import gather
from records.statistics.intervals import chance, wilson
from records.statistics.questions import Question
from tests.records import makers
from tests.records.statistics.asked import Vectors, answer, gathered, sums_of

MINE: Vectors = {
    "seat": {"all": [6, 5, 3, 1, 50, 900]},
    "deals": {"1": [40, 30, 200, 4000], "2": [60, 20, 100, 2000]},
    "choices": {
        "koikoi akatan": [10, 6, 60, 600, 60, 70, 70, 210, 210],
        "koikoi all": [10, 6, 60, 600, 60, 70, 70, 210, 210],
        "shobu all": [30, 30, 210, 1470, 210, 210, 210, 0, 0],
    },
    "yaku": {"tan": [9, 9, 9, 0, 0, 0], "sanko": [2, 2, 10, 0, 0, 0]},
}
ALL: Vectors = {
    "seat": {"all": [60, 50, 25, 1, 0, 9000]},
    "deals": {"1": [500, 260, 0, 0], "2": [500, 240, 0, 0]},
    "choices": {
        "koikoi all": [50, 20, 0, 0, 0, 0, 0, 0, 0],
        "shobu all": [150, 150, 0, 0, 0, 0, 0, 0, 0],
    },
    "yaku": {
        "tan": [100, 90, 90, 0, 0, 0],
        "kasu": [200, 90, 90, 0, 0, 0],
        "sanko": [10, 2, 10, 0, 0, 0],
    },
}


def test_every_row_has_both() -> None:
    mine, everybody = gathered(sums_of(MINE)), gathered(sums_of(ALL))
    beside = WithBaseline(mine.sums, all=everybody)
    question = Question("koikoi", player="Aya")
    found = FIGURE.answer(question, beside)
    rows = {row["what"]: row for row in found.rows}
    assert found.n == 100 and not found.notes
    assert list(rows) == ["won", "dealer", "first", "said", "success", "kasu", "tan", "sanko"]
    counts = {what: (row["count"], row["n"], row["all"]) for what, row in rows.items()}
    assert counts == {
        "won": (50, 100, 0.5),
        "dealer": (30, 40, 0.52),
        "first": (3, 5, 0.5),
        "said": (10, 40, 0.25),
        "success": (6, 10, 0.4),
        "kasu": (0, 100, 0.2),
        "tan": (9, 100, 0.1),
        "sanko": (2, 100, 0.01),
    }
    points = [part for part in found.chart["layer"] if part["mark"]["type"] == "point"]
    assert points[0]["encoding"]["x"]["title"] == "Rate (times / cases)"
    assert rows["tan"]["rate_low"] == wilson(9, 100).low
    # Of eight tests the two smallest chances are below 5 % / 8 and 5 % / 7, the next is not.
    assert chance(0, 100, 0.2) < chance(30, 40, 0.52) < 0.05 / 7
    assert [what for what, row in rows.items() if row["differs"]] == ["dealer", "kasu"]


def test_nobody_compared_with_all() -> None:
    found = answer("compare", "ruleset=koikoi")
    assert found.n == 0 and found.notes == ["No player is given."]
    assert [row["rate"] for row in found.rows] == [None] * 5


@pytest.mark.django_db
def test_gathered_of_a_player_and_of_all() -> None:
    makers.ingest(makers.joined(makers.text(1), makers.text(2)))
    name = Record.objects.order_by("id")[0].players[0]
    question = Question("koikoi", player=name)
    both = FIGURE.gather(question)
    assert isinstance(both, WithBaseline)
    assert both.sums["deals"] == gather(question).sums["deals"]
    assert both.all.sums["deals"] == gather(Question("koikoi")).sums["deals"]
    assert both.stamp == f"{gather(question).stamp} {both.all.stamp}"
    nobody = FIGURE.gather(Question("koikoi"))
    assert isinstance(nobody, WithBaseline) and not any(nobody.sums.values())
    assert nobody.all.stamp == both.all.stamp
