"""Conversion of a score notebook, a table of months and players, into a score sheet."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypedDict

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.parsers import BytesParser, CsvParser, PlainTextParser, TsvParser, XlsxParser
from api.problems import NOTHING, Problem, invalid_parameter
from api.schemas import schema_of
from api.views.base import LANG, BodyResource, body_schemas, problem_responses
from kafu.facade.errors import Error
from kafu.facade.rulesets import options_of
from kafu.importers.notebook.sheet import Notebook, read_notebook
from kafu.notation.faults import Fault, FaultJson
from kafu.notation.vocabulary import MAX_GAME_BYTES, RULES
from kafu.rules.verdict import Verdict
from people.models import READ, UPLOAD
from records.base import labels
from records.services.editing import refusal
from records.serving.body_limits import Limit
from records.serving.limits import expensive

PARSERS: Final = (CsvParser, TsvParser, XlsxParser, PlainTextParser, BytesParser)
_PARAMETERS: Final = (
    OpenApiParameter(
        "ruleset", str, OpenApiParameter.QUERY, required=True, enum=list(RULES), description="Id."
    ),
    OpenApiParameter(
        "options",
        str,
        OpenApiParameter.QUERY,
        description="House rules as in the tag `Options`: `profile=koikoi-nintendo months=6`.",
    ),
    OpenApiParameter(
        "dealer",
        int,
        OpenApiParameter.QUERY,
        enum=list(range(1, 8)),
        description="The dealer's seat in the first month, for a table without dealers; by "
        "default 1.",
    ),
)


class NotebookJson(TypedDict):
    """The score sheet of a notebook; without a sheet, `faults` has the reasons."""

    kafu: Annotated[str | None, "The score sheet as Kafu."]
    verdict: Annotated[Verdict | None, "The verdict on `kafu`."]
    faults: Annotated[
        list[FaultJson],
        "Cells that were not understood, or that contradict the rules. `line` and `column` are "
        "row and column of the table.",
    ]
    warnings: Annotated[
        list[FaultJson], "Omissions, additions and assumptions, each with its cell."
    ]


class Notebooks(BodyResource):
    """Conversion of score notebooks."""

    http_method_names = ("post",)
    parser_classes = PARSERS
    parameters = ("ruleset", "options", "dealer")
    body_limit = Limit(lambda: MAX_GAME_BYTES)
    throttle_scope = "verify"
    scopes = (READ, UPLOAD)

    @extend_schema(
        operation_id="notebooks",
        summary="Read a score notebook as a score sheet; nothing is stored",
        description=(
            "Converts a table of months and players (CSV, TSV, xlsx) into Kafu for an upload. If"
            " a cell is not understood, the response is 200 with `faults` and without `kafu`. An"
            " unknown ruleset or option is a 400."
        ),
        parameters=[LANG, *_PARAMETERS],
        request=body_schemas(PARSERS),
        responses={200: schema_of(NotebookJson), **problem_responses(400, 413, 415)},
    )
    def post(self, request: Request) -> Response:
        """Return the sheet and its verdict, or the faults of the notebook."""
        rules, options, dealer = _read_rules(request)
        data = b""
        for part in self.parts(request, MAX_GAME_BYTES):
            data = b"".join(part.chunks)
        if not data.strip():
            raise Problem(NOTHING, _("Send a table of months and players."))
        with expensive(request._request, "verify"):
            return Response(_notebook_json(read_notebook(data, rules, options, dealer=dealer)))


def _read_rules(request: Request) -> tuple[str, dict[str, str], int]:
    """Return ruleset, options and first dealer of a request; raise Problem."""
    query = request.query_params
    rules = query.get("ruleset", "")
    dealer = query.get("dealer", "1")
    if not (len(dealer) == 1 and dealer in "1234567"):
        raise invalid_parameter("dealer", _("dealer: expected %(known)s.") % {"known": "1 … 7"})
    try:
        options = options_of(rules, query.get("options", ""))
    except Error as error:
        field = "ruleset" if error.code == "unknown-ruleset" else "options"
        raise invalid_parameter(field, refusal(error)) from error
    return rules, options, int(dealer)


def _notebook_json(notebook: Notebook) -> dict[str, Any]:
    """Return a notebook as `NotebookJson`."""

    def localised(faults: list[Fault]) -> list[dict[str, Any] | None]:
        return [labels.fault(fault.to_stored(), notebook.players) for fault in faults]

    answer: dict[str, Any] = {"kafu": None, "verdict": None}
    faults = list(notebook.faults)
    if notebook.verification is not None:
        verdict = notebook.verification.verdict
        faults += [notebook.placed(verdict.error)] if verdict.error else []
        answer["kafu"] = notebook.verification.text
        answer["verdict"] = labels.verdict(verdict.to_stored(), notebook.players)
    return answer | {"faults": localised(faults), "warnings": localised(notebook.warnings)}
