"""Answers of the statistics for pages: a chart, and a table below the chart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from records.base import labels
from records.base.dates import played
from records.pages.statistics.charts import draw_chart
from records.pages.statistics.sentences import tell
from records.pages.statistics.values import format_cell
from records.statistics.answer import Answer, Column, Row, find_column
from records.statistics.charts import Days, Estimates, Labelled

#: Maximum number of rows of a chart that is not folded, and of a table; CSV and JSON have all.
OPEN: Final = 24
MOST_ROWS: Final = 24
#: Minimum number of rows of a chart, and of a chart of days.
LEAST_DRAWN: Final = 3
LEAST_DAYS: Final = 10
_NUMERIC: Final = ("count", "number", "rate", "one-in")


def answer_context(answer: Answer, *, is_paged: bool = False) -> dict[str, Any]:
    """Return the context of the template `records/_answer.html` for an answer.

    A table has at most `MOST_ROWS` rows, unless the answer is a page of a list (``is_paged``).
    """
    most = len(answer.rows) if is_paged else MOST_ROWS
    columns = _columns(answer)
    query = urlencode({**answer.filters, "lang": get_language()}, doseq=True)
    address = reverse(f"api:statistics-{answer.id}")
    forms = [("JSON", f"{address}?{query}"), ("CSV", f"{address}.csv?{query}")]
    return {
        "answer": answer,
        "told": tell(answer),
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
        "chart": draw_chart(answer) if _has_chart(answer) else "",
        "folded": len(answer.drawn_rows) > OPEN and isinstance(answer.chart, Labelled),
        "drawn": len(answer.drawn_rows),
        "key": [*_key(answer)],
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
        "text": format_cell(value, column, units),
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
            cell["low"] = format_cell(low, column, units)
            cell["high"] = format_cell(high, column, units)
    return cell


def _has_chart(answer: Answer) -> bool:
    """Return whether an answer has enough rows for its chart."""
    least = LEAST_DAYS if isinstance(answer.chart, Days) else LEAST_DRAWN
    return bool(answer.chart and answer.n) and len(answer.drawn_rows) >= least


def _key(answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield the legend of a chart of estimates: the class of each mark in it, and its words."""
    chart = answer.chart
    if isinstance(chart, Estimates):
        yield "dot", _("measured; the line shows where the true value probably lies")
        if chart.baseline:
            yield "tick", find_column(answer.columns, chart.baseline).title
        if any(row.get(chart.flag) for row in answer.drawn_rows):
            yield "diamond", _("more than chance")
