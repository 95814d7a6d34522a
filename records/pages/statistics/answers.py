"""Answers of the statistics for pages: a chart, and a table below the chart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from unicodedata import east_asian_width
from urllib.parse import quote

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from records.base import figures, labels
from records.base.labels import Units
from records.pages.dates import played
from records.pages.statistics.sentences import tell
from records.statistics.answer import Answer, Column, Row
from records.wording.steps import amount

#: Maximum number of rows of a chart that is not folded, and of a table; CSV and JSON have all.
OPEN: Final = 24
MOST_ROWS: Final = 24
#: Minimum number of rows of a chart, and of a chart of days.
LEAST_DRAWN: Final = 3
LEAST_DAYS: Final = 10
#: Height in px of a chart without its marks: axis, title, legend.
_AROUND: Final = 52
_HEIGHT: Final = 320
#: Length of a label that fits next to its mark on a phone, Japanese letters counted twice.
_SHORT_LABEL: Final = 18
#: Extra height of a row whose label is above its mark.
_LABEL: Final = 14
#: Marks of charts in the order of the legend.
_MARKS: Final = ("dot", "tick", "diamond")
_NUMERIC: Final = ("count", "number", "rate", "one-in")


def answer_context(answer: Answer, *, is_paged: bool = False) -> dict[str, Any]:
    """Return the context of the template `records/_answer.html` for an answer.

    A table has at most `MOST_ROWS` rows, unless the answer is a page of a list (``is_paged``).
    """
    most = len(answer.rows) if is_paged else MOST_ROWS
    columns = _columns(answer)
    query = urlencode({**answer.filters, "lang": get_language()}, doseq=True)
    address = f"{reverse(f'api:statistics-{answer.id}')}?{query}&format="
    forms = [("JSON", f"{address}json"), ("CSV", f"{address}csv")]
    if answer.chart:
        forms.append(("Vega-Lite", f"{address}vega-lite"))
    return {
        "answer": answer,
        "told": tell(answer),
        "spec": f"{address}vega-lite",
        "forms": forms,
        "heads": [
            {
                "title": column.title,
                # A sum has its units in the cell.
                "unit": "" if column.kind == "count" and column.size > 1 else column.shown_unit,
                "definition": column.definition,
                "figure": column.kind in _NUMERIC,
            }
            for column, _bounds in columns
        ],
        "rows": [
            [_cell(row, column, bounds, answer) for column, bounds in columns]
            for row in answer.rows[:most]
        ],
        "more": max(0, len(answer.rows) - most),
        "folded": len(_drawn(answer)) > OPEN and _is_by_row(answer),
        "drawn": len(_drawn(answer)),
        "key": sorted(_key(answer), key=lambda legend_item: _MARKS.index(legend_item[0])),
        "height": height(answer),
        "tall": height(answer, tall=True),
    }


def _columns(answer: Answer) -> list[tuple[Column, tuple[Column, Column] | None]]:
    """Return the visible columns, each with the columns of the bounds, if any.

    Ids are hidden if a column has names. Bounds are shown inside the cells of the bounded column.
    Estimates come before counts, because a phone shows the first columns.
    """
    has_names = any(column.kind == "text" for column in answer.columns)
    columns_by_id = {column.id: column for column in answer.columns}
    visible: list[tuple[Column, tuple[Column, Column] | None]] = []
    bounds: set[str] = set()
    for column in answer.columns:
        if column.id in bounds or (has_names and column.kind == "id"):
            continue
        low, high = (columns_by_id.get(f"{column.id}_{side}") for side in ("low", "high"))
        if low and high:
            bounds |= {low.id, high.id}
        visible.append((column, (low, high) if low and high else None))
    first = 1 + next((at for at, (column, _) in enumerate(visible) if column.kind == "text"), 0)
    if bounds:
        visible[first:] = sorted(visible[first:], key=lambda pair: pair[0].kind == "count")
    return visible


def _player(answer: Answer) -> str:
    """Return the beginning of the address of a player's figures in the same ruleset."""
    ruleset = answer.filters.get("ruleset")
    return f"{reverse('statistics', args=[ruleset])}?player=" if ruleset else ""


def _cell(
    row: Row, column: Column, bounds: tuple[Column, Column] | None, answer: Answer
) -> dict[str, Any]:
    value = row.get(column.id)
    units = labels.units(str(answer.filters.get("ruleset", "")))
    player = _player(answer)
    cell: dict[str, Any] = {
        "text": _format_cell(value, column, units),
        "figure": column.kind in _NUMERIC,
        "flag": column.kind == "flag" and bool(value),
    }
    if column.id in ("day", "month") and isinstance(value, str):
        cell["text"] = played(value)
    if column.id == "game":  # the value is a key; other columns describe the game
        words = _("score sheet") if row.get("sheet") else _("replay")
        cell |= {"text": words, "href": f"{reverse('game', args=[value])}?at={row['at']}"}
    if column.id == "player" and player:
        cell["href"] = f"{player}{quote(str(value))}"
    if bounds and value is not None:
        low, high = (row.get(bound.id) for bound in bounds)
        if low is not None and high is not None:
            cell["low"] = _format_cell(low, column, units)
            cell["high"] = _format_cell(high, column, units)
    return cell


def _format_cell(value: Any, column: Column, units: Units | None) -> str:
    """Return a value for people: a sum of a ruleset with kan in both units, a mean in kan."""
    if value is not None and column.unit:
        if column.kind == "number":
            return figures.mean(value, column.size)
        if column.size > 1:
            return amount(value, units=units).removeprefix("+")
    return format_value(value, column.kind)


def format_value(value: str | int | float | bool | None, kind: str) -> str:
    """Return a value for people: ``1,234``, ``−0.52``, ``35.2 %``, ``1 in 46``; ``–`` for None."""
    if value is None:
        return "–"
    if kind == "flag":
        return _("yes") if value else _("no")
    if isinstance(value, str):
        return value
    if kind == "rate":
        return figures.percent(value)
    if kind == "one-in":
        return figures.odds(value)
    if kind == "number" and not isinstance(value, int):
        return figures.decimal(value, 2)
    return figures.number(value, 0)


def height(answer: Answer, *, tall: bool = False) -> int:
    """Return the height in px reserved for a chart, to keep the page still; 0 without a chart.

    A chart has at least `LEAST_DRAWN` rows, one of days `LEAST_DAYS`.

    ``tall``: on a phone, with long labels above the marks.
    """
    rows = _drawn(answer)
    least = LEAST_DAYS if answer.id == "calendar" else LEAST_DRAWN
    if not answer.chart or not answer.n or len(rows) < least:
        return 0
    height = answer.chart.get("height", _HEIGHT)
    if not _is_by_row(answer):
        return int(height)
    label = _label(answer.chart)
    labels = {str(row.get(label)) for row in rows}
    above = _LABEL if tall and any(_wide(text) for text in labels) else 0
    return _AROUND + (int(height["step"]) + above) * len(labels)


def _drawn(answer: Answer) -> Sequence[Row]:
    return answer.rows if answer.drawn is None else answer.drawn


def _is_by_row(answer: Answer) -> bool:
    """Return whether each row of the answer has a row of the chart of its own."""
    return isinstance(answer.chart.get("height"), Mapping)


def _wide(label: str) -> bool:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in label) > _SHORT_LABEL


def _key(answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield the legend of a chart of estimates: the class of each mark, and its words."""
    if answer.chart.get("encoding", {}).get("y", {}).get("type") != "nominal":
        return
    titles = {column.id: column.title for column in answer.columns}
    for part in answer.chart.get("layer", ()):
        kind, encoding = part["mark"]["type"], part["encoding"]
        if kind == "point":
            words = {"title": titles[encoding["x"]["field"]]}
            yield "dot", _("%(title)s, with its 95 %% interval") % words
            if "condition" in encoding.get("shape", {}):
                yield "diamond", _("differs beyond chance")
        elif kind == "tick":
            yield "tick", titles[encoding["x"]["field"]]


def _label(chart: Mapping[str, Any]) -> str:
    """Return the column whose values label the rows of a chart."""
    parts = (chart, *chart.get("layer", ()))
    fields = (part.get("encoding", {}).get("y", {}).get("field") for part in parts)
    return next((str(field) for field in fields if field), "")
