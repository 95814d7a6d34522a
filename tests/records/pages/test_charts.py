"""Charts of the statistics as SVG."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from records.drawing.scales import STEPS, make_scale
from records.pages.statistics.charts import MOST_MONTHS, draw_chart
from records.statistics.answer import Answer, Column, Unit
from records.statistics.charts import (
    Bars,
    Chart,
    Course,
    Days,
    Distribution,
    Estimates,
    Percentiles,
)

COLUMNS = (
    *(
        Column("name", "Yaku", "text"),
        Column("month", "Month", "text"),
        Column("day", "Day", "text"),
    ),
    *(
        Column("rate", "Rate", "rate"),
        Column("rate_low", "", "rate"),
        Column("rate_high", "", "rate"),
    ),
    *(
        Column("exact", "Exact odds", "rate"),
        Column("mean", "Mean", "number", Unit("mon", "kan", 12)),
    ),
    *(Column("low", "From", "count"), Column("high", "To", "count"), Column("n", "Deals", "count")),
    *(Column("games", "Games", "count"), Column("differs", "differs", "flag")),
)
ROWS: list[dict[str, Any]] = [
    {
        "name": f"yaku {number}",
        "month": f"202{number}-11",
        "day": f"2026-01-{2 + number:02}",
        "weekday": 6 - number,
        **{"rate": 0.2 + number / 10, "rate_low": 0.1, "rate_high": 0.7, "exact": 0.25},
        **{"mean": 12.0 * number - 24, "low": 12 * number - 24, "high": 12 * number - 12},
        **{"n": 1200 + number, "games": number + 1, "differs": False},
    }
    for number in range(4)
]
RATES = Estimates(label="name", value="rate", baseline="exact", flag="differs")
MEANS = Estimates(label="name", value="mean")
COURSE = Course(month="month", value="rate")
DAYS = Days(day="day", weekday="weekday", names=[*"SMTWTFS"], value="games")
SCORES = Distribution(low="low", high="high", value="rate", title="Score")
CHARTS: list[Chart] = [
    *(RATES, MEANS, COURSE, DAYS, SCORES),
    *(Percentiles(label="name", value="rate"), Bars(label="name", value="n")),
]


def make_answer(chart: Chart, rows: list[dict[str, Any]] = ROWS) -> Answer:
    """Return an answer with these rows."""
    return Answer(
        id="yaku",
        title="Yaku",
        definition="",
        formula="",
        filters={},
        games=1,
        deals_played=12,
        n=len(rows),
        as_of=None,
        columns=COLUMNS,
        rows=rows,
        chart=chart,
    )


def draw(chart: Chart, rows: list[dict[str, Any]] = ROWS) -> str:
    """Return the chart of these rows."""
    return draw_chart(make_answer(chart, rows))


def check_drawing(text: str, *, marks: int) -> ElementTree.Element:
    """Check that there are so many marks, and that all is within the drawing; return the tree."""
    tree = ElementTree.fromstring(f"<div>{text}</div>")
    assert len(tree.findall(".//title")) == marks
    for element in tree.iter():
        places = {name: value for name, value in element.items() if value.endswith("%")}
        shares = {name: float(value[:-1]) for name, value in places.items()}
        assert all(-0.01 <= share <= 100.01 for share in shares.values()), element.attrib
        for start, length in (("x", "width"), ("y", "height")):
            assert shares.get(start, 0) + shares.get(length, 0) <= 100.1, element.attrib
    for shape in (*tree.iter("polygon"), *tree.iter("polyline")):
        assert all(
            0 <= int(number) <= 1000 for number in re.findall(r"-?\d+", shape.get("points", "-1"))
        )
    return tree


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: type(chart).__name__)
def test_chart_has_a_mark_per_row_within_its_bounds(chart: Chart) -> None:
    tree = check_drawing(draw(chart), marks=len(ROWS))
    shapes = {element.get("class", "").split(" ")[0] for element in tree.iter()}
    assert shapes & {"dot", "bar", "column", "day"}
    equal = [{**ROWS[0], "rate": 0.0, "rate_low": 0.0, "rate_high": 0.0, "mean": 0.0, "exact": 0.0}]
    check_drawing(draw(chart, equal), marks=1)


def test_higher_values_are_drawn_higher_and_ticks_upwards() -> None:
    bars = check_drawing(draw(SCORES), marks=4).findall(".//rect[@class='column']")
    ends = [[float(bar.get(name, "")[:-1]) for name in ("y", "height")] for bar in bars]
    assert all(abs(top + height - 100) < 0.02 for top, height in ends)
    assert ends == sorted(ends, reverse=True)
    tree = check_drawing(draw(COURSE), marks=4)
    points = [float(point.get("cy", "")[:-1]) for point in tree.findall(".//circle")]
    assert points == sorted(points, reverse=True)
    ticks = tree.findall(".//g[@class='y']/text")
    assert ticks[0].get("y") == "100%" and ticks[-1].get("y") == "0%"


def test_unknown_numbers_are_not_drawn() -> None:
    unknown = dict.fromkeys(("rate", "rate_low", "rate_high", "exact"))
    for chart in (RATES, COURSE):
        drawn = check_drawing(draw(chart, [ROWS[0], {**ROWS[1], **unknown}, ROWS[2]]), marks=3)
        assert len(drawn.findall(".//circle")) == 2
        assert len(drawn.findall(".//svg/svg/line") + drawn.findall(".//g/svg/line")) == 2
    assert not check_drawing(draw(RATES, [{**ROWS[1], **unknown}]), marks=1).findall(".//circle")


def test_band_of_a_course_is_broken_where_intervals_are_unknown() -> None:
    unsure = {"rate_low": None, "rate_high": None}
    rows = [ROWS[0], ROWS[1], {**ROWS[2], **unsure}, ROWS[3]]
    tree = check_drawing(draw(COURSE, rows), marks=4)
    assert len(tree.findall(".//polygon")) == 2
    (line,) = tree.findall(".//polyline")
    assert line.get("points", "").count(",") == 4


def test_course_has_the_newest_months_only() -> None:
    months = [f"{year}-{month:02}" for year in range(2000, 2006) for month in range(1, 13)]
    rows = [{**ROWS[0], "month": month} for month in months]
    tree = check_drawing(draw(COURSE, rows), marks=MOST_MONTHS)
    assert (tree.findtext(".//title") or "").startswith("January 2001")
    assert tree.findall("p")[-1].text == f"The newest {MOST_MONTHS} months"


def test_flagged_row_is_a_diamond_and_uncertain_one_is_faint() -> None:
    rows = [ROWS[0], {**ROWS[1], "differs": True}, {**ROWS[2], "rate_low": None}]
    tree = check_drawing(draw(RATES, rows), marks=3)
    assert [point.get("class") for point in tree.findall(".//circle")] == ["dot", "dot faint"]
    assert len(tree.findall(".//rect[@class='diamond']")) == 1
    assert len(tree.findall(".//rect[@class='tick']")) == 3


def test_zero_of_sums_is_marked_and_of_rates_is_the_edge() -> None:
    (zero,) = check_drawing(draw(MEANS), marks=4).findall(".//line[@class='dashed']")
    # From −2 to 1 kan.
    assert zero.get("x1") == "66.67%"
    rates = check_drawing(draw(RATES), marks=4)
    assert not rates.findall(".//line[@class='dashed']")
    assert next(text.text for text in rates.iter("text")) == "0%"


def test_pointer_reads_the_values_of_a_mark() -> None:
    titles = [title.text for title in check_drawing(draw(RATES), marks=4).iter("title")]
    assert titles[0] == (
        "yaku 0\nRate: 20.0% (10.0% – 70.0%)\nExact odds: 25.0%\nDeals: 1,200"
    ).replace(" %", "%")
    with override("ja"):
        assert "2026年1月2日\nGames: 1<" in draw(DAYS)
        assert ">20%</text>" in draw(RATES)


def test_names_of_rows_are_escaped_and_long_ones_are_above_their_marks() -> None:
    hostile = "</svg><script>alert(1)</script>\"'&amp;"
    text = draw(RATES, [{**ROWS[0], "name": hostile}, ROWS[1]])
    assert "<script" not in text
    names = check_drawing(text, marks=2).findall(".//span")
    assert names[0].text == hostile
    for name, is_long in ((hostile, True), ("赤短", False), ("松に鶴で松に赤短を取る", True)):
        assert ('class="rows long"' in draw(RATES, [{**ROWS[0], "name": name}])) == is_long


def test_week_has_a_column_that_begins_with_sunday() -> None:
    """2 January 2026 is a Friday."""
    rows = [{**ROWS[0], "day": f"2026-01-{day:02}", "weekday": day % 7 or 7} for day in (3, 4, 10)]
    for row, weekday in zip(rows, (7, 1, 7), strict=True):
        row["weekday"] = weekday
    tree = check_drawing(draw(DAYS, rows), marks=3)
    squares = [square for square in tree.findall(".//svg/svg") if square.find("title") is not None]
    x = [float(square.get("x", "")[:-1]) for square in squares]
    assert x[0] < x[1] == x[2]
    assert [square.get("y") for square in squares] == ["85.71%", "0%", "85.71%"]


@given(st.lists(st.floats(-1e9, 1e9) | st.floats(-1e-3, 1e-3), min_size=1, max_size=5))
def test_scale_has_few_ticks_around_all_values(values: list[float]) -> None:
    scale = make_scale(values)
    slack = (scale.high - scale.low) * 1e-6
    assert scale.low - slack <= min(values) <= max(values) <= scale.high + slack
    for kind in ("rate", "number"):
        ticks = scale.ticks(kind)
        assert 2 <= len(ticks) <= STEPS + 2
        assert all(-0.01 <= place <= 100.01 for place, *_text in ticks)
