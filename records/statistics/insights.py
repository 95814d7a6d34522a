"""Insights: a figure that shows any metric by up to two dimensions, with its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import duckdb
import numpy as np
from django.db.models import Count, Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.odds.exact import house_hands, seat_odds
from kafu.rules.rulesets import RULESETS
from records.facts.refresh import find_due
from records.models import EventName, Rating
from records.privacy.redaction import archive_redaction
from records.search.filters import BadParameter, yaku_of
from records.search.selection import cursor
from records.statistics import charts
from records.statistics.answer import Case, Column, Extremes, Row
from records.statistics.columns import average, counted, make_rows, share, unit
from records.statistics.definition import Figure, Result
from records.statistics.dimensions import BAND, DIMENSIONS, RULESET, Dimension, possible_dimensions
from records.statistics.gather import Gathered, gather
from records.statistics.intervals import LEAST as LEAST_CASES
from records.statistics.intervals import are_extremes_apart, chance_of_difference
from records.statistics.metrics import METRICS, Metric
from records.statistics.questions import (
    LEAST,
    Parameter,
    Question,
    choice,
    house_options,
    is_zero_sum,
    one_of,
    paging,
    read_place,
)
from records.statistics.selection import Selection, find_unnamed_players

#: Orders of rows.
USUAL, LOW, HIGH = SORTS = ("usual", "low", "high")
#: The parameters that name dimensions.
BY: Final = ("by", "by2")
#: Maximum rows of a chart.
_DRAWN: Final = 40
_LABEL: Final = "label"
_NAMES: Final = ("name", "name2")
#: The highest band of ratings.
_HIGHEST_BAND: Final = 10_000

#: The codes of a cell, the number of cases, the sum of their values, and the sum of squares.
Cell = tuple[Any, ...]


def metric_of(question: Question) -> Metric:
    """Return the metric of a query."""
    return METRICS[question.own["metric"]]


def dimensions_of(question: Question) -> tuple[Dimension, ...]:
    """Return the dimensions of a query."""
    return tuple(DIMENSIONS[question.own[name]] for name in BY if question.own[name])


def offered_yaku(question: Question) -> Sequence[str]:
    """Return the yaku of the house in the query, or of all houses of the ruleset."""
    all_yaku = yaku_of(question.ruleset)
    house = house_options(question)
    if not house or not all_yaku:
        return all_yaku
    rules = RULESETS[question.ruleset]
    captured = rules.captured_yaku({**rules.defaults(question.profile), **house})
    of_house = {
        *seat_odds(question.ruleset, house),
        *(yaku.id for yaku in captured),
        *(*rules.monthly, *rules.special),
    }
    return [id for id in all_yaku if id in of_house]


def possible_rulesets(metric: Metric) -> list[str]:
    """Return the ids of the rulesets of a metric."""
    return [id for id, rules in RULESETS.items() if metric.table != "choices" or rules.choice]


def is_fixed(question: Question) -> bool:
    """Return whether the rules alone decide the value of every row of a query.

    In a zero-sum ruleset each deal has one winner and scores that add up to zero. In koi-koi the
    scores of a house may add up to zero too, but a deal may have no winner.
    """
    metric = metric_of(question)
    if not (metric.shared and question.ruleset and _is_of_deals(question)):
        return False
    return is_zero_sum(question if metric.is_sum else Question(question.ruleset))


def seat_dimensions(question: Question) -> list[str]:
    """Return the ids of the metric's dimensions that distinguish the seats of a deal."""
    possible = possible_dimensions(metric_of(question))
    return [id for id in possible if not DIMENSIONS[id].of_deal]


def find_faults(question: Question) -> Iterator[BadParameter]:
    """Yield a fault for each parameter that contradicts another, and for a query `is_fixed`."""
    metric = metric_of(question)
    by = [dimension.id for dimension in dimensions_of(question)]
    possible = possible_dimensions(metric)
    for name in BY:
        value = question.own[name]
        if value and value not in possible:
            words = {"value": value, "metric": metric.id, "known": ", ".join(possible)}
            message = _("“%(value)s” is not known of %(metric)s; expected %(known)s.") % words
            yield BadParameter(name, message)
    if question.own["by2"] and not question.own["by"]:
        yield BadParameter("by2", _("expected by too: rows are by this and then by by2."))
    elif len(set(by)) < len(by):
        yield BadParameter("by2", _("expected another dimension than by."))
    if by and is_fixed(question):
        words = {"metric": metric.id, "known": ", ".join(seat_dimensions(question))}
        message = _(
            "By the rules %(metric)s is the same in every row: it adds up to the same in each "
            "month. Expected a dimension of the seat too (%(known)s), player or seat, or another "
            "metric."
        )
        yield BadParameter("by", message % words)
    if question.own["yaku"] and metric.id != "yaku_rate":
        yield BadParameter("yaku", _("expected with metric=yaku_rate only."))
    rulesets = possible_rulesets(metric)
    is_mixed = metric.is_sum and not question.ruleset and RULESET not in by
    if is_mixed or question.ruleset not in (*rulesets, ""):
        words = {"known": ", ".join(rulesets)}
        yield BadParameter("ruleset", _("expected one of %(known)s; or by=ruleset.") % words)


PARAMETERS: Final = (
    choice("metric", gettext_lazy("What is measured."), METRICS, "win_rate"),
    choice("by", gettext_lazy("What tells rows apart; none for one row."), DIMENSIONS, ""),
    choice("by2", gettext_lazy("What tells them apart further."), DIMENSIONS, ""),
    Parameter(
        "yaku",
        gettext_lazy("With `metric=yaku_rate` only this yaku."),
        {"type": "string"},
        one_of(offered_yaku),
    ),
    LEAST,
    choice(
        "sort",
        gettext_lazy(
            "The order of rows: `usual`, by what tells them apart, or those with the most cases "
            "first; by their values, the lowest or the highest first."
        ),
        SORTS,
        USUAL,
    ),
    *paging(1, gettext_lazy("Rows in one answer."), 100),
)


@dataclass(frozen=True, slots=True)
class Tabulated:
    """A page of cells, and the ``drawn`` cells with the most cases, both in their order.

    ``cells`` is the number of all cells, ``cases`` the number of all cases, ``known`` the sum of
    the cases in cells. A case with several values is in several cells. ``extremes`` are the cells
    with the highest and the lowest value among cells of at least `LEAST_CASES` cases, and whether
    they differ beyond chance; None for fewer than two such cells.
    """

    page: Sequence[Cell]
    drawn: Sequence[Cell]
    cells: int
    cases: int
    known: int
    extremes: tuple[Cell, Cell, bool] | None


# The query ----------------------------------------------------------------------------------------


def tabulate(selection: Selection) -> Tabulated:
    """Return the requested page of cells."""
    question = selection.question
    dimensions = dimensions_of(question)
    values = {"yaku": question.own["yaku"] or "", "least": question.own["n_min"]}
    values |= _house_yaku(question)
    names = [name for name, _dimension in _name_codes(dimensions)]
    with selection.snapshot.open_cursor() as database:

        def fetch(sql: str) -> list[Cell]:
            return selection.execute(database, sql, **values)

        joins = _register_names(database, dimensions)
        fetch(f"CREATE TEMP TABLE counted AS {_count_cases(selection, dimensions)}")
        fetch(f"CREATE TEMP TABLE coded AS {_select_codes(dimensions, joins)}")
        fetch(f"CREATE TEMP TABLE cells AS {_select_cells(dimensions)}")
        ((cases,),) = fetch("SELECT coalesce(sum(n), 0) FROM counted")
        ((known,),) = fetch("SELECT coalesce(sum(n), 0) FROM cells")
        shown = f"(SELECT * FROM cells WHERE {_make_shown_condition(dimensions)})"
        ((count,),) = fetch(f"SELECT count(*) FROM {shown}")
        columns = ", ".join((*names, "n", "total", "squares"))
        usual = [
            name if dimension.ordered else f"cases_of_{name} DESC, {name}"
            for name, dimension in _name_codes(dimensions)
        ]
        order = ", ".join((*_value_order(question), *usual)) or "n"
        (start,) = read_place(question, 1)
        limit = f"LIMIT {question.own['page_size']} OFFSET {start}"
        page = fetch(f"SELECT {columns} FROM {shown} ORDER BY {order} {limit}")
        most = ", ".join(("n DESC", *usual))
        frequent = f"(SELECT * FROM {shown} ORDER BY {most} LIMIT {_DRAWN})"
        drawn = fetch(f"SELECT {columns} FROM {frequent} ORDER BY {order}")
        compared = f"SELECT {columns} FROM {shown} WHERE n >= {LEAST_CASES} ORDER BY total / n"
        ordered = fetch(", ".join((compared, *usual)))
        extremes = None
        if len(ordered) > 1:
            low, *_between, high = ordered
            statement = _select_changes(selection, dimensions)
            for name, cell in (("high", high), ("low", low)):
                codes = zip(names, cell, strict=False)
                values |= {f"{name}_{by}": code for by, code in codes} | {f"{name}_n": cell[-3]}
            both = high[-3] + low[-3], high[-2] + low[-2]
            values["mean"] = float(both[1]) / both[0]
            ((squares, fourths),) = fetch(statement)
            gap = float(high[-2]) / high[-3] - float(low[-2]) / low[-3]
            chance = chance_of_difference(gap, squares, fourths)
            extremes = high, low, are_extremes_apart(chance, len(ordered))
    return Tabulated(page, drawn, count, int(cases), int(known), extremes)


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


def _select_cases(selection: Selection) -> str:
    """Return a SELECT of the rows that the metric counts."""
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


def _count_cases(selection: Selection, dimensions: Sequence[Dimension]) -> str:
    """Return a SELECT of a row for each combination of the columns that dimensions read.

    Lists, joins and codes are computed for these rows, which are far fewer than the cases.
    """
    metric = metric_of(selection.question)
    # A rate counts zeros and ones, which are their own squares.
    squares = "sum(value)" if metric.kind == "rate" else "sum(value::BIGINT * value)"
    return f"""
        SELECT {"".join(f"{name}, " for name in _list_columns(dimensions))}
            count(*) AS n, sum(value) AS total, {squares} AS squares
        FROM (SELECT *, {metric.value} AS value FROM ({_select_cases(selection)}))
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
        # Two lists in one SELECT would be walked in step.
        rows = f"SELECT *, unnest({sql}) AS {name} FROM ({rows})"
    columns = [f"spread.{name}" for name in _list_columns(dimensions)]
    codes = [f"{dimension.sql} AS {name}" for name, dimension in _name_codes(dimensions)]
    return f"""
        WITH spread AS ({rows})
        SELECT {", ".join((*columns, *codes, "n", "total", "squares"))}
        FROM spread {" ".join(joins)}
    """


def _select_cells(dimensions: Sequence[Dimension]) -> str:
    """Return a SELECT of the combinations of known codes, with the cases of each code."""
    named = _name_codes(dimensions)
    totals = [
        f"sum(sum(n)) OVER (PARTITION BY {name}) AS cases_of_{name}"
        for name, dimension in named
        if not dimension.ordered
    ]
    names = [name for name, _dimension in named]
    sums = [f"sum({column}) AS {column}" for column in ("n", "total", "squares")]
    is_known = " AND ".join(f"{name} IS NOT NULL" for name in names) or "true"
    return f"""
        SELECT {", ".join((*names, *sums, *totals))} FROM coded WHERE {is_known}
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
    is_place = " AND ".join(f"places.{name} IS NOT DISTINCT FROM cases.{name}" for name in columns)
    value = metric_of(selection.question).value
    return f"""
        WITH places AS (
            SELECT {", ".join((*columns, *counts))} FROM coded GROUP BY ALL HAVING high + low > 0
        ),
        changes AS (
            SELECT sum((value - $mean) * (high / $high_n - low / $low_n)) AS change
            FROM (SELECT *, {value} AS value FROM ({_select_cases(selection)})) AS cases
            JOIN places ON {is_place} GROUP BY cases.game
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


# The response -------------------------------------------------------------------------------------


def _read(question: Question) -> Gathered:
    """Read the games of a query, and which ratings there are; no facts are counted yet."""
    newest = Rating.objects.order_by().aggregate(n=Count("pk"), last=Max("pk"), at=Max("changed"))
    return gather(question, newest)


def _columns(question: Question) -> list[Column]:
    metric, dimensions = metric_of(question), dimensions_of(question)
    small = unit(question.ruleset) if metric.is_sum and question.ruleset else str(metric.unit)
    columns = [
        Column(name, str(dimension.title), kind, "", str(dimension.gloss))
        for names, kind in ((BY, "id"), (_NAMES, "text"))
        for name, dimension in zip(names, dimensions, strict=False)
    ]
    if not dimensions:
        columns.append(Column("name", _("Situation"), "text"))
    columns.append(counted(_("Cases"), str(metric.cases)))
    title, gloss = str(metric.title), str(metric.gloss)
    if metric.kind != "rate":
        return [*columns, average("value", title, small, gloss, parts=metric.parts)]
    words = {"definition": gloss, "formula": _("Wilson interval.")}
    with_formula = _("%(definition)s %(formula)s") % words
    return [
        *columns,
        Column("count", _("Times"), "count", "", gloss),
        share("value", title, with_formula, of="count"),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    if gathered.selection is None:
        return Result([], 0, chart=_draw(question))
    table = tabulate(gathered.selection)
    cases = _to_cases(question, table.page)
    (start,) = read_place(question, 1)
    following = start + len(cases)
    extremes = None
    if table.extremes is not None:
        *cells, is_apart = table.extremes
        high, low = make_rows(_columns(question), _to_cases(question, cells))
        extremes = Extremes(high, low, is_apart)
    drawn = make_rows(_columns(question), _to_cases(question, table.drawn))
    return Result(
        cases,
        table.cases,
        [*_notes(question, table, make_rows(_columns(question), cases))],
        _draw(question),
        [{**row, _LABEL: _label(row)} for row in drawn],
        next=cursor([following]) if following < table.cells else "",
        total=table.cells,
        extremes=extremes,
    )


def _to_cases(question: Question, cells: Sequence[Cell]) -> list[Case]:
    dimensions = dimensions_of(question)
    texts = [
        dimension.texts([cell[number] for cell in cells], question.ruleset)
        for number, dimension in enumerate(dimensions)
    ]
    cases: list[Case] = []
    for number, (*_codes, n, total, squares) in enumerate(cells):
        case: dict[str, Any] = {} if dimensions else {"name": _("all")}
        for id, name, texts_of_cells in zip(BY, _NAMES, texts, strict=False):
            case[id], case[name] = texts_of_cells[number]
        sums = {"n": n, "count": int(total), "value": int(total), "value_sq": int(squares)}
        cases.append(case | sums)
    return cases


def _label(row: Mapping[str, Any]) -> str:
    return " · ".join(str(row[name]) for name in _NAMES if name in row)


def _notes(question: Question, table: Tabulated, rows: Sequence[Row]) -> Iterator[str]:
    due = find_due()
    if (due.filter(ruleset=question.ruleset) if question.ruleset else due).exists():
        yield _("Games that came or changed just now are not counted yet.")
    dimensions, metric = dimensions_of(question), metric_of(question)
    if is_fixed(question):
        yield _("The rules alone decide this value: it adds up to the same in each month.")
    has_spread = any(dimension.spread for dimension in dimensions)
    if not has_spread and table.known < table.cases:
        words = {"n": f"{table.cases - table.known:,}"}
        yield _("%(n)s cases have no known value and are in no row.") % words
    if any(dimension.id == "hand" for dimension in dimensions) and _has_houses(question.ruleset):
        yield _(
            "Yaku are those of the house of the question, by default the document's; hands of "
            "other houses are counted by them too."
        )
    if metric.id.startswith("gain"):
        yield _(
            "Players who play on usually have better cards than those who stop: a gain describes "
            "only the months in which somebody did play on."
        )
    if table.cells > len(table.drawn):
        words = {"drawn": f"{len(table.drawn):,}", "rows": f"{table.cells:,}"}
        yield _("The chart shows the %(drawn)s rows with the most cases, of %(rows)s.") % words
    if any(row["value_low"] is None for row in rows):
        yield _("A mean of fewer than 20 cases, or of equal ones, has no interval.")


def _has_houses(ruleset: str) -> bool:
    """Return whether the houses of a ruleset have different dealt-hand yaku."""
    dealt = RULESETS[ruleset].dealt if ruleset else None
    return dealt is not None and dealt.in_house is not None


def _draw(question: Question) -> charts.Estimates:
    titles = [str(dimension.title) for dimension in dimensions_of(question)] or [_("Situation")]
    is_sum = metric_of(question).is_sum
    return charts.Estimates(label=_LABEL, value="value", heading=" · ".join(titles), zero=is_sum)


INSIGHTS: Final = Figure(
    id="insights",
    title=gettext_lazy("Insights"),
    definition=gettext_lazy(
        "One metric of the selected games, by one or two dimensions: how it differs from seat to "
        "seat, from month to month, against stronger opponents."
    ),
    formula=gettext_lazy("value = count / n, or sum of the values / n"),
    columns=_columns,
    compute=_compute,
    read=_read,
    own=PARAMETERS,
    faults=find_faults,
    any_ruleset=True,
    page="insights",
    forms=(
        {"metric": "score", "by": "seat", "by2": "month"},
        {"metric": "win_rate", "by": "seat", "by2": "month"},
        {"metric": "win_rate", "by": "", "by2": ""},
    ),
    basis=gettext_lazy(
        "Months that were dealt again or given up do not count, nor seats that sat out. A case "
        "with several opponents or yaku counts in the row of each. Players who are left out of "
        "statistics by name are in no row."
    ),
)
