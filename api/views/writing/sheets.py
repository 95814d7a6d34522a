"""Editing of a score sheet: lines, sums, possible payments, verdict."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.parsers import FieldsParser
from api.problems import invalid_parameter
from api.schemas import schema_of
from api.serializers.sheet_form import SheetFormSerializer
from api.views.base import LANG, Resource, problem_responses
from kafu.editing.sheet_forms import LineWanted, MonthWanted, write_sheet
from kafu.facade.errors import Error
from people.models import READ, UPLOAD
from records.services.editing import refusal
from records.services.sheet_editing import WrittenSheetJson, build_sheet_response
from records.serving.limits import expensive

#: The request field of an error of the library; by default `months`.
_FIELDS: Final = {
    "unknown-ruleset": "ruleset",
    "wrong-players": "players",
    "unknown-option": "options",
    "bad-option": "options",
    "no-month": "at",
}


class Sheets(Resource):
    """Editing of a score sheet; each request holds the complete form."""

    http_method_names = ("post",)
    parser_classes = (FieldsParser,)
    throttle_scope = "positions"
    scopes = (READ, UPLOAD)

    @extend_schema(
        operation_id="sheets",
        summary="Write a score sheet month by month; nothing is stored",
        description=(
            "Returns the sheet as Kafu, its verdict, the lines and sums of each month, and the "
            "settlement step by step. It also returns the possible entries of a month: grades, "
            "payments with values, recipients and payers, and exclusions. Each request has the "
            "whole form. Faults in it are in `faults`, with month and field; 400 is for entries "
            "that no sheet can have."
        ),
        parameters=[LANG],
        request={FieldsParser.media_type: SheetFormSerializer},
        responses={200: schema_of(WrittenSheetJson), **problem_responses(400, 413, 415)},
    )
    def post(self, request: Request) -> Response:
        """Return the score sheet of the form."""
        with expensive(request._request, "sheet"):
            return self._write_sheet(request)

    def _write_sheet(self, request: Request) -> Response:
        form = SheetFormSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        fields = form.validated_data
        players = [_join_lines(name) for name in fields["players"]]
        tags = {name: _join_lines(value) for name, value in fields.get("tags", {}).items()}
        try:
            sheet = write_sheet(
                fields["ruleset"],
                players,
                fields.get("options", {}),
                [_read_month(month) for month in fields.get("months", ())],
                at=fields.get("at"),
                tags={name: value for name, value in tags.items() if value},
            )
        except Error as error:
            raise invalid_parameter(_FIELDS.get(error.code, "months"), refusal(error)) from error
        return Response(build_sheet_response(fields["ruleset"], players, sheet))


def _join_lines(text: str) -> str:
    """Return text on one line, as tags require."""
    return " ".join(text.split())


def _read_month(fields: dict[str, Any]) -> MonthWanted:
    lines = [LineWanted(**line) for line in fields.get("lines", ())]
    return MonthWanted(**{**fields, "lines": lines})
