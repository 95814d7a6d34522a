"""Charts of the statistics as HTML with SVG.

`records.drawing.svg` has their parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby
from typing import Final
from unicodedata import east_asian_width

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from records.base import figures, labels
from records.base.dates import played
from records.drawing.scales import STEPS, Scale, make_scale
from records.drawing.svg import (
    draw_axis_x,
    draw_axis_y,
    draw_mark,
    draw_plot,
    draw_title,
    flip,
    join,
    stretch,
    tag,
)
from records.pages.statistics.values import format_cell
from records.statistics.answer import Answer, Row, find_column
from records.statistics.charts import (
    Bars,
    Course,
    Days,
    Distribution,
    Estimates,
    Labelled,
    Percentiles,
)

#: Maximum length of a label next to its mark on a phone, Japanese letters counted twice.
_SHORT_LABEL: Final = 18
#: Numbers of months between ticks, of which the first with few enough ticks is used.
_MONTHS: Final = (1, 2, 3, 6, 12, 24, 60, 120)
#: Maximum number of months of a course, the newest: more would be too close, and a heavy page.
MOST_MONTHS: Final = 60
#: Weeks of a calendar, and the opacity of a day without games; the day with the most has 1.
_WEEKS: Final = 53
_PALE: Final = 0.2

#: Numbers of a row by the id of the column; unknown numbers are left out.
Numbers = dict[str, float]


def draw_chart(answer: Answer) -> SafeString:
    """Return the chart of an answer with at least one row, empty if the answer has no chart."""
    match answer.chart:
        case Estimates() as chart:
            return _draw_estimates(answer, chart)
        case Percentiles() as chart:
            return _draw_bars(answer, chart, make_scale((0, 1)), 0.5)
        case Bars() as chart:
            numbers = _read(answer, chart.value)
            return _draw_bars(answer, chart, make_scale([0, *_values(numbers)]), 0)
        case Distribution() as chart:
            return _draw_distribution(answer, chart)
        case Course() as chart:
            return _draw_course(answer, chart)
        case Days() as chart:
            return _draw_days(answer, chart)
        case None:
            return SafeString()


# Charts with a row for each row of the answer -----------------------------------------------------


def _draw_estimates(answer: Answer, chart: Estimates) -> SafeString:
    column = find_column(answer.columns, chart.value)
    ids = (chart.value, f"{chart.value}_low", f"{chart.value}_high", chart.baseline)
    numbers = _read(answer, *ids)
    scale = make_scale([*_values(numbers), *([0] if chart.zero else [])])
    marks = [
        [*_draw_estimate(scale, [number.get(id) for id in ids], bool(row.get(chart.flag)))]
        for row, number in zip(answer.drawn_rows, numbers, strict=True)
    ]
    zero = [scale.at(0)] if chart.zero and column.kind == "number" else []
    axis = draw_axis_x(scale.ticks(column.kind), zero)
    told_columns = (chart.value, chart.baseline, "n")
    return _draw_rows(answer, chart.label, marks, axis, told_columns) + draw_title(
        str(chart.measure) or column.shown_title
    )


def _draw_estimate(
    scale: Scale, numbers: Sequence[float | None], is_flagged: bool
) -> Iterator[SafeString]:
    """Draw interval, baseline and point: a diamond if flagged, faint without an interval."""
    value, low, high, baseline = (
        None if number is None else scale.at(number) for number in numbers
    )
    if low is not None and high is not None:
        yield tag("line", x1=low, x2=high, y1=50, y2=50)
    if baseline is not None:
        yield tag("rect", class_="tick", x=baseline, y=50)
    if value is not None:
        faint = " faint" if low is None else ""
        if is_flagged:
            yield tag("rect", class_=f"diamond{faint}", x=value, y=50)
        else:
            yield tag("circle", class_=f"dot{faint}", cx=value, cy=50)


def _draw_bars(answer: Answer, chart: Labelled, scale: Scale, start: float) -> SafeString:
    """Draw bars from ``start``."""
    column = find_column(answer.columns, chart.value)
    marks = []
    for number in _read(answer, chart.value):
        low, high = sorted((scale.at(start), scale.at(number.get(chart.value, start))))
        marks.append([tag("rect", class_="bar", x=low, y=50, width=high - low)])
    axis = draw_axis_x(scale.ticks(column.kind), [scale.at(start)])
    rows = _draw_rows(answer, chart.label, marks, axis, (chart.value, "n"))
    return rows + draw_title(column.shown_title)


def _draw_rows(
    answer: Answer,
    label: str,
    marks: Sequence[Sequence[SafeString]],
    axis: SafeString,
    told: Sequence[str],
) -> SafeString:
    """Draw the names of rows and their marks, which show the ``told`` columns to the pointer."""
    rows = answer.drawn_rows
    names = [str(row[label]) for row in rows]
    height = 100 / len(rows)
    parts = [
        draw_mark(_tell(answer, row, name, *told), *mark, y=number * height, height=height)
        for number, (row, name, mark) in enumerate(zip(rows, names, marks, strict=True))
    ]
    return format_html(
        '<div class="rows{}"><div class="names">{}</div>{}</div>',
        " long" if any(_is_long(name) for name in names) else "",
        format_html_join("", "<span>{}</span>", ((name,) for name in names)),
        tag("svg", axis, tag("g", *parts, class_="marks")),
    )


def _is_long(label: str) -> bool:
    width = sum(2 if east_asian_width(letter) in "WF" else 1 for letter in label)
    return width > _SHORT_LABEL


# Charts with two axes -----------------------------------------------------------------------------


def _draw_distribution(answer: Answer, chart: Distribution) -> SafeString:
    column = find_column(answer.columns, chart.value)
    numbers = _read(answer, chart.low, chart.high, chart.value)
    bounds = [number[id] for number in numbers for id in (chart.low, chart.high)]
    x = make_scale(bounds, is_whole=False)
    y = make_scale([0, *(number[chart.value] for number in numbers)])
    marks = []
    for row, number in zip(answer.drawn_rows, numbers, strict=True):
        low, high = x.at(number[chart.low]), x.at(number[chart.high])
        height = y.at(number[chart.value])
        bar = tag("rect", class_="column", y=100 - height, width=100, height=height)
        name = " – ".join(figures.decimal(number[id], 0) for id in (chart.low, chart.high))
        sentence = _tell(answer, row, name, chart.value, "count")
        marks.append(draw_mark(sentence, bar, x=low, width=high - low))
    lines = [x.at(0)] if x.low < 0 < x.high else []
    axes = draw_axis_y(flip(y.ticks(column.kind))), draw_axis_x(x.ticks("number"), lines)
    return draw_plot([*axes, *marks], column.shown_title, str(chart.title))


def _draw_course(answer: Answer, chart: Course) -> SafeString:
    column = find_column(answer.columns, chart.value)
    ids = (chart.value, f"{chart.value}_low", f"{chart.value}_high")
    is_cut = len(answer.drawn_rows) > MOST_MONTHS
    answer = replace(answer, drawn=answer.drawn_rows[-MOST_MONTHS:])
    numbers = _read(answer, *ids)
    months = [_count_months(str(row[chart.month])) for row in answer.drawn_rows]
    x = Scale(min(months), max(months) + 1)
    y = make_scale(_values(numbers))
    marks = []
    points: list[tuple[float, ...]] = []
    for row, month, number in zip(answer.drawn_rows, months, numbers, strict=True):
        heights = [100 - y.at(number[id]) for id in ids if id in number]
        points.append((x.at(month + 0.5), *heights))
        parts = [tag("circle", class_="dot", cx=50, cy=height) for height in heights[:1]]
        if len(heights) == len(ids):
            parts.insert(0, tag("line", x1=50, x2=50, y1=heights[1], y2=heights[2]))
        sentence = _tell(answer, row, played(str(row[chart.month])), chart.value, "n")
        marks.append(
            draw_mark(sentence, *parts, x=x.at(month), width=x.at(month + 1) - x.at(month))
        )
    step = next((n for n in _MONTHS if x.high - x.low <= n * STEPS), _MONTHS[-1])
    shown = (n for n in range(min(months), max(months) + 1) if n % step == 0)
    ticks = [(x.at(n + 0.5), f"{n // 12}-{n % 12 + 1:02}", n // step % 2 == 1) for n in shown]
    axes = draw_axis_y(flip(y.ticks(column.kind))), draw_axis_x(ticks)
    below = _("The newest %(months)d months") % {"months": MOST_MONTHS} if is_cut else ""
    return draw_plot([*axes, _draw_lines(points), *marks], column.shown_title, below)


def _count_months(month: str) -> int:
    """Return the number of a month like ``2026-01``."""
    return int(month[:4]) * 12 + int(month[5:7]) - 1


def _draw_lines(points: Iterable[tuple[float, ...]]) -> SafeString:
    """Draw a line through points (x and value), and a band where bounds follow them."""
    with_value = [point for point in points if len(point) > 1]
    shapes = []
    for has_bounds, run in groupby(with_value, key=lambda point: len(point) == 4):
        if has_bounds:
            sides = [*run]
            band = [(x, low) for x, _value, low, _high in sides]
            band += [(x, high) for x, _value, _low, high in reversed(sides)]
            shapes.append(tag("polygon", points=join(band)))
    shapes.append(tag("polyline", points=join((x, value) for x, value, *_bounds in with_value)))
    return stretch(*shapes)


def _draw_days(answer: Answer, chart: Days) -> SafeString:
    days = [date.fromisoformat(str(row[chart.day])).toordinal() for row in answer.drawn_rows]
    # An ordinal number divisible by 7 is a Sunday, with which a column begins.
    end = (max(days) // 7 + 1) * 7
    x, y = Scale(end - 7 * _WEEKS, end), Scale(0, len(chart.names))
    most = max(int(row[chart.value] or 0) for row in answer.drawn_rows)
    marks = []
    for row, day in zip(answer.drawn_rows, days, strict=True):
        opacity = _PALE + (1 - _PALE) * int(row[chart.value] or 0) / most
        square = tag("rect", class_="day", fill_opacity=f"{opacity:.2f}")
        left, top = x.at(day // 7 * 7), y.at(int(row[chart.weekday] or 1) - 1)
        sentence = _tell(answer, row, played(str(row[chart.day])), chart.value)
        marks.append(
            draw_mark(sentence, square, x=left, y=top, width=x.at(x.low + 7), height=y.at(1))
        )
    firsts = [day for day in map(date.fromordinal, range(end - 7 * _WEEKS, end)) if day.day == 1]
    months = [
        (x.at(day.toordinal()), f"{day:%Y-%m}", day.month % 4 == 3)
        for day in firsts
        if day.month % 2
    ]
    names = [(y.at(number + 0.5), str(name), False) for number, name in enumerate(chart.names)]
    return draw_plot([draw_axis_y(names), draw_axis_x(months), *marks], is_low=True)


# Values -------------------------------------------------------------------------------------------


def _tell(answer: Answer, row: Row, name: str, *ids: str) -> str:
    """Return a name and the values of columns in words, a line each."""
    units = labels.units(str(answer.filters.get("ruleset", "")))
    lines = [name]
    for column in answer.columns:
        if column.id in ids:
            text = format_cell(row.get(column.id), column, units)
            bounds = [row.get(f"{column.id}_{end}") for end in ("low", "high")]
            if None not in bounds:
                text += " ({} – {})".format(
                    *(format_cell(bound, column, units) for bound in bounds)
                )
            lines.append(f"{column.shown_title}: {text}")
    return "\n".join(lines)


def _read(answer: Answer, *ids: str) -> list[Numbers]:
    """Return the numbers of each row that are known, in the units that people read."""
    sizes = {column.id: column.size for column in answer.columns}
    return [
        {id: float(row[id] or 0) / sizes.get(id, 1) for id in ids if row.get(id) is not None}
        for row in answer.drawn_rows
    ]


def _values(numbers: Iterable[Numbers]) -> list[float]:
    return [value for number in numbers for value in number.values()]
