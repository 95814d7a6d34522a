"""Charts of answers as Vega-Lite without data: estimates with intervals, bars, distributions.

Titles, units and formats come from the columns; every mark has a tooltip with its row. The two
colours are by Okabe and Ito, distinct for colour-blind readers, and never the only sign: a flag
also has another shape.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from records.statistics.answer import Column

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


def estimates(
    columns: Sequence[Column],
    *,
    label: str,
    value: str,
    measure: str = "",
    baseline: str = "",
    flag: str = "",
    zero: bool = True,
) -> Spec:
    """Draw a point with its interval (``value_low`` to ``value_high``) for each row, in row order.

    A point without an interval is faint, since it is the least certain. Charts of sums mark the 0.
    ``measure`` names the measured quantity if the title of the column names a player instead.
    ``baseline`` is the column to compare with, drawn as a tick; rows whose ``flag`` is true are red
    diamonds.
    """
    column = _find(columns, value)
    x = _quantity(column, labelOverlap=True) | {"scale": {"zero": zero}}
    x |= {"title": measure} if measure else {}
    interval = {"x": {**x, "field": f"{value}_low"}, "x2": {"field": f"{value}_high"}}
    layers = [_line(x)] if zero and column.kind == "number" else []
    layers.append(_mark("rule", interval, strokeWidth=2, color=GREY))
    if baseline:
        tick = {"x": {**x, "field": baseline}}
        layers.append(_mark("tick", tick, thickness=3, color=GREY))
    layers.append(_points(x, value, flag))
    return _chart(_ROW, encoding=_labelled(columns, label), layer=layers)


def _points(x: Spec, value: str, flag: str) -> Spec:
    """Return the layer of points: faint without an interval, red diamonds where flagged."""
    unsure = f"datum['{value}_low'] === null"
    encoding: Spec = {
        "x": {**x, "field": value},
        "color": {"value": BLUE},
        "opacity": _condition(unsure, FAINT, 1),
    }
    if flag:
        test = f"datum['{flag}'] === true"
        encoding["color"] = _condition(test, RED, BLUE)
        encoding["shape"] = _condition(test, "diamond", "circle")
    return _mark("point", encoding, filled=True, size=70)


def distribution(columns: Sequence[Column], *, low: str, high: str, value: str, title: str) -> Spec:
    """Draw bars over bins from ``low`` to ``high``, the 0 marked; ``title`` names the cases.

    Bars have no intervals, since a bar may join several bins.
    """
    x: Spec = {"type": "quantitative", "title": title}
    bounds = (f"{value}_low", f"{value}_high")
    encoding = {
        "x": {**x, "field": low, "bin": {"binned": True}},
        "x2": {"field": high},
        "y": {**_quantity(_find(columns, value)), "field": value},
        "tooltip": _tooltip(column for column in columns if column.id not in bounds),
    }
    return _chart(_HEIGHT, layer=[_mark("bar", encoding, color=BLUE), _line(x)])


def course(columns: Sequence[Column], *, month: str, value: str) -> Spec:
    """Draw a line over months (``2026-01``) within the band of its intervals."""
    x: Spec = {
        "field": month,
        "type": "temporal",
        "timeUnit": "utcyearmonth",
        "title": _find(columns, month).title,
        "axis": {"format": "%Y-%m"},
    }
    y = _quantity(_find(columns, value)) | {"scale": {"zero": False}}
    band = {"x": x, "y": {**y, "field": f"{value}_low"}, "y2": {"field": f"{value}_high"}}
    line = {"x": x, "y": {**y, "field": value}}
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


def percentiles(columns: Sequence[Column], *, label: str, value: str) -> Spec:
    """Draw a bar for each row from one half (the median) to its percentile."""
    x = _quantity(_find(columns, value)) | {"scale": {"domain": [0, 1]}}
    bar = {"x": {**x, "field": value}, "x2": {"datum": 0.5}}
    layers = [_mark("bar", bar, color=BLUE, size=8), _line(x, at=0.5)]
    return _chart(_ROW, encoding=_labelled(columns, label), layer=layers)


def bars(columns: Sequence[Column], *, label: str, value: str) -> Spec:
    """Draw a bar from 0 for each row, in the order of rows; labels are unique."""
    x = {**_quantity(_find(columns, value), labelOverlap=True), "field": value}
    bar = _mark("bar", {**_labelled(columns, label), "x": x}, color=BLUE, size=8)
    return _chart(_ROW, **bar)


def days(
    columns: Sequence[Column], *, day: str, weekday: str, names: Sequence[str], value: str
) -> Spec:
    """Draw a square for each day, with a column per week and a row per day of the week.

    ``names`` are the names of the days of the week, beginning with day 1.
    """
    encoding = {
        "x": {
            "field": day,
            "type": "temporal",
            "timeUnit": "utcyearweek",
            "title": None,
            "axis": {"format": "%Y-%m"},
        },
        "y": {
            "field": weekday,
            "type": "ordinal",
            "title": None,
            "scale": {"domain": list(range(1, len(names) + 1))},
            "axis": {"labelExpr": f"{json.dumps(names)}[datum.value - 1]"},
        },
        "color": {
            "field": value,
            "type": "quantitative",
            "title": titled(_find(columns, value)),
            "scale": {"range": [PALE, BLUE], "domainMin": 0},
            "legend": None,
        },
        "tooltip": _tooltip(columns),
    }
    return _chart(150, **_mark("rect", encoding, tooltip=True))


def titled(column: Column) -> str:
    """Return a column's title with the unit that people read."""
    return f"{column.title} ({column.shown_unit})" if column.unit else column.title


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
    return {"type": "quantitative", "title": titled(column), "axis": {"format": format_, **axis}}


def _labelled(columns: Sequence[Column], label: str) -> Spec:
    """Return the encoding of rows with the names of a column, in their order."""
    names = {
        "field": label,
        "type": "nominal",
        "sort": None,
        "title": _find(columns, label).title,
        "axis": {"labelLimit": 240},
    }
    return {"y": names, "tooltip": _tooltip(columns)}


def _condition(test: str, value: Any, otherwise: Any) -> Spec:
    return {"condition": {"test": test, "value": value}, "value": otherwise}


def _find(columns: Sequence[Column], id: str) -> Column:
    return next(column for column in columns if column.id == id)


def _tooltip(columns: Iterable[Column]) -> list[Spec]:
    lines = []
    for column in columns:
        line: Spec = {"field": column.id, "title": titled(column)}
        if column.size > 1:
            line |= {"type": "quantitative", "format": _KAN}
        elif column.kind in _FORMATS:
            line |= {"type": "quantitative", "format": _FORMATS[column.kind]}
        else:
            line["type"] = "nominal"
        lines.append(line)
    return lines
