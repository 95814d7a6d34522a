"""Cells of insights: a metric of the selected cases by up to two dimensions, by SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import duckdb
import numpy as np

from kafu.odds.exact import house_hands
from kafu.rules.rulesets import RULESETS
from records.models import EventName, Rating
from records.privacy.redaction import archive_redaction
from records.search.filters import profiles
from records.statistics.dimensions import BAND, DIMENSIONS, Dimension
from records.statistics.intervals import (
    LEAST,
    DealSums,
    are_extremes_apart,
    chance_of_difference,
)
from records.statistics.metrics import METRICS, Metric
from records.statistics.questions import Question, house_options, read_place
from records.statistics.selection import PAIRS, PLAYED, Selection, find_unnamed_players

#: Orders of rows.
USUAL, LOW, HIGH = SORTS = ("usual", "low", "high")
#: The parameters that name dimensions.
BY: Final = ("by", "by2")
#: Maximum rows of a chart.
_DRAWN: Final = 40
#: The highest band of ratings.
_HIGHEST_BAND: Final = 10_000

#: The numbers of a cell in SQL, and SQL for their values if each deal has one case.
_NUMBERS: Final = {
    "n": "n",
    "total": "total",
    "deals": "n",
    "squares": "squares",
    "products": "total",
    "sizes": "n",
}


class Cell(NamedTuple):
    """The codes of a cell, the number and the sum of its values, and their sums over deals."""

    codes: tuple[Any, ...]
    n: int
    total: int
    deals: DealSums

    @property
    def mean(self) -> float:
        """The mean of the values."""
        return self.total / self.n


def metric_of(question: Question) -> Metric:
    """Return the metric of a query."""
    return METRICS[question.own["metric"]]


def dimensions_of(question: Question) -> tuple[Dimension, ...]:
    """Return the dimensions of a query."""
    return tuple(DIMENSIONS[question.own[name]] for name in BY if question.own[name])


@dataclass(frozen=True, slots=True)
class Tabulated:
    """A page of cells, and the ``drawn`` cells with the most cases, both in their order.

    ``cells`` is the number of all cells, ``cases`` the number of all cases, ``known`` the sum of
    the cases in cells. A case with several values is in several cells. ``extremes`` are the cells
    with the highest and the lowest value among cells of at least `LEAST` cases, and whether
    they differ beyond chance; None for fewer than two such cells.
    """

    page: Sequence[Cell]
    drawn: Sequence[Cell]
    cells: int
    cases: int
    known: int
    extremes: tuple[Cell, Cell, bool] | None


def tabulate(selection: Selection) -> Tabulated:
    """Return the requested page of cells."""
    question = selection.question
    dimensions = dimensions_of(question)
    values = {"yaku": question.own["yaku"] or "", "least": question.own["n_min"]}
    values |= _house_yaku(question) | _house_values(question)
    names = [name for name, _dimension in _name_codes(dimensions)]
    with selection.snapshot.open_cursor() as database:

        def fetch(sql: str) -> list[tuple[Any, ...]]:
            return selection.execute(database, sql, **values)

        def fetch_cells(source: str) -> list[Cell]:
            rows = fetch(f"SELECT {', '.join((*names, *_NUMBERS))} FROM {source}")
            parts = [(row[: len(names)], map(int, row[len(names) :])) for row in rows]
            return [Cell(codes, next(sums), next(sums), DealSums(*sums)) for codes, sums in parts]

        joins = _register_names(database, dimensions)
        fetch(f"CREATE TEMP TABLE counted AS {_count_cases(selection, dimensions)}")
        fetch(f"CREATE TEMP TABLE coded AS {_select_codes(dimensions, joins)}")
        source = "coded"
        if _may_share_deals(question):
            source = "of_deals"
            table = metric_of(question).table
            into = f"CREATE TEMP TABLE {source} AS"
            # Grouping by deal needs little memory in pieces.
            for rows in selection.split_rows(table):
                fetch(f"{into} {_select_deals(question, dimensions, rows)}")
                into = f"INSERT INTO {source}"
        fetch(f"CREATE TEMP TABLE cells AS {_select_cells(dimensions, source)}")
        ((cases,),) = fetch("SELECT coalesce(sum(n), 0) FROM counted")
        ((known_count,),) = fetch("SELECT coalesce(sum(n), 0) FROM cells")
        shown = f"(SELECT * FROM cells WHERE {_make_shown_condition(dimensions)})"
        ((count,),) = fetch(f"SELECT count(*) FROM {shown}")
        usual = [
            name if dimension.ordered else f"cases_of_{name} DESC, {name}"
            for name, dimension in _name_codes(dimensions)
        ]
        order = ", ".join((*_value_order(question), *usual)) or "n"
        (start,) = read_place(question, 1)
        limit = f"LIMIT {question.own['page_size']} OFFSET {start}"
        page = fetch_cells(f"{shown} ORDER BY {order} {limit}")
        most = ", ".join(("n DESC", *usual))
        frequent = f"(SELECT * FROM {shown} ORDER BY {most} LIMIT {_DRAWN})"
        drawn = fetch_cells(f"{frequent} ORDER BY {order}")
        compared = f"{shown} WHERE n >= {LEAST} ORDER BY total / n"
        ordered = fetch_cells(", ".join((compared, *usual)))
        extremes = None
        if len(ordered) > 1:
            low, *_between, high = ordered
            statement = _select_changes(selection, dimensions)
            for name, cell in (("high", high), ("low", low)):
                codes = zip(names, cell.codes, strict=True)
                values |= {f"{name}_{by}": code for by, code in codes} | {f"{name}_n": cell.n}
            values["mean"] = (high.total + low.total) / (high.n + low.n)
            ((squares, fourths),) = fetch(statement)
            chance = chance_of_difference(high.mean - low.mean, squares, fourths)
            extremes = high, low, are_extremes_apart(chance, len(ordered))
    return Tabulated(page, drawn, count, int(cases), int(known_count), extremes)


def _value_order(question: Question) -> Sequence[str]:
    if question.own["sort"] == USUAL:
        return ()
    return (f"total / n {'' if question.own['sort'] == LOW else 'DESC'}",)


def _house_yaku(question: Question) -> dict[str, list[str]]:
    """Return dealt-hand yaku of other houses and their names in the query's house."""
    if not question.ruleset or RULESETS[question.ruleset].dealt is None:
        return {"other_yaku": [], "house_yaku": []}
    names = house_hands(question.ruleset, house_options(question))[0].names
    renamed = {id: name for id, name in names.items() if id != name}
    return {"other_yaku": [*renamed], "house_yaku": [*renamed.values()]}


def _house_values(question: Question) -> dict[str, Any]:
    """Return the option that distinguishes rows, and its default in each house."""
    name = question.own["rule"]
    if not name:
        return {}
    houses = profiles(question.ruleset)
    defaults = [RULESETS[question.ruleset].defaults(house)[name] for house in houses]
    return {"option": rf" {name}=(\S+)", "houses": [*houses], "defaults": defaults}


def _select_cases(question: Question, rows: str) -> str:
    """Return a SELECT of the rows that the metric counts, with their values."""
    metric = metric_of(question)
    conditions = ["scored" if metric.sitting_out else PLAYED]
    if metric.condition:
        conditions.append(metric.condition)
    if metric.once and is_of_deals(question):
        conditions.append("place = 1")
    return f"SELECT *, {metric.value} AS value FROM {rows} WHERE {' AND '.join(conditions)}"


def is_of_deals(question: Question) -> bool:
    """Return whether nothing in a query distinguishes the seats of a deal."""
    by_deal = all(dimension.of_deal for dimension in dimensions_of(question))
    return by_deal and not question.player and not question.seat


def _may_share_deals(question: Question) -> bool:
    """Return whether a cell of a query may have several cases of a deal, or of a game."""
    metric, dimensions = metric_of(question), dimensions_of(question)
    is_of_seats = metric.table in ("seats", PAIRS) and not metric.of_game
    if not is_of_seats or any(dimension.spread for dimension in dimensions):
        return True
    if metric.table == PAIRS and not any(dimension.table == PAIRS for dimension in dimensions):
        return True  # A seat has a case with each payer.
    is_of_one_seat = question.player or question.seat or (metric.once and is_of_deals(question))
    return not (is_of_one_seat or any(dimension.of_one_seat for dimension in dimensions))


def _count_cases(selection: Selection, dimensions: Sequence[Dimension]) -> str:
    """Return a SELECT of a row for each combination of the columns that dimensions read.

    Lists, joins and codes are computed for these rows, which are far fewer than the cases.
    """
    question = selection.question
    metric = metric_of(question)
    # A rate counts zeros and ones, and both equal their squares.
    squares = "sum(value)" if metric.kind == "rate" else "sum(value::BIGINT * value)"
    return f"""
        SELECT {"".join(f"{name}, " for name in _list_columns(dimensions))}
            count(*) AS n, sum(value) AS total, {squares} AS squares
        FROM ({_select_cases(question, selection.rows(metric.table))})
        GROUP BY ALL HAVING n > 0
    """


def _list_columns(dimensions: Sequence[Dimension]) -> list[str]:
    """Return the columns of facts that dimensions read, each once."""
    return [*dict.fromkeys(name for item in dimensions for name in item.columns.split())]


def _select_codes(dimensions: Sequence[Dimension], joins: Sequence[str]) -> str:
    """Return a SELECT of the counted rows with their codes; a row for each element of a list."""
    spread = {
        name: sql for dimension in dimensions for name, sql in (dimension.spread or {}).items()
    }
    rows = "SELECT * FROM counted"
    for name, sql in spread.items():
        # Two lists in the same SELECT would be unnested in parallel.
        rows = f"SELECT *, unnest({sql}) AS {name} FROM ({rows})"
    columns = [f"spread.{name}" for name in _list_columns(dimensions)]
    codes = [f"{dimension.sql} AS {name}" for name, dimension in _name_codes(dimensions)]
    return f"""
        WITH spread AS ({rows})
        SELECT {", ".join((*columns, *codes, "n", "total", "squares"))}
        FROM spread {" ".join(joins)}
    """


def _select_deals(question: Question, dimensions: Sequence[Dimension], rows: str) -> str:
    """Return a SELECT of the combinations of known codes in ``rows``, with sums over deals.

    The sums of a metric ``of_game`` are over games.
    """
    names = "".join(f"{name}, " for name, _dimension in _name_codes(dimensions))
    case = "cases.game" if metric_of(question).of_game else "cases.game, cases.deal"
    return f"""
        SELECT {names} sum(n) AS n, sum(total) AS total, count(*) AS deals,
            sum(total * total) AS squares, sum(total * n) AS products, sum(n * n) AS sizes
        FROM (
            SELECT {names} count(*) AS n, sum(value)::BIGINT AS total
            FROM ({_select_cases(question, rows)}) AS cases
            {_join_coded(dimensions, "coded")} GROUP BY {names} {case}
        ) GROUP BY ALL
    """


def _join_coded(dimensions: Sequence[Dimension], coded: str) -> str:
    """Return the join of cases with a table of the columns that dimensions read."""
    conditions = [
        f"{coded}.{name} IS NOT DISTINCT FROM cases.{name}" for name in _list_columns(dimensions)
    ]
    return f"JOIN {coded} ON {' AND '.join(conditions)}" if conditions else ""


def _select_cells(dimensions: Sequence[Dimension], source: str) -> str:
    """Return a SELECT of the combinations of known codes, with the cases of each code."""
    named = _name_codes(dimensions)
    totals = [
        f"sum(sum(n)) OVER (PARTITION BY {name}) AS cases_of_{name}"
        for name, dimension in named
        if not dimension.ordered
    ]
    names = [name for name, _dimension in named]
    is_of_deals = source != "coded"
    sums = [
        f"sum({name if is_of_deals else single}) AS {name}" for name, single in _NUMBERS.items()
    ]
    is_known = " AND ".join(f"{name} IS NOT NULL" for name in names) or "true"
    return f"""
        SELECT {", ".join((*names, *sums, *totals))} FROM {source} WHERE {is_known}
        {f"GROUP BY {', '.join(names)}" if names else "HAVING count(*) > 0"}
    """


def _select_changes(selection: Selection, dimensions: Sequence[Dimension]) -> str:
    """Return a SELECT of sums of second and fourth powers, over games.

    The powers are of the change that a game makes to the difference of the cells ``$high`` and
    ``$low``, if both have the same ``$mean``. A game may have cases in both cells.
    """
    columns, named = _list_columns(dimensions), _name_codes(dimensions)
    counts = [
        f"count(*) FILTER ({' AND '.join(f'{by} = ${cell}_{by}' for by, _dimension in named)})"
        f" AS {cell}"
        for cell in ("high", "low")
    ]
    question = selection.question
    cases = _select_cases(question, selection.rows(metric_of(question).table))
    return f"""
        WITH places AS (
            SELECT {", ".join((*columns, *counts))} FROM coded GROUP BY ALL HAVING high + low > 0
        ),
        changes AS (
            SELECT sum((value - $mean) * (high / $high_n - low / $low_n)) AS change
            FROM ({cases}) AS cases {_join_coded(dimensions, "places")} GROUP BY cases.game
        )
        SELECT sum(change ** 2), sum(change ** 4) FROM changes
    """


def _name_codes(dimensions: Sequence[Dimension]) -> list[tuple[str, Dimension]]:
    """Return dimensions with the column names of their codes."""
    return [(f"by{number}", dimension) for number, dimension in enumerate(dimensions)]


def _make_shown_condition(dimensions: Sequence[Dimension]) -> str:
    """Return the condition for visible cells: enough cases, of players who may be named."""
    conditions = ["n >= $least"]
    for name, dimension in _name_codes(dimensions):
        unnamed = find_unnamed_players() if dimension.id in ("player", "opponent") else []
        if unnamed:
            conditions.append(f"{name} NOT IN ({', '.join(map(str, unnamed))})")
    return " AND ".join(conditions)


def _register_names(
    database: duckdb.DuckDBPyConnection, dimensions: Sequence[Dimension]
) -> list[str]:
    """Load the event and rating data that dimensions need; return the joins that add it."""
    ids = {dimension.id for dimension in dimensions}
    joins = []
    if "event" in ids:
        database.register("event_groups", _group_events())
        joins.append("LEFT JOIN event_groups USING (event)")
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


def _group_events() -> dict[str, Any]:
    """Map each event id to the first event id with the same display name."""
    redaction = archive_redaction()
    first: dict[str, int] = {}
    rows = list(EventName.objects.order_by("pk").values_list("pk", "text"))
    groups = [first.setdefault(redaction.event_key(text), pk) for pk, text in rows]
    return {
        "event": np.array([pk for pk, _text in rows], "i4"),
        "event_group": np.array(groups, "i4"),
    }


def _load_ratings(database: duckdb.DuckDBPyConnection) -> str:
    """Load the ratings of all players into a temporary table and return its name.

    A rating applies to games of later months.
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
