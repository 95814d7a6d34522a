"""JSON of statistical figures and values."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, TypedDict

from django.urls import reverse
from django.utils.translation import gettext as _

from api.openapi import Schema, build_component, describe, register_component, schema_of
from kafu.notation.json_types import OneOf, RulesetId
from records.base.json_types import Url
from records.statistics.answer import KINDS, Answer, Column
from records.statistics.definition import Figure

#: Maximum number of rows in JSON; CSV has all rows.
MAX_ROWS: Final = 1000


class ColumnJson(TypedDict):
    """A column of the rows with name, kind and unit."""

    id: str
    title: str
    kind: Annotated[
        str,
        OneOf("ColumnKind", KINDS),
        "Rates are shares of 1. Every estimate has `_low` and `_high` (95 %).",
    ]
    unit: Annotated[str, "Empty for a count."]
    definition: str


class AnswerJson(TypedDict):
    """A figure of the selected games. Unknown values are null, never 0."""

    id: str
    title: str
    definition: str
    formula: str
    basis: Annotated[str, "Notes on the computation."]
    filters: Annotated[dict[str, Any], "The parameters of the query."]
    games: Annotated[int, "Games counted."]
    deals_played: Annotated[int, "Finished deals of these games."]
    n: Annotated[int, "The total number of cases, by the definition."]
    as_of: Annotated[datetime | None, "When the counted data last changed; null without data."]
    columns: list[ColumnJson]
    total: Annotated[int, f"Rows of all pages; one response has at most {MAX_ROWS:,}."]
    rows: Annotated[list[dict[str, Any]], "Values by the ids of the columns."]
    notes: list[str]
    next: Annotated[
        Url | None, "The next page of a list of players; null at its end and for other figures."
    ]


class OwnParameter(TypedDict):
    """A parameter of a single figure, or with a special meaning in the figure."""

    name: str
    meaning: str
    schema: Annotated[dict[str, Any], "JSON Schema."]


class FigureJson(TypedDict):
    """A figure of the statistics."""

    id: str
    title: str
    definition: str
    formula: str
    basis: str
    rulesets: Annotated[list[RulesetId], "The rulesets with this figure."]
    ruleset_required: bool
    filters: list[str]
    parameters: list[OwnParameter]
    href: str


class Figures(TypedDict):
    """All figures."""

    statistics: list[FigureJson]


#: Types of values by the kind of column.
_KINDS: Final[Mapping[str, Any]] = {
    "id": str | None,
    "text": str | None,
    "count": int | None,
    "number": float | None,
    "rate": float | None,
    "one-in": float | None,
    "flag": bool | None,
}


def answer_schema(figure: Figure) -> Schema:
    """Return the schema of a figure's response, with the possible columns of rows."""
    name = figure.id.title()
    rows = {"type": "array", "items": register_component(f"{name}Row", lambda: _row_schema(figure))}

    def make() -> Schema:
        text = _("The figure %(id)s of the selected games; null for unknown values.")
        answer = describe(build_component(AnswerJson), text % {"id": figure.id})
        return answer | {"properties": answer["properties"] | {"rows": rows}}

    return register_component(f"{name}Answer", make)


def _row_schema(figure: Figure) -> Schema:
    """Return the schema of a row; columns missing in a ruleset or form are optional."""
    variants = [{column.id: column for column in columns} for columns in figure.possible_columns()]
    columns = {id: column for variant in variants for id, column in variant.items()}
    return {
        "type": "object",
        "description": _("A row of the figure %(id)s.") % {"id": figure.id},
        "properties": {
            id: describe(schema_of(_KINDS[column.kind]), _describe_column(column))
            for id, column in columns.items()
        },
        "required": sorted(id for id in columns if all(id in variant for variant in variants)),
    }


def _describe_column(column: Column) -> str:
    """Return title and definition of a column in the language of the request."""
    if not column.definition:
        return column.title
    texts = {"title": column.title, "definition": column.definition}
    return _("%(title)s. %(definition)s") % texts


def answer_json(answer: Answer, following: str | None) -> dict[str, Any]:
    """Return the values of a figure as `AnswerJson`; ``following`` is the value of ``next``."""
    names = (
        *("id", "title", "definition", "formula", "basis"),
        *("filters", "games", "deals_played", "n"),
    )
    return {
        **{name: getattr(answer, name) for name in names},
        "as_of": answer.as_of,
        "columns": [
            {
                "id": column.id,
                "title": column.title,
                "kind": column.kind,
                "unit": column.unit,
                "definition": column.definition,
            }
            for column in answer.columns
        ],
        "total": answer.total,
        "rows": answer.rows[:MAX_ROWS],
        "notes": answer.notes,
        "next": following,
    }


def figures_json(figures: Mapping[str, Figure]) -> dict[str, Any]:
    """Return figures as `Figures`."""
    return {
        "statistics": [
            {
                "id": figure.id,
                "title": str(figure.title),
                "definition": str(figure.definition),
                "formula": str(figure.formula),
                "basis": str(figure.basis),
                "rulesets": list(figure.rulesets),
                "ruleset_required": not figure.any_ruleset,
                "filters": list(figure.filters),
                "parameters": [
                    {
                        "name": parameter.name,
                        "meaning": str(parameter.meaning),
                        "schema": parameter.schema,
                    }
                    for parameter in figure.own
                ],
                "href": reverse(f"api:statistics-{figure.id}"),
            }
            for figure in figures.values()
        ]
    }
