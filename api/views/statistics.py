"""Statistics: the list of figures, a resource for each figure, and the odds of rulesets.

Odds are the probabilities of dealt-hand yaku and field grades.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from typing import Any, ClassVar, Final

from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import etag
from drf_spectacular.utils import (
    OpenApiParameter,
    extend_schema_view,
)
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from api.caching import cached_get
from api.openapi import Schema, build_component, describe, register_component, schema_of
from api.paging import link_header
from api.problems import FORBIDDEN, NOT_FOUND, Problem, invalid_parameters
from api.renderers import CsvRenderer, JsonRenderer
from api.views.base import FORMAT, NegotiatedResource, Resource, document, make_file_view
from api.views.writing import CACHE
from kafu.odds.exact import odds
from kafu.odds.form import OddsJson, to_json
from kafu.rules.rulesets import RULESETS
from records.base.release import absolute
from records.facts.current import hold_snapshot
from records.shapes.statistics import (
    MAX_ROWS,
    AnswerJson,
    ColumnJson,
    FigureJson,
    Figures,
    OwnParameter,
)
from records.states import of_ruleset
from records.statistics import questions
from records.statistics.answer import Column, to_csv
from records.statistics.definition import Figure
from records.statistics.gather import Gathered
from records.statistics.registry import FIGURES

_RESPONSES: Final = (
    "If no games match, n is 0. "
    "A conditional request (`If-None-Match`) gets a 304 until the counted data changes. "
    "403 for a player who is left out of statistics by name, 404 for a player of no public game."
)


_PROBLEMS: Final = (403, 404, 412, 503)
#: The texts of a figure.
_TEXTS: Final = ("title", "definition", "formula", "basis")
#: Types of values by the kind of column.
_VALUES: Final[Mapping[str, Any]] = {
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
            id: describe(schema_of(_VALUES[column.kind]), _describe_column(column))
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


class Statistics(Resource):
    """The available figures."""

    scopes = ()

    @document(
        "statistics_list",
        "The available figures",
        Figures,
        description=(
            "Each figure with definition, rulesets and parameters. Only public games are "
            "counted: verified, consistent, with a mismatch, or unfinished. All sums are in the "
            "ruleset's small unit."
        ),
    )
    def get(self, request: Request) -> Response:
        """Return all figures."""
        figures = [_show_figure(figure) for figure in FIGURES.values()]
        return Response(Figures(figures), headers={"Cache-Control": "no-cache"})


def _show_figure(figure: Figure) -> FigureJson:
    texts = {name: str(getattr(figure, name)) for name in _TEXTS}
    return FigureJson.build(
        figure,
        **texts,
        ruleset_required=not figure.any_ruleset,
        parameters=[
            OwnParameter.build(parameter, meaning=str(parameter.meaning))
            for parameter in figure.own
        ],
        href=reverse(f"api:statistics-{figure.id}"),
    )


class Statistic(NegotiatedResource):
    """Base of the resources of single figures, which `statistic` creates."""

    scopes = ()
    renderer_classes = (JsonRenderer, CsvRenderer)
    figure: ClassVar[Figure]

    @cached_get(of_ruleset, group="statistics")
    def get(self, request: Request) -> Response:
        """Return the figure for the games of the query."""
        question, faults = self.figure.parse(request._request.GET)
        if faults:
            raise invalid_parameters(faults)
        with hold_snapshot():
            _check_query(question)
            return self._answer(request, question, self.figure.gather(question))

    def _answer(
        self, request: Request, question: questions.Question, gathered: Gathered
    ) -> Response:
        answer = self.figure.answer(question, gathered)
        renderer: Any = request.accepted_renderer
        address = absolute(request.get_full_path())
        headers: dict[str, str] = {}
        following = None
        if answer.next:
            following = str(replace_query_param(address, "cursor", answer.next))
            headers |= link_header(following)
        data: Any
        if isinstance(renderer, CsvRenderer):
            name = "-".join(filter(None, (question.ruleset, self.figure.id)))
            headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
            data = to_csv(answer)
        else:
            data = AnswerJson.build(
                answer,
                columns=[
                    ColumnJson.build(column, unit=str(column.unit)) for column in answer.columns
                ],
                rows=answer.rows[:MAX_ROWS],
                next=following,
            )
        return Response(data, headers=headers)


def _check_query(question: questions.Question) -> None:
    try:
        questions.check(question)
    except questions.NoPlayer as error:
        values = {"name": str(error)[:100]}
        raise Problem(NOT_FOUND, _("No public game has a player “%(name)s”.") % values) from error
    except questions.OptedOut as error:
        values = {"name": str(error)[:100]}
        text = _("The player “%(name)s” is left out of statistics by name.") % values
        raise Problem(FORBIDDEN, text) from error


def make_statistic_view(figure: Figure) -> type[Statistic]:
    """Return the view of a figure."""
    view = type(
        f"Statistic{figure.id.title()}",
        (Statistic,),
        {
            "__doc__": f"The figure {figure.id}.",
            "figure": figure,
        },
    )
    schema = document(
        f"statistics_{figure.id}",
        figure.title,
        {200: answer_schema(figure)},
        description=lazy(_describe, str)(figure),
        parameters=[*_iterate_parameters(figure), FORMAT],
        problems=(406, *_PROBLEMS),
    )
    return extend_schema_view(get=schema)(view)


def make_statistic_file_view(figure: Figure) -> type[Resource]:
    """Return the view of a figure as a table in CSV."""
    return make_file_view(
        make_statistic_view(figure),
        CsvRenderer,
        f"statistics_{figure.id}",
        figure.title,
        description=lazy(_describe, str)(figure),
        parameters=[*_iterate_parameters(figure)],
        problems=_PROBLEMS,
    )


def _describe(figure: Figure) -> str:
    """Return definition, formula and responses of a figure in the language of the request."""
    texts = {"definition": figure.definition, "formula": figure.formula}
    about = _("%(definition)s Formula: %(formula)s.") % texts
    return "\n\n".join(filter(None, (about, str(figure.basis), _RESPONSES)))


def _iterate_parameters(figure: Figure) -> Iterator[OpenApiParameter]:
    filters = [questions.FILTERS[name] for name in figure.filters]
    for parameter in (*filters, *figure.own):
        schema, is_required = dict(parameter.schema), False
        if parameter.name == "ruleset":
            schema["enum"], is_required = lambda: figure.rulesets, not figure.any_ruleset
        yield OpenApiParameter(
            parameter.name, schema, required=is_required, description=parameter.meaning
        )


@cache
def _entity_tag(ruleset: str) -> str:
    """Return the entity tag of the odds; it changes with the form of the JSON too."""
    return f'"{sha256(json.dumps(to_json(odds(ruleset))).encode()).hexdigest()[:16]}"'


def _version(request: Request, ruleset: str) -> str | None:
    return _entity_tag(ruleset) if ruleset in RULESETS else None


class RulesetOdds(Resource):
    """The odds of a ruleset."""

    scopes = ()

    @document(
        "odds",
        "Exact odds of dealt-hand yaku and field grades",
        OddsJson,
        description=(
            "Every count is exact, because it is computed from the rules themselves. Yaku are ids, "
            "see `names`; `nashi` is none. A conditional request (`If-None-Match`) gets a 304 "
            "until the rules change. 404 for a ruleset without known odds."
        ),
        parameters=[OpenApiParameter("ruleset", str, OpenApiParameter.PATH, description="Id.")],
        problems=(404, 412),
    )
    @method_decorator(etag(_version))
    def get(self, request: Request, ruleset: str) -> Response:
        """Return all odds of the ruleset."""
        if ruleset not in RULESETS:
            values = {"known": ", ".join(RULESETS)}
            raise Problem(NOT_FOUND, _("There are odds for these rulesets: %(known)s.") % values)
        return Response(to_json(odds(ruleset)), headers=CACHE)
