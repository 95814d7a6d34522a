"""Charts of the statistics as HTML with SVG.

Coordinates are percentages: one drawing fits every width without a script, and its texts and marks
keep their size. Colours, sizes and the place of names are in `statistics.css`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby
from typing import Final
from unicodedata import east_asian_width

from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from records.base import figures, labels
from records.pages.dates import played
from records.pages.statistics.scales import STEPS, Scale, Tick, make_scale
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
#: Width and height of the nested drawing of lines, which is stretched.
_SIDE: Final = 1000

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
    axis = _draw_axis_x(scale.ticks(column.kind), zero)
    told_columns = (chart.value, chart.baseline, "n")
    return _draw_rows(answer, chart.label, marks, axis, told_columns) + _draw_title(
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
        yield _tag("line", x1=low, x2=high, y1=50, y2=50)
    if baseline is not None:
        yield _tag("rect", class_="tick", x=baseline, y=50)
    if value is not None:
        faint = " faint" if low is None else ""
        if is_flagged:
            yield _tag("rect", class_=f"diamond{faint}", x=value, y=50)
        else:
            yield _tag("circle", class_=f"dot{faint}", cx=value, cy=50)


def _draw_bars(answer: Answer, chart: Labelled, scale: Scale, start: float) -> SafeString:
    """Draw bars from ``start``."""
    column = find_column(answer.columns, chart.value)
    marks = []
    for number in _read(answer, chart.value):
        low, high = sorted((scale.at(start), scale.at(number.get(chart.value, start))))
        marks.append([_tag("rect", class_="bar", x=low, y=50, width=high - low)])
    axis = _draw_axis_x(scale.ticks(column.kind), [scale.at(start)])
    rows = _draw_rows(answer, chart.label, marks, axis, (chart.value, "n"))
    return rows + _draw_title(column.shown_title)


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
        _mark(_tell(answer, row, name, *told), *mark, y=number * height, height=height)
        for number, (row, name, mark) in enumerate(zip(rows, names, marks, strict=True))
    ]
    return format_html(
        '<div class="rows{}"><div class="names">{}</div>{}</div>',
        " long" if any(_is_long(name) for name in names) else "",
        format_html_join("", "<span>{}</span>", ((name,) for name in names)),
        _tag("svg", axis, _tag("g", *parts, class_="marks")),
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
        bar = _tag("rect", class_="column", y=100 - height, width=100, height=height)
        name = " – ".join(figures.decimal(number[id], 0) for id in (chart.low, chart.high))
        sentence = _tell(answer, row, name, chart.value, "count")
        marks.append(_mark(sentence, bar, x=low, width=high - low))
    lines = [x.at(0)] if x.low < 0 < x.high else []
    axes = _draw_axis_y(_flip(y.ticks(column.kind))), _draw_axis_x(x.ticks("number"), lines)
    return _draw_plot([*axes, *marks], column.shown_title, str(chart.title))


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
        parts = [_tag("circle", class_="dot", cx=50, cy=height) for height in heights[:1]]
        if len(heights) == len(ids):
            parts.insert(0, _tag("line", x1=50, x2=50, y1=heights[1], y2=heights[2]))
        sentence = _tell(answer, row, played(str(row[chart.month])), chart.value, "n")
        marks.append(_mark(sentence, *parts, x=x.at(month), width=x.at(month + 1) - x.at(month)))
    step = next((n for n in _MONTHS if x.high - x.low <= n * STEPS), _MONTHS[-1])
    shown = (n for n in range(min(months), max(months) + 1) if n % step == 0)
    ticks = [(x.at(n + 0.5), f"{n // 12}-{n % 12 + 1:02}", n // step % 2 == 1) for n in shown]
    axes = _draw_axis_y(_flip(y.ticks(column.kind))), _draw_axis_x(ticks)
    below = _("The newest %(months)d months") % {"months": MOST_MONTHS} if is_cut else ""
    return _draw_plot([*axes, _draw_lines(points), *marks], column.shown_title, below)


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
            shapes.append(_tag("polygon", points=_join(band)))
    shapes.append(_tag("polyline", points=_join((x, value) for x, value, *_bounds in with_value)))
    return _tag("svg", *shapes, viewBox=f"0 0 {_SIDE} {_SIDE}", preserveAspectRatio="none")


def _join(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{_SIDE * x / 100:.0f},{_SIDE * y / 100:.0f}" for x, y in points)


def _draw_days(answer: Answer, chart: Days) -> SafeString:
    days = [date.fromisoformat(str(row[chart.day])).toordinal() for row in answer.drawn_rows]
    # An ordinal number divisible by 7 is a Sunday, with which a column begins.
    end = (max(days) // 7 + 1) * 7
    x, y = Scale(end - 7 * _WEEKS, end), Scale(0, len(chart.names))
    most = max(int(row[chart.value] or 0) for row in answer.drawn_rows)
    marks = []
    for row, day in zip(answer.drawn_rows, days, strict=True):
        opacity = _PALE + (1 - _PALE) * int(row[chart.value] or 0) / most
        square = _tag("rect", class_="day", fill_opacity=f"{opacity:.2f}")
        left, top = x.at(day // 7 * 7), y.at(int(row[chart.weekday] or 1) - 1)
        sentence = _tell(answer, row, played(str(row[chart.day])), chart.value)
        marks.append(_mark(sentence, square, x=left, y=top, width=x.at(x.low + 7), height=y.at(1)))
    firsts = [day for day in map(date.fromordinal, range(end - 7 * _WEEKS, end)) if day.day == 1]
    months = [
        (x.at(day.toordinal()), f"{day:%Y-%m}", day.month % 4 == 3)
        for day in firsts
        if day.month % 2
    ]
    names = [(y.at(number + 0.5), str(name), False) for number, name in enumerate(chart.names)]
    return _draw_plot([_draw_axis_y(names), _draw_axis_x(months), *marks], is_low=True)


def _draw_plot(
    parts: Iterable[SafeString], above: str = "", below: str = "", *, is_low: bool = False
) -> SafeString:
    """Draw parts between the titles of their axes."""
    plot = format_html(
        '<div class="plot{}">{}</div>', " low" if is_low else "", _tag("svg", *parts)
    )
    return _draw_title(above) + plot + _draw_title(below)


def _flip(ticks: Iterable[Tick]) -> list[Tick]:
    """Return the ticks of an axis that begins at the bottom."""
    return [(100 - place, text, is_minor) for place, text, is_minor in ticks]


# Parts --------------------------------------------------------------------------------------------


def _draw_axis_x(ticks: Iterable[Tick], dashed: Iterable[float] = ()) -> SafeString:
    """Draw a line from top to bottom for each tick, its text below, and the ``dashed`` lines."""
    parts = []
    for x, text, is_minor in ticks:
        minor = {"class_": "minor"} if is_minor else {}
        parts += [_tag("line", x1=x, x2=x, y2=100), _tag("text", text, x=x, y=100, **minor)]
    parts += [_tag("line", class_="dashed", x1=x, x2=x, y2=100) for x in dashed]
    return _tag("g", *parts, class_="x")


def _draw_axis_y(ticks: Iterable[Tick]) -> SafeString:
    """Draw a line from left to right for each tick, its text on the left."""
    parts = []
    for y, text, _is_minor in ticks:
        parts += [_tag("line", x2=100, y1=y, y2=y), _tag("text", text, y=y)]
    return _tag("g", *parts, class_="y")


def _draw_title(title: str) -> SafeString:
    return format_html('<p class="axis">{}</p>', title) if title else SafeString()


def _mark(told: str, *parts: SafeString, **place: float) -> SafeString:
    """Draw parts in a place of their own, whose area shows a text to the pointer."""
    area = _tag("rect", class_="area", width=100, height=100)
    return _tag("svg", _tag("title", told), area, *parts, **place)


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


def _tag(name: str, *content: str, **attributes: str | float) -> SafeString:
    """Return an element. Numbers are percentages; names are as in Python: ``class_``."""
    pairs = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_write(value)}"'
        for key, value in attributes.items()
    )
    inner = "".join(conditional_escape(part) for part in content)
    return mark_safe(f"<{name}{pairs}>{inner}</{name}>")


def _write(value: str | float) -> str:
    return conditional_escape(value) if isinstance(value, str) else f"{value:.4g}%"
