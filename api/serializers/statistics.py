"""Serializers of figures and of their answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.urls import reverse
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from api.serializers.fields import RulesetField
from records.statistics.answer import KINDS, Answer, Column
from records.statistics.definition import Figure

Serializer = serializers.Serializer[Any]

#: Maximum number of rows in JSON and charts; CSV has them all.
MOST_ROWS: Final = 1000


class ColumnSerializer(Serializer):
    """A column of the rows: its name, kind and unit."""

    id = serializers.CharField()
    title = serializers.CharField()
    kind = serializers.ChoiceField(
        choices=KINDS,
        help_text="Rates are shares of 1. Of every estimate there are `_low` and `_high` (95 %).",
    )
    unit = serializers.CharField(allow_blank=True, help_text="Empty where it counts things.")
    definition = serializers.CharField(allow_blank=True)


class AnswerSerializer(Serializer):
    """A figure of the selected games. Unknown values are null, never 0."""

    id = serializers.CharField()
    title = serializers.CharField()
    definition = serializers.CharField()
    formula = serializers.CharField()
    basis = serializers.CharField(
        allow_blank=True, help_text="What else to know about how it is computed."
    )
    filters = serializers.DictField(help_text="The parameters of the question.")
    games = serializers.IntegerField(help_text="Games counted.")
    deals_played = serializers.IntegerField(help_text="Their deals that ended.")
    n = serializers.IntegerField(help_text="The number of cases in all, by the definition.")
    as_of = serializers.DateTimeField(
        allow_null=True, help_text="When what was counted last changed; null for nothing."
    )
    columns = ColumnSerializer(many=True)
    total = serializers.IntegerField(
        help_text=f"Rows of all pages; one response has at most {MOST_ROWS:,}."
    )
    rows = serializers.ListField(
        child=serializers.DictField(), help_text="Values by the ids of the columns."
    )
    notes = serializers.ListField(child=serializers.CharField())
    next = serializers.URLField(
        allow_null=True,
        help_text="Where a list of players continues; null at its end and for all other figures.",
    )


#: The field of a value, by the kind of its column.
_FIELDS: Final[Mapping[str, type[serializers.Field[Any, Any, Any, Any]]]] = {
    "id": serializers.CharField,
    "text": serializers.CharField,
    "count": serializers.IntegerField,
    "number": serializers.FloatField,
    "rate": serializers.FloatField,
    "one-in": serializers.FloatField,
    "flag": serializers.BooleanField,
}


def answer_of(figure: Figure) -> type[AnswerSerializer]:
    """The answer of one figure, its rows with a field for each column that it may have.

    A column that only some rulesets or forms of rows have is not required.
    """
    variants = [{column.id for column in one} for one in figure.possible_columns()]
    fields: dict[str, Any] = {
        id: _FIELDS[column.kind](
            allow_null=True,
            required=all(id in one for one in variants),
            help_text=lazy(_meaning, str)(figure, id),
        )
        for id, column in _columns(figure).items()
    }
    name = figure.id.title()
    row: Any = type(f"{name}RowSerializer", (serializers.Serializer,), fields)
    about = lazy(lambda: _("A row of the figure %(id)s.") % {"id": figure.id}, str)
    row = extend_schema_serializer(description=about())(row)
    answer = type(f"{name}AnswerSerializer", (AnswerSerializer,), {"rows": row(many=True)})
    about = lazy(
        lambda: (
            _("The figure %(id)s of the selected games; null for unknown values.")
            % {"id": figure.id}
        ),
        str,
    )
    return extend_schema_serializer(description=about())(answer)


def _columns(figure: Figure) -> dict[str, Column]:
    """All columns that a row may have, by their ids."""
    return {column.id: column for one in figure.possible_columns() for column in one}


def _meaning(figure: Figure, id: str) -> str:
    """A column in words, in the language of the request."""
    column = _columns(figure)[id]
    if not column.definition:
        return column.title
    words = {"title": column.title, "definition": column.definition}
    return _("%(title)s. %(definition)s") % words


class OwnParameterSerializer(Serializer):
    """A parameter of this figure only, or with a meaning of its own."""

    name = serializers.CharField()
    meaning = serializers.CharField()
    schema = serializers.DictField(help_text="JSON Schema.")


class FigureSerializer(Serializer):
    """A figure of the statistics."""

    id = serializers.CharField()
    title = serializers.CharField()
    definition = serializers.CharField()
    formula = serializers.CharField()
    basis = serializers.CharField(allow_blank=True)
    rulesets = serializers.ListField(
        child=RulesetField(),
        help_text="The rulesets that have it.",
    )
    ruleset_required = serializers.BooleanField()
    filters = serializers.ListField(child=serializers.CharField())
    parameters = OwnParameterSerializer(many=True)
    href = serializers.CharField()


class FiguresSerializer(Serializer):
    """All figures."""

    statistics = FigureSerializer(many=True)


def to_json(answer: Answer, following: str | None = None) -> dict[str, Any]:
    """An answer in the form of :class:`AnswerSerializer`; ``following`` is its ``next``."""
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
        "rows": answer.rows[:MOST_ROWS],
        "notes": answer.notes,
        "next": following,
    }


def listed(figures: Mapping[str, Figure]) -> dict[str, Any]:
    """Figures in the form of :class:`FiguresSerializer`."""
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
                    {"name": own.name, "meaning": str(own.meaning), "schema": own.schema}
                    for own in figure.own
                ],
                "href": reverse(f"api:statistics-{figure.id}"),
            }
            for figure in figures.values()
        ]
    }
