"""Charts of answers as Vega-Lite specs.

Titles, units and formats come from the columns; every mark has a tooltip with its row. The two
colours are by Okabe and Ito, distinct for colour-blind readers, and never the only sign: a flag
also has another shape.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from records.statistics.answer import Answer, Column, Row, find_column
from records.statistics.charts import (
    Bars,
    Chart,
    Course,
    Days,
    Distribution,
    Estimates,
    Labelled,
    Percentiles,
)

#: The version of the specs.
SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v6.json"
BLUE: Final = "#0072B2"
RED: Final = "#D55E00"
GREY: Final = "#808080"
#: The colour of few cases; `BLUE` is that of many.
PALE: Final = "#BFD7EA"
#: Opacity of a point without an interval.
FAINT: Final = 0.35
#: d3's number formats by the kind of a column.
_FORMATS: Final[Mapping[str, str]] = {
    "rate": ".2%",
    "count": ",d",
    "number": ",.2f",
    "one-in": ",.1f",
}
#: The format of numbers in a larger unit; see `records.base.figures.mean`.
_KAN: Final = ",.1f"
#: The height of a row with a label, and of other charts.
_ROW: Final = {"step": 24}
_HEIGHT: Final = 280

Spec = dict[str, Any]


def spec(answer: Answer) -> Spec:
    """Return the chart of an answer as a complete spec, with rows in `shown_unit`.

    ``description`` is the text alternative of the chart. An answer without a chart has no marks.
    """
    sizes = {column.id: column.size for column in answer.columns if column.size > 1}
    return {
        "$schema": SCHEMA,
        "title": {"text": answer.title, "subtitle": answer.subtitle},
        "description": answer.definition,
        **(_draw(answer.chart, answer.columns) if answer.chart else {}),
        "data": {"values": [_convert_units(row, sizes) for row in answer.drawn_rows]},
    }


def _convert_units(row: Row, sizes: Mapping[str, int]) -> dict[str, Any]:
    values: dict[str, Any] = dict(row)
    for name, size in sizes.items():
        if values.get(name) is not None:
            values[name] /= size
    return values


def _draw(chart: Chart, columns: Sequence[Column]) -> Spec:
    """Return a spec without data and titles."""
    match chart:
        case Estimates():
            return _draw_estimates(chart, _with_label(chart, columns))
        case Percentiles():
            x = _quantity(find_column(columns, chart.value)) | {"scale": {"domain": [0, 1]}}
            bar = {"x": {**x, "field": chart.value}, "x2": {"datum": 0.5}}
            layers = [_mark("bar", bar, color=BLUE, size=8), _line(x, at=0.5)]
            return _chart(_ROW, encoding=_labelled(columns, chart.label), layer=layers)
        case Bars():
            columns = _with_label(chart, columns)
            x = _quantity(find_column(columns, chart.value), labelOverlap=True) | {
                "field": chart.value
            }
            bar = {**_labelled(columns, chart.label), "x": x}
            return _chart(_ROW, **_mark("bar", bar, color=BLUE, size=8))
        case Distribution():
            return _draw_distribution(chart, columns)
        case Course():
            return _draw_course(chart, columns)
        case Days():
            return _draw_days(chart, columns)


def _with_label(chart: Labelled, columns: Sequence[Column]) -> Sequence[Column]:
    """Return the columns in tooltips: a label that is no column replaces ids and names."""
    if not chart.heading:
        return columns
    label = Column(chart.label, str(chart.heading), "text")
    return [label, *(column for column in columns if column.kind not in ("id", "text"))]


def _draw_estimates(chart: Estimates, columns: Sequence[Column]) -> Spec:
    """Draw points with intervals. A point without an interval is faint: the least certain."""
    column = find_column(columns, chart.value)
    x = _quantity(column, labelOverlap=True) | {"scale": {"zero": chart.zero}}
    x |= {"title": str(chart.measure)} if chart.measure else {}
    low, high = f"{chart.value}_low", f"{chart.value}_high"
    interval = {"x": {**x, "field": low}, "x2": {"field": high}}
    layers = [_line(x)] if chart.zero and column.kind == "number" else []
    layers.append(_mark("rule", interval, strokeWidth=2, color=GREY))
    if chart.baseline:
        tick = {"x": {**x, "field": chart.baseline}}
        layers.append(_mark("tick", tick, thickness=3, color=GREY))
    points: Spec = {
        "x": {**x, "field": chart.value},
        "color": {"value": BLUE},
        "opacity": _condition(f"datum['{low}'] === null", FAINT, 1),
    }
    if chart.flag:
        test = f"datum['{chart.flag}'] === true"
        points["color"] = _condition(test, RED, BLUE)
        points["shape"] = _condition(test, "diamond", "circle")
    layers.append(_mark("point", points, filled=True, size=70))
    return _chart(_ROW, encoding=_labelled(columns, chart.label), layer=layers)


def _draw_distribution(chart: Distribution, columns: Sequence[Column]) -> Spec:
    x: Spec = {"type": "quantitative", "title": str(chart.title)}
    bounds = (f"{chart.value}_low", f"{chart.value}_high")
    encoding = {
        "x": {**x, "field": chart.low, "bin": {"binned": True}},
        "x2": {"field": chart.high},
        "y": {**_quantity(find_column(columns, chart.value)), "field": chart.value},
        "tooltip": _tooltip(column for column in columns if column.id not in bounds),
    }
    return _chart(_HEIGHT, layer=[_mark("bar", encoding, color=BLUE), _line(x)])


def _draw_course(chart: Course, columns: Sequence[Column]) -> Spec:
    x: Spec = {
        "field": chart.month,
        "type": "temporal",
        "timeUnit": "utcyearmonth",
        "title": find_column(columns, chart.month).title,
        "axis": {"format": "%Y-%m"},
    }
    y = _quantity(find_column(columns, chart.value)) | {"scale": {"zero": False}}
    low, high = f"{chart.value}_low", f"{chart.value}_high"
    band = {"x": x, "y": {**y, "field": low}, "y2": {"field": high}}
    line = {"x": x, "y": {**y, "field": chart.value}}
    return _chart(
        _HEIGHT,
        encoding={"tooltip": _tooltip(columns)},
        layer=[
            _mark("area", band, color=GREY, opacity=0.3),
            # An area has no width if there is only one month.
            _mark("rule", band, color=GREY),
            _mark("line", line, color=BLUE, point={"color": BLUE}),
        ],
    )


def _draw_days(chart: Days, columns: Sequence[Column]) -> Spec:
    names = [str(name) for name in chart.names]
    encoding = {
        "x": {
            "field": chart.day,
            "type": "temporal",
            "timeUnit": "utcyearweek",
            "title": None,
            "axis": {"format": "%Y-%m"},
        },
        "y": {
            "field": chart.weekday,
            "type": "ordinal",
            "title": None,
            "scale": {"domain": list(range(1, len(names) + 1))},
            "axis": {"labelExpr": f"{json.dumps(names)}[datum.value - 1]"},
        },
        "color": {
            "field": chart.value,
            "type": "quantitative",
            "title": find_column(columns, chart.value).shown_title,
            "scale": {"range": [PALE, BLUE], "domainMin": 0},
            "legend": None,
        },
        "tooltip": _tooltip(columns),
    }
    return _chart(150, **_mark("rect", encoding, tooltip=True))


# Parts --------------------------------------------------------------------------------------------


def _chart(height: int | Mapping[str, int], **parts: Any) -> Spec:
    """Return a chart as wide as its page; outside a page the width is fixed."""
    config = {"view": {"continuousWidth": 640}}
    return {"width": "container", "height": height, **parts, "config": config}


def _mark(kind: str, encoding: Spec, **properties: Any) -> Spec:
    return {"mark": {"type": kind, **properties}, "encoding": encoding}


def _line(x: Spec, *, at: float = 0) -> Spec:
    """Return a dashed line at 0, or at another value, over the whole height."""
    encoding = {
        "x": {**x, "datum": at},
        "y": {"value": 0},
        "y2": {"value": "height"},
        "tooltip": {"value": None},
    }
    # Without its own data the layer would draw one line per row.
    return {"data": {"values": [{}]}, **_mark("rule", encoding, color=GREY, strokeDash=[4, 4])}


def _quantity(column: Column, **axis: Any) -> Spec:
    """Return the encoding of the numbers of a column, without its field."""
    format_ = ".3~%" if column.kind == "rate" else ",~f"
    return {
        "type": "quantitative",
        "title": column.shown_title,
        "axis": {"format": format_, **axis},
    }


def _labelled(columns: Sequence[Column], label: str) -> Spec:
    """Return the encoding of rows with the names of a column, in their order."""
    names = {
        "field": label,
        "type": "nominal",
        "sort": None,
        "title": find_column(columns, label).title,
        "axis": {"labelLimit": 240},
    }
    return {"y": names, "tooltip": _tooltip(columns)}


def _condition(test: str, value: Any, otherwise: Any) -> Spec:
    return {"condition": {"test": test, "value": value}, "value": otherwise}


def _tooltip(columns: Iterable[Column]) -> list[Spec]:
    lines = []
    for column in columns:
        line: Spec = {"field": column.id, "title": column.shown_title}
        if column.size > 1:
            line |= {"type": "quantitative", "format": _KAN}
        elif column.kind in _FORMATS:
            line |= {"type": "quantitative", "format": _FORMATS[column.kind]}
        else:
            line["type"] = "nominal"
        lines.append(line)
    return lines
