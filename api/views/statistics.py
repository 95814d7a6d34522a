"""Statistics: the list of figures, a resource for each figure, and the odds of rulesets.

Odds are the probabilities of dealt-hand yaku and field grades.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from typing import Any, ClassVar, Final

from django.utils.decorators import method_decorator
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import etag
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiParameter,
    extend_schema_view,
)
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from api.caching import cached_get
from api.problems import FORBIDDEN, NOT_FOUND, Problem, invalid_parameters
from api.renderers import CsvRenderer, JsonRenderer
from api.serializers.statistics import (
    Figures,
    answer_json,
    answer_schema,
    figures_json,
)
from api.views.base import NegotiatedResource, Resource, document
from api.views.writing import CACHE
from kafu.odds.exact import odds
from kafu.odds.form import OddsJson, to_json
from kafu.rules.rulesets import RULESETS
from records.base.release import absolute
from records.facts.snapshot import hold_snapshot
from records.states import of_ruleset
from records.statistics import questions
from records.statistics.answer import to_csv
from records.statistics.definition import Figure
from records.statistics.gather import Gathered
from records.statistics.registry import FIGURES

FORMATS: Final = (JsonRenderer, CsvRenderer)
_FORMS: Final = (
    "CSV with `Accept: text/csv` or `format=csv`. If no games match, n is 0. "
    "A conditional request (`If-None-Match`) gets a 304 until the counted data changes. "
    "403 for a player who is left out of statistics by name, 404 for a player of no public game."
)


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
        return Response(figures_json(FIGURES), headers={"Cache-Control": "no-cache"})


class Statistic(NegotiatedResource):
    """Base of the resources of single figures, which `statistic` creates."""

    scopes = ()
    renderer_classes = FORMATS
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
        headers = {}
        following = None
        if answer.next:
            following = str(replace_query_param(address, "cursor", answer.next))
            headers["Link"] = f'<{following}>; rel="next"'
        data: Any
        if isinstance(renderer, CsvRenderer):
            name = "-".join(filter(None, (question.ruleset, self.figure.id)))
            headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
            data = to_csv(answer)
        else:
            data = answer_json(answer, following)
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
            "parameters": (
                "format",
                *figure.filters,
                *(parameter.name for parameter in figure.own),
            ),
        },
    )
    schema = document(
        f"statistics_{figure.id}",
        figure.title,
        {
            (200, "application/json"): answer_schema(figure),
            (200, CsvRenderer.media_type): OpenApiTypes.STR,
        },
        description=lazy(_describe, str)(figure),
        parameters=[*_iterate_parameters(figure)],
        problems=(403, 404, 406, 412, 503),
    )
    return extend_schema_view(get=schema)(view)


def _describe(figure: Figure) -> str:
    """Return definition, formula and formats of a figure in the language of the request."""
    texts = {"definition": figure.definition, "formula": figure.formula}
    about = _("%(definition)s Formula: %(formula)s.") % texts
    return "\n\n".join(filter(None, (about, str(figure.basis), _FORMS)))


def _iterate_parameters(figure: Figure) -> Iterator[OpenApiParameter]:
    filters = [questions.FILTERS[name] for name in figure.filters]
    for parameter in (*filters, *figure.own):
        schema, is_required = dict(parameter.schema), False
        if parameter.name == "ruleset":
            schema["enum"], is_required = lambda: figure.rulesets, not figure.any_ruleset
        yield OpenApiParameter(
            parameter.name, schema, required=is_required, description=parameter.meaning
        )
    format_schema = {"type": "string", "enum": [kind.format for kind in FORMATS]}
    yield OpenApiParameter("format", format_schema, description="Instead of `Accept`.")


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
