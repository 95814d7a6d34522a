"""The response to a statistics query: a self-describing table, its CSV and its chart.

Rows are plain values by column id, the same for JSON, CSV, pages and charts. Unknown values are
None, never 0.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from records.base.csv_cells import safe_cell
from records.statistics.charts import Chart
from records.statistics.intervals import Estimate

Value = str | int | float | bool | None
Row = Mapping[str, Value]
#: The keys and sums of a row by name.
Case = Mapping[str, Any]


class Unit(str):
    """A small unit and the ``large`` unit that people read: ``size`` points are one kan (12)."""

    large: str
    size: int

    def __new__(cls, small: str, large: str = "", size: int = 1) -> Unit:
        """Return the unit ``small``, alone or as a part of a ``large`` unit."""
        unit = super().__new__(cls, small)
        unit.large, unit.size = large or small, size
        return unit


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an answer.

    ``kind`` is one of `records.shapes.statistics.KINDS`, ``unit`` the unit of the numbers ("" for
    none). ``title``, ``unit`` and ``definition`` are in the language of the request. Values are in
    the small unit; pages and charts divide them by ``size`` and show them in `shown_unit`.

    Values are computed from cases by one of three functions: ``value``, by default the number with
    the id of the column; ``estimate``, whose interval has two more columns; or ``chance``, the
    probability of the case, from which the flags of all rows follow.
    """

    id: str
    title: str
    kind: str
    unit: str = ""
    definition: str = ""
    value: Callable[[Case], Value] | None = None
    estimate: Callable[[Case], Estimate] | None = None
    chance: Callable[[Case], float | None] | None = None

    @property
    def shown_unit(self) -> str:
        """The unit that people read: kan in rulesets with kan."""
        return self.unit.large if isinstance(self.unit, Unit) else self.unit

    @property
    def size(self) -> int:
        """The number of small units in `shown_unit`."""
        return self.unit.size if isinstance(self.unit, Unit) else 1

    @property
    def shown_title(self) -> str:
        """The title with the unit that people read."""
        return f"{self.title} ({self.shown_unit})" if self.unit else self.title


@dataclass(frozen=True, slots=True)
class Extremes:
    """The rows with the ``highest`` and the ``lowest`` value, and whether they differ.

    ``is_apart``: beyond chance, given the number of rows.
    """

    highest: Row
    lowest: Row
    is_apart: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to a statistics query.

    - ``filters`` are the parameters of the query; ``games`` and ``deals_played`` count the selected
      games and deals, ``as_of`` is the time of their last change, ``n`` the total of all rates.
    - ``basis`` extends the ``definition`` by the method of computation. ``notes`` are sentences.
    - ``chart`` describes the chart, ``drawn`` are its rows (None for all).
    - ``next`` is the ``cursor`` of the next page, empty without one, ``total`` the number of rows
      of all pages.
    - ``extremes`` are two rows of all pages, if the figure compares them.
    """

    id: str
    title: str
    definition: str
    formula: str
    filters: Mapping[str, str | list[str]]
    games: int
    deals_played: int
    n: int
    as_of: datetime | None
    columns: Sequence[Column]
    rows: Sequence[Row]
    basis: str = ""
    notes: Sequence[str] = ()
    chart: Chart | None = None
    drawn: Sequence[Row] | None = None
    next: str = ""
    total: int = 0
    extremes: Extremes | None = None

    @property
    def drawn_rows(self) -> Sequence[Row]:
        """The rows in the chart."""
        return self.rows if self.drawn is None else self.drawn


def find_column(columns: Iterable[Column], id: str) -> Column:
    """Return the column with an id."""
    return next(column for column in columns if column.id == id)


def to_csv(answer: Answer) -> str:
    """Return all rows as CSV (RFC 4180) below a header with the ids of the columns.

    The text starts with a BOM, by which spreadsheets recognise UTF-8. Numbers are as in JSON, flags
    ``true`` and ``false``, unknown values empty. Texts are never formulas
    (`records.base.csv_cells`).
    """
    text = io.StringIO()
    text.write("\ufeff")
    writer = csv.writer(text)
    ids = [column.id for column in answer.columns]
    writer.writerow(ids)
    writer.writerows([_csv_cell(row[id]) for id in ids] for row in answer.rows)
    return text.getvalue()


def _csv_cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return safe_cell(value) if isinstance(value, str) else repr(value)
