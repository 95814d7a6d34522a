"""Figures and their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Final

from kafu.notation.json_types import OneOf, RulesetId
from records.base.json_types import Url
from records.shapes.shape import Shape

#: Maximum number of rows in JSON; CSV has all rows.
MAX_ROWS: Final = 1000
#: Kinds of columns: an id or a word; a name for people; a whole number; any number; a share of 1;
#: the n of 1/n; a boolean.
KINDS: Final = ("id", "text", "count", "number", "rate", "one-in", "flag")


class ColumnJson(Shape):
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


class AnswerJson(Shape):
    """A figure of the selected games. Unknown values are null, never 0."""

    id: str
    title: str
    definition: str
    formula: str
    basis: Annotated[str, "Notes on the computation."]
    filters: Annotated[Mapping[str, Any], "The parameters of the query."]
    games: Annotated[int, "Games counted."]
    deals_played: Annotated[int, "Finished deals of these games."]
    n: Annotated[int, "The total number of cases, by the definition."]
    as_of: Annotated[datetime | None, "When the counted data last changed; null without data."]
    columns: list[ColumnJson]
    total: Annotated[int, f"Rows of all pages; one response has at most {MAX_ROWS:,}."]
    rows: Annotated[Sequence[Mapping[str, Any]], "Values by the ids of the columns."]
    notes: Sequence[str]
    next: Annotated[
        Url | None, "The next page of a list of players; null at its end and for other figures."
    ]


class OwnParameter(Shape):
    """A parameter of a single figure, or with a special meaning in the figure."""

    name: str
    meaning: str
    schema: Annotated[Mapping[str, Any], "JSON Schema."]


class FigureJson(Shape):
    """A figure of the statistics."""

    id: str
    title: str
    definition: str
    formula: str
    basis: str
    rulesets: Annotated[Sequence[RulesetId], "The rulesets with this figure."]
    ruleset_required: bool
    filters: Sequence[str]
    parameters: list[OwnParameter]
    href: str


class Figures(Shape):
    """All figures."""

    statistics: list[FigureJson]
