"""Figures of the statistics as tables and charts of a page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import override

from records.pages.statistics.answers import (
    LEAST_DAYS,
    LEAST_DRAWN,
    MOST_ROWS,
    OPEN,
    answer_context,
)
from records.pages.statistics.values import format_value
from records.statistics.answer import Answer, Column, Unit
from records.statistics.charts import Chart, Days, Distribution, Estimates

COLUMNS = (
    Column("yaku", "Id", "id"),
    Column("name", "Yaku", "text"),
    Column("n", "Deals", "count", "", "Deals of a seat."),
    Column("rate", "Rate", "rate"),
    Column("rate_low", "from", "rate"),
    Column("rate_high", "to", "rate"),
    Column("exact", "Exact odds", "rate"),
    Column("value", "Value", "number", "mon"),
    Column("differs", "differs", "flag"),
)
ROW = {"yaku": "tan", "name": "tan (ribbons)", "n": 1200, "rate": 0.25, "rate_low": 0.2}
ROW |= {"rate_high": 0.3, "exact": None, "value": -1.5, "differs": True}
ROW |= {"times": 300, "alone": 20, "paid": None}
POINTS = Estimates(label="name", value="rate", baseline="exact", flag="differs")


def make_answer(rows: list[dict[str, Any]], chart: Chart | None = None) -> Answer:
    """Return the answer of a figure with these rows."""
    return Answer(
        id="yaku",
        title="Yaku",
        definition="How often.",
        formula="times / n",
        filters={"ruleset": "koikoi", "option": ["months=6", "rain=no"]},
        games=1,
        deals_played=12,
        n=len(rows),
        as_of=None,
        columns=COLUMNS,
        rows=rows,
        chart=chart,
    )


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (None, "rate", "–"),
        (0.3527, "rate", "35.3%"),
        (0.00001749, "rate", "0.0017%"),
        (0.0, "rate", "0.0%"),
        (1234, "count", "1,234"),
        (-1234.567, "number", "−1,234.57"),
        (-0.001, "number", "−0.0010"),
        (-0.0, "number", "0.00"),
        (7, "number", "7"),
        (8.9e-10, "number", "<0.000001"),
        (1.354, "one-in", "about 3 of 4"),
        (13.54, "one-in", "1 in 14"),
        (5717409.0, "one-in", "1 in 5,717,409"),
        (True, "flag", "yes"),
        (False, "flag", "no"),
        (None, "flag", "–"),
        ("赤短", "text", "赤短"),
    ],
)
def test_value_is_written_by_its_kind(value: Any, kind: str, text: str) -> None:
    assert format_value(value, kind) == text


def test_table_leaves_out_ids_and_has_counts_last() -> None:
    table = answer_context(make_answer([ROW]))
    assert [head["title"] for head in table["heads"]] == [
        *("Yaku", "Rate", "Exact odds", "Value", "differs", "Deals"),
    ]
    name, rate, exact, value, differs, n = table["rows"][0]
    assert (name["text"], n["text"], exact["text"], value["text"]) == (
        *("tan (ribbons)", "1,200", "–", "−1.5"),
    )
    assert (rate["low"], rate["high"]) == ("20.0%", "30.0%")
    assert not name["figure"] and n["figure"] and differs["flag"]


def test_long_table_is_cut_unless_it_is_a_page_of_a_list() -> None:
    rows = [ROW] * (MOST_ROWS + 5)
    cut = answer_context(make_answer(rows))
    assert len(cut["rows"]) == MOST_ROWS and cut["more"] == 5
    assert len(answer_context(make_answer(rows), is_paged=True)["rows"]) == len(rows)


def test_long_chart_is_folded() -> None:
    assert not answer_context(make_answer([ROW] * OPEN, POINTS))["folded"]
    assert answer_context(make_answer([ROW] * (OPEN + 1), POINTS))["folded"]


def test_sums_of_kan_have_both_units_and_means_one_decimal() -> None:
    kan = Unit("mon", "kan", 12)
    columns = (Column("name", "Hand", "text"), Column("sum", "Sum", "count", kan))
    mean = Column("mean", "Mean", "number", kan)
    answer = replace(
        make_answer([{"name": "sum", "sum": 364, "mean": 364.0}]),
        columns=(*columns, mean),
        filters={"ruleset": "hachihachi"},
    )
    with override("ja"):
        table = answer_context(answer)
    assert [cell["text"] for cell in table["rows"][0]] == ["sum", "30貫4点", "30.3"]
    assert [head["unit"] for head in table["heads"]] == ["", "", "kan"]


def test_forms_of_a_figure_have_its_filters() -> None:
    query = "?ruleset=koikoi&option=months%3D6&option=rain%3Dno&lang=en"
    forms = answer_context(make_answer([ROW], POINTS))["forms"]
    assert forms == [
        ("JSON", f"/api/v1/statistics/yaku{query}"),
        ("CSV", f"/api/v1/statistics/yaku.csv{query}"),
    ]


def test_key_of_a_chart_has_the_marks_that_are_drawn() -> None:
    rows = [ROW] * LEAST_DRAWN
    table = answer_context(make_answer(rows, POINTS))
    assert [mark for mark, _words in table["key"]] == ["dot", "tick", "diamond"]
    alike = answer_context(make_answer([{**ROW, "differs": False}] * LEAST_DRAWN, POINTS))
    assert [mark for mark, _words in alike["key"]] == ["dot", "tick"]
    bars = Distribution(title="Deals", low="n", high="n", value="rate")
    assert not answer_context(make_answer(rows, bars))["key"]


@pytest.mark.parametrize(
    ("chart", "least"),
    [
        (POINTS, LEAST_DRAWN),
        (Days(day="day", weekday="weekday", names=[*"SMTWTFS"], value="games"), LEAST_DAYS),
    ],
)
def test_no_chart_is_drawn_of_a_few_points(chart: Chart, least: int) -> None:
    day = {**ROW, "day": "2026-01-02", "weekday": 6, "games": 1}
    few, enough = (
        answer_context(make_answer([day] * count, chart)) for count in (least - 1, least)
    )
    assert few["chart"] == "" and enough["chart"]
    assert few["told"]
