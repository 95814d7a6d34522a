"""Charts of answers as Vega-Lite without data: estimates with intervals, bars, distributions.

Titles, units and formats are those of the columns; every mark has a tooltip with its row. The two
colours are Okabe and Ito's, distinct for everybody, and never the only sign: a flag has another
shape too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from records.statistics.answer import Column

BLUE: Final = "#0072B2"
RED: Final = "#D55E00"
GREY: Final = "#808080"
#: Few of what `BLUE` is much of.
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
#: The width if the page gives none.
_CONFIG: Final = {"view": {"continuousWidth": 640}}

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
    """A point for each row with its interval (``value_low`` to ``value_high``), in the order of
    rows; a faint one without: it is the least sure. Of sums the 0 is marked.

    ``measure`` names what is measured, where the title of the column names whose it is.
    ``baseline`` is the column of what it is compared with, drawn as a tick; rows whose ``flag`` is
    true are diamonds in red.
    """
    known = {column.id: column for column in columns}
    axis: Spec = {"format": _axis(known[value]), "labelOverlap": True}
    x: Spec = {
        "type": "quantitative",
        "title": measure or titled(known[value]),
        "axis": axis,
        "scale": {"zero": zero},
    }
    bar: Spec = {
        "mark": {"type": "rule", "strokeWidth": 2, "color": GREY},
        "encoding": {"x": {**x, "field": f"{value}_low"}, "x2": {"field": f"{value}_high"}},
    }
    tick: Spec = {
        "mark": {"type": "tick", "thickness": 3, "color": GREY},
        "encoding": {"x": {**x, "field": baseline}},
    }
    is_sum = zero and known[value].kind == "number"
    return {
        "width": "container",
        "height": {"step": 24},
        "encoding": {"y": _names(known[label]), "tooltip": _tooltip(columns)},
        "layer": [
            *([_zero_line(x)] if is_sum else []),
            bar,
            *([tick] if baseline else []),
            _points(x, value, flag),
        ],
        "config": _CONFIG,
    }


def _points(x: Spec, value: str, flag: str) -> Spec:
    """The layer of points: faint without an interval, red diamonds where ``flag`` is true."""
    encoding: Spec = {
        "x": {**x, "field": value},
        "color": {"value": BLUE},
        "opacity": {
            "condition": {"test": f"datum['{value}_low'] === null", "value": FAINT},
            "value": 1,
        },
    }
    if flag:
        test = f"datum['{flag}'] === true"
        encoding["color"] = {"condition": {"test": test, "value": RED}, "value": BLUE}
        encoding["shape"] = {"condition": {"test": test, "value": "diamond"}, "value": "circle"}
    return {"mark": {"type": "point", "filled": True, "size": 70}, "encoding": encoding}


def _zero_line(x: Spec, *, at: float = 0) -> Spec:
    """A dashed line at 0, or at another value, over the whole height."""
    return {
        "data": {"values": [{}]},  # else each row had a line
        "mark": {"type": "rule", "color": GREY, "strokeDash": [4, 4]},
        "encoding": {
            "x": {**x, "datum": at},
            "y": {"value": 0},
            "y2": {"value": "height"},
            "tooltip": {"value": None},
        },
    }


def distribution(columns: Sequence[Column], *, low: str, high: str, value: str, title: str) -> Spec:
    """Bars over bins from ``low`` to ``high``, the 0 marked; ``title`` names what is counted."""
    known = {column.id: column for column in columns}
    x: Spec = {"type": "quantitative", "title": title}
    y = {
        "field": value,
        "type": "quantitative",
        "title": titled(known[value]),
        "axis": {"format": _axis(known[value])},
    }
    return {
        "width": "container",
        "height": 280,
        "layer": [
            {
                "mark": {"type": "bar", "color": BLUE},
                "encoding": {
                    "x": {**x, "field": low, "bin": {"binned": True}},
                    "x2": {"field": high},
                    "y": y,
                    "tooltip": _tooltip(columns),
                },
            },
            _zero_line(x),
        ],
        "config": _CONFIG,
    }


def course(columns: Sequence[Column], *, month: str, value: str) -> Spec:
    """A line over months (``2026-01``) within the band of its intervals."""
    known = {column.id: column for column in columns}
    x: Spec = {
        "field": month,
        "type": "temporal",
        "timeUnit": "utcyearmonth",
        "title": known[month].title,
        "axis": {"format": "%Y-%m"},
    }
    y: Spec = {
        "type": "quantitative",
        "title": titled(known[value]),
        "scale": {"zero": False},
        "axis": {"format": _axis(known[value])},
    }
    band = {"x": x, "y": {**y, "field": f"{value}_low"}, "y2": {"field": f"{value}_high"}}
    return {
        "width": "container",
        "height": 280,
        "encoding": {"tooltip": _tooltip(columns)},
        "layer": [
            {"mark": {"type": "area", "color": GREY, "opacity": 0.3}, "encoding": band},
            # An area has no width if there is only one month.
            {"mark": {"type": "rule", "color": GREY}, "encoding": band},
            {
                "mark": {"type": "line", "color": BLUE, "point": {"color": BLUE}},
                "encoding": {"x": x, "y": {**y, "field": value}},
            },
        ],
        "config": _CONFIG,
    }


def percentiles(columns: Sequence[Column], *, label: str, value: str) -> Spec:
    """A bar for each row from one half, the middle of all, to its share."""
    known = {column.id: column for column in columns}
    x: Spec = {
        "type": "quantitative",
        "title": titled(known[value]),
        "axis": {"format": _axis(known[value])},
        "scale": {"domain": [0, 1]},
    }
    return {
        "width": "container",
        "height": {"step": 24},
        "encoding": {"y": _names(known[label]), "tooltip": _tooltip(columns)},
        "layer": [
            {
                "mark": {"type": "bar", "color": BLUE, "size": 8},
                "encoding": {"x": {**x, "field": value}, "x2": {"datum": 0.5}},
            },
            _zero_line(x, at=0.5),
        ],
        "config": _CONFIG,
    }


def bars(columns: Sequence[Column], *, label: str, value: str) -> Spec:
    """A bar from 0 for each row, in the order of rows; each has a label of its own."""
    known = {column.id: column for column in columns}
    axis = {"format": _axis(known[value]), "labelOverlap": True}
    return {
        "width": "container",
        "height": {"step": 24},
        "mark": {"type": "bar", "color": BLUE, "size": 8},
        "encoding": {
            "y": _names(known[label]),
            "x": {
                "field": value,
                "type": "quantitative",
                "title": titled(known[value]),
                "axis": axis,
            },
            "tooltip": _tooltip(columns),
        },
        "config": _CONFIG,
    }


def days(
    columns: Sequence[Column], *, day: str, weekday: str, names: Sequence[str], value: str
) -> Spec:
    """A square for each day, in a column for each week and a row for each day of the week, whose
    ``names`` begin with that of 1.
    """
    known = {column.id: column for column in columns}
    return {
        "width": "container",
        "height": 150,
        "mark": {"type": "rect", "tooltip": True},
        "encoding": {
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
                "title": titled(known[value]),
                "scale": {"range": [PALE, BLUE], "domainMin": 0},
                "legend": None,
            },
            "tooltip": _tooltip(columns),
        },
        "config": _CONFIG,
    }


def titled(column: Column) -> str:
    """A column's title with the unit that people read."""
    return f"{column.title} ({column.shown_unit})" if column.unit else column.title


def _axis(column: Column) -> str:
    return ".3~%" if column.kind == "rate" else ",~f"


def _names(column: Column) -> Spec:
    return {
        "field": column.id,
        "type": "nominal",
        "sort": None,
        "title": column.title,
        "axis": {"labelLimit": 240},
    }


def _tooltip(columns: Iterable[Column]) -> list[Spec]:
    found = []
    for column in columns:
        one: Spec = {"field": column.id, "title": titled(column)}
        kind = "number" if column.size > 1 else column.kind
        if kind in _FORMATS:
            one |= {"type": "quantitative", "format": _FORMATS[kind]}
        else:
            one["type"] = "nominal"
        found.append(one)
    return found
