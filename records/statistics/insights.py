"""Insights: any metric by one or two dimensions, as a figure like the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import duckdb
import numpy as np
from django.db.models import Count, Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.facts.refresh import find_due
from records.models import EventName, Player, Rating
from records.privacy.redaction import of_archive
from records.search.selection import cursor, read_cursor
from records.statistics.answer import Column
from records.statistics.charts import Spec, estimates
from records.statistics.definition import FILTERS, Figure, Result
from records.statistics.dimensions import BAND, Dimension
from records.statistics.estimates import Values, counted, estimated, parts_of, put, unit
from records.statistics.gather import Gathered, gather
from records.statistics.insight_parameters import (
    BY,
    LOW,
    PARAMETERS,
    USUAL,
    dimensions_of,
    find_faults,
    metric_of,
)
from records.statistics.intervals import mean, wilson
from records.statistics.player_lists import extended
from records.statistics.questions import Question
from records.statistics.selection import Selection

#: Maximum rows of a chart.
_DRAWN: Final = 40
_LABEL: Final = "label"
#: Kinds of columns that the label of a row contains already.
_IN_LABELS: Final = ("id", "text")
#: The highest band of ratings.
_HIGHEST_BAND: Final = 10_000


@dataclass(frozen=True, slots=True)
class Cell:
    """The cases with the same codes: their number, the sum of their values, and of the squares."""

    codes: tuple[Any, ...]
    n: int
    total: int
    squares: int


@dataclass(frozen=True, slots=True)
class Tabulated:
    """A page of cells in their order, and the ``drawn`` cells with most cases.

    ``cells`` is the number of all cells, ``cases`` that of all cases, ``known`` that of the cases
    in a cell: a case with several values is in several.
    """

    page: Sequence[Cell]
    drawn: Sequence[Cell]
    cells: int
    cases: int
    known: int


@dataclass(frozen=True, slots=True)
class GatheredInsight(Gathered):
    """Games, and the selection of their facts; None for an unknown player."""

    selection: Selection | None = field(default=None)


def gather_insight(question: Question) -> Gathered:
    """Return the games of a query; nothing of their facts is counted yet."""
    found = gather(question)
    selection = Selection(question)
    gathered: GatheredInsight = extended(
        GatheredInsight, found, stamp=_ratings_version(), selection=selection
    )
    return gathered


# The query ----------------------------------------------------------------------------------------


def tabulate(selection: Selection) -> Tabulated:
    """Return the page of cells that a query wants."""
    question = selection.question
    dimensions = dimensions_of(question)
    size = question.own["page_size"]
    start = read_cursor(question.own["cursor"], 1)[1][0] if question.own["cursor"] else 0
    values = {"yaku": question.own["yaku"] or "", "least": question.own["n_min"]}
    names = [f"by{number}" for number in range(len(dimensions))]
    with selection.snapshot.open_cursor() as database:
        sources = _register_names(database, dimensions)
        selection.execute(database, _case_statement(selection, dimensions, sources), **values)
        cases = _first_number(database, f"SELECT count(*) FROM ({_cases(selection)})", selection)
        known = _first_number(database, "SELECT coalesce(sum(n), 0) FROM cells", selection)
        shown = f"(SELECT * FROM cells WHERE {_shown(dimensions)})"
        count = _first_number(database, f"SELECT count(*) FROM {shown}", selection, **values)
        columns = ", ".join((*names, "n", "total", "squares"))
        usual = [
            name if dimension.ordered else f"cases_of_{name} DESC, {name}"
            for name, dimension in zip(names, dimensions, strict=True)
        ]
        order = ", ".join((*_value_order(question), *usual)) or "n"
        page = selection.execute(
            database,
            f"SELECT {columns} FROM {shown} ORDER BY {order} LIMIT {size} OFFSET {start}",
            **values,
        )
        most = selection.execute(
            database,
            f"SELECT {columns} FROM {shown} ORDER BY n DESC, {', '.join(usual) or 'n'}"
            f" LIMIT {_DRAWN}",
            **values,
        )
    return Tabulated(_to_cells(page), _to_cells(most), count, cases, known)


def _to_cells(rows: Sequence[tuple[Any, ...]]) -> list[Cell]:
    return [Cell(tuple(codes), n, int(total), int(squares)) for *codes, n, total, squares in rows]


def _first_number(
    database: duckdb.DuckDBPyConnection, sql: str, selection: Selection, **values: Any
) -> int:
    return int(selection.execute(database, sql, **values)[0][0])


def _value_order(question: Question) -> Sequence[str]:
    if question.own["sort"] == USUAL:
        return ()
    return (f"total / n {'' if question.own['sort'] == LOW else 'DESC'}",)


def _cases(selection: Selection) -> str:
    """Return a SELECT of the rows that are cases of the metric."""
    metric = metric_of(selection.question)
    conditions = ["scored", "place > 0"]
    if metric.condition:
        conditions.append(metric.condition)
    if metric.once and _is_of_deals(selection.question):
        conditions.append("place = 1")
    return f"SELECT * FROM {selection.rows(metric.table)} WHERE {' AND '.join(conditions)}"


def _is_of_deals(question: Question) -> bool:
    """Return whether nothing in a query distinguishes the seats of a deal."""
    by_deal = all(dimension.of_deal for dimension in dimensions_of(question))
    return by_deal and not question.player and not question.seat


def _case_statement(
    selection: Selection, dimensions: Sequence[Dimension], joins: Sequence[str]
) -> str:
    """Return the statement that makes the table ``cells``.

    It has a row for each combination of codes, with the cases of each code besides.
    """
    metric = metric_of(selection.question)
    spread = {
        name: sql for dimension in dimensions for name, sql in (dimension.spread or {}).items()
    }
    spreads = "".join(f", unnest({sql}) AS {name}" for name, sql in spread.items())
    codes = [f"{dimension.sql} AS by{n}" for n, dimension in enumerate(dimensions)]
    names = [f"by{n}" for n in range(len(dimensions))]
    is_known = " AND ".join(f"{name} IS NOT NULL" for name in names) or "true"
    totals = [
        f"sum(n) OVER (PARTITION BY {name}) AS cases_of_{name}"
        for name, dimension in zip(names, dimensions, strict=True)
        if not dimension.ordered
    ]
    group = f"GROUP BY {', '.join(names)}" if names else "HAVING count(*) > 0"
    return f"""
        CREATE TEMP TABLE cells AS
        WITH cases AS ({_cases(selection)}),
        spread AS (SELECT *{spreads} FROM cases),
        coded AS (
            SELECT {", ".join((*codes, f"{metric.value} AS value"))}
            FROM spread {" ".join(joins)}
        ),
        counted AS (
            SELECT {", ".join((*names, "count(*) AS n", "sum(value) AS total"))},
                sum(value::BIGINT * value) AS squares
            FROM coded WHERE {is_known} {group}
        )
        SELECT {", ".join(("*", *totals))} FROM counted
    """


def _shown(dimensions: Sequence[Dimension]) -> str:
    """Return the condition of cells to show: enough cases, of players who may be named."""
    conditions = ["n >= $least"]
    unnamed = Player.objects.order_by().filter(statistics=False)
    for number, dimension in enumerate(dimensions):
        if dimension.id in ("player", "opponent"):
            keys = ", ".join(map(str, unnamed.values_list("pk", flat=True)))
            conditions.append(f"by{number} NOT IN ({keys or 'NULL'})" if keys else "true")
    return " AND ".join(conditions)


def _register_names(
    database: duckdb.DuckDBPyConnection, dimensions: Sequence[Dimension]
) -> list[str]:
    """Make what dimensions need besides facts available; return the joins that add it."""
    ids = {dimension.id for dimension in dimensions}
    joins = []
    if "event" in ids:
        database.register("event_groups", _event_groups())
        joins.append("JOIN event_groups USING (event)")
    for id, band, player in (
        ("rating", "own_band", "player"),
        ("opponent_rating", "other_band", "other"),
    ):
        if id in ids:
            table = _load_ratings(database)
            joins.append(
                "ASOF LEFT JOIN (SELECT ruleset AS rules, rated, rated_month,"
                f" band AS {band} FROM {table})"
                f" AS {id} ON {id}.rules = spread.ruleset AND {id}.rated = spread.{player}"
                f" AND {id}.rated_month < spread.played"
            )
    return joins


def _event_groups() -> dict[str, Any]:
    """Map each event's id to the first id of an event that is shown alike."""
    redaction = of_archive()
    first: dict[str, int] = {}
    rows = list(EventName.objects.order_by("pk").values_list("pk", "text"))
    groups = [first.setdefault(redaction.event_key(text), pk) for pk, text in rows]
    return {
        "event": np.array([pk for pk, _text in rows], "i4"),
        "event_group": np.array(groups, "i4"),
    }


def _ratings_version() -> str:
    """Return a text that changes with any rating."""
    found = Rating.objects.order_by().aggregate(n=Count("pk"), last=Max("pk"), at=Max("changed"))
    return f"{found['n']} {found['last']} {found['at']}"


def _load_ratings(database: duckdb.DuckDBPyConnection) -> str:
    """Load the ratings of all players into a table of this cursor and return its name.

    A rating counts for games of later months.
    """
    rows = Rating.objects.order_by().values_list("ruleset", "player", "month", "rating")
    rulesets, players, months, ratings = zip(*rows, strict=True) if rows else ((), (), (), ())
    bands = np.round(np.array(ratings, float)) // BAND * BAND
    columns = {
        "ruleset": np.array(rulesets, dtype=object),
        "rated": np.array(players, "i8"),
        "rated_month": np.array(months, "i4"),
        "band": np.clip(bands, 0, _HIGHEST_BAND).astype("i4"),
    }
    database.register("loaded_ratings", columns)
    database.execute(
        "CREATE TEMP TABLE IF NOT EXISTS ratings AS"
        " SELECT ruleset::VARCHAR AS ruleset, rated, rated_month, band FROM loaded_ratings"
    )
    database.unregister("loaded_ratings")
    return "ratings"


# The response -------------------------------------------------------------------------------------


def _columns(question: Question) -> list[Column]:
    metric, dimensions = metric_of(question), dimensions_of(question)
    small = unit(question.ruleset) if metric.is_sum and question.ruleset else str(metric.unit)
    columns = [
        Column(name, str(dimension.title), "id", "", str(dimension.gloss))
        for name, dimension in zip(BY, dimensions, strict=False)
    ]
    columns += [
        Column(name, str(dimension.title), "text", "", str(dimension.gloss))
        for name, dimension in zip(("name", "name2"), dimensions, strict=False)
    ]
    if not dimensions:
        columns.append(Column("name", _("Situation"), "text"))
    columns.append(counted(_("Cases"), str(metric.cases)))
    if metric.kind == "rate":
        columns.append(Column("count", _("Times"), "count", "", str(metric.gloss)))
    interval = _("Wilson interval.") if metric.kind == "rate" else ""
    words = {"definition": metric.gloss, "formula": interval}
    gloss = _("%(definition)s %(formula)s") % words if interval else str(metric.gloss)
    return [*columns, *estimated("value", str(metric.title), metric.kind, small, gloss)]


def _compute(question: Question, gathered: Gathered) -> Result:
    columns = _columns(question)
    if not isinstance(gathered, GatheredInsight) or gathered.selection is None:
        return Result(columns, [], 0, _chart(question, columns))
    table = tabulate(gathered.selection)
    start = read_cursor(question.own["cursor"], 1)[1][0] if question.own["cursor"] else 0
    rows = _rows(question, table.page)
    following = start + len(rows)
    more = cursor([following]) if following < table.cells else ""
    drawn = [{**row, _LABEL: _label(row)} for row in _rows(question, table.drawn)]
    notes = list(_notes(question, table, rows))
    chart = _chart(question, columns)
    return Result(columns, rows, table.cases, chart, notes, drawn, more, total=table.cells)


def _rows(question: Question, cells: Sequence[Cell]) -> list[Values]:
    metric, dimensions = metric_of(question), dimensions_of(question)
    texts = [
        dimension.texts([cell.codes[number] for cell in cells], question.ruleset)
        for number, dimension in enumerate(dimensions)
    ]
    rows: list[Values] = []
    for number, cell in enumerate(cells):
        row: Values = {}
        for name, title, of_cells in zip(BY, ("name", "name2"), texts, strict=False):
            row[name], row[title] = of_cells[number]
        if not dimensions:
            row["name"] = _("all")
        row["n"] = cell.n
        if metric.kind == "rate":
            row["count"] = cell.total
            row |= put("value", wilson(cell.total, cell.n))
        else:
            row |= put("value", parts_of(mean(cell.n, cell.total, cell.squares), metric.parts))
        rows.append(row)
    return rows


def _label(row: Mapping[str, Any]) -> str:
    return " · ".join(str(row[name]) for name in ("name", "name2") if name in row)


def _notes(question: Question, table: Tabulated, rows: Sequence[Values]) -> Iterator[str]:
    if find_due().exists():
        yield _("Games that came or changed just now are not counted yet.")
    has_spread = any(dimension.spread for dimension in dimensions_of(question))
    if not has_spread and table.known < table.cases:
        words = {"n": f"{table.cases - table.known:,}"}
        yield _("%(n)s cases have no known value and are in no row.") % words
    if metric_of(question).id.startswith("gain"):
        yield _(
            "Players who play on usually have better cards than those who stop: a gain describes "
            "only the deals in which somebody did play on."
        )
    if table.cells > len(table.drawn):
        words = {"drawn": f"{len(table.drawn):,}", "rows": f"{table.cells:,}"}
        yield _("The chart shows the %(drawn)s rows with the most cases, of %(rows)s.") % words
    if any(row["value_low"] is None for row in rows):
        yield _("A mean of fewer than 20 cases, or of equal ones, has no interval.")


def _chart(question: Question, columns: Sequence[Column]) -> Spec:
    label = " · ".join(str(dimension.title) for dimension in dimensions_of(question))
    shown = [column for column in columns if column.kind not in _IN_LABELS]
    axis = Column(_LABEL, label, "text")
    return estimates([axis, *shown], label=_LABEL, value="value", zero=metric_of(question).is_sum)


FIGURE: Final = Figure(
    id="insights",
    title=gettext_lazy("Insights"),
    definition=gettext_lazy(
        "One metric of the selected games, by one or two dimensions: how it differs from seat to "
        "seat, from month to month, against stronger opponents."
    ),
    formula=gettext_lazy("value = count / n, or sum of the values / n"),
    compute=_compute,
    columns=_columns,
    filters=FILTERS,
    any_ruleset=True,
    faults=find_faults,
    page="insights",
    forms=(
        {"metric": "score", "by": "seat", "by2": "month"},
        {"metric": "win_rate", "by": "seat", "by2": "month"},
        {"metric": "win_rate", "by": "", "by2": ""},
    ),
    own=PARAMETERS,
    basis=gettext_lazy(
        "Deals that were dealt again or given up do not count, nor seats that sat out. A case with "
        "several opponents or yaku counts in the row of each. Players who are left out of "
        "statistics by name are in no row."
    ),
    gather=gather_insight,
)
