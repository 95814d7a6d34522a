"""Editing of a game: its table at a step, the legal moves, and the changed game."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.parsers import FieldsParser, KafuJsonParser, KafuParser
from api.problems import invalid_parameter
from api.schemas import schema_of
from api.serializers.editing import EditSerializer
from api.views.base import LANG, BodyResource, body_schemas, problem_responses
from api.views.records import get_game
from api.views.verify import read_single_game
from kafu.facade.errors import Error
from kafu.notation.vocabulary import MAX_GAME_BYTES
from people.models import READ, UPLOAD
from records.services import editing
from records.services.editing import DealtCards, Edited, Edits, refusal
from records.serving.body_limits import SMALL_BYTES, Limit
from records.serving.limits import expensive

TEXTS: Final = (KafuParser, KafuJsonParser)
#: The request field of an error of the library; by default `new`.
_FIELDS: Final = {
    "bad-step": "at",
    "no-step": "at",
    "not-written": "at",
    "no-deal": "deal",
    "not-due": "deal",
    "no-seat": "deal",
    "unknown-card": "deal",
    "unknown-name": "deal",
    "no-action": "do",
    "no-play": "do",
    "turned": "do",
    "no-fault": "instead",
}


class Positions(BodyResource):
    """Editing of a game, step by step."""

    parser_classes = (*TEXTS, FieldsParser)
    # JSON escapes may double the size: a kanji of three bytes takes six.
    body_limit = Limit(lambda: 2 * MAX_GAME_BYTES, more=SMALL_BYTES)
    throttle_scope = "positions"
    scopes = (READ, UPLOAD)

    @extend_schema(
        operation_id="positions",
        summary="Write a game down step by step; nothing is stored",
        description=(
            "Returns the table at a step of a game, the legal moves, the verdict so far, and the"
            " changed game. Each request is independent and complete. A body of text is the same"
            " as `kafu` without changes. An illegal action is written into the game too, and "
            "`fault` has its place; 400 is for text that is no action. The text of a game needs "
            "a deal: begin with `new` and `deal` together."
        ),
        parameters=[LANG],
        request={
            **body_schemas(TEXTS),
            FieldsParser.media_type: EditSerializer,
        },
        responses={200: schema_of(Edited), **problem_responses(400, 404, 410, 413, 415, 429)},
    )
    def post(self, request: Request) -> Response:
        """Apply the changes, and return the game with the table at the requested step."""
        with expensive(request._request, "positions"):
            return self._respond(request)

    def _respond(self, request: Request) -> Response:
        try:
            if (request.content_type or "").partition(";")[0].strip() == FieldsParser.media_type:
                return Response(self._apply_changes(request))
            data = b""
            for part in self.parts(request, MAX_GAME_BYTES):
                data = b"".join(part.chunks)
            return Response(editing.edit_text(read_single_game(data), Edits()))
        except Error as error:
            raise invalid_parameter(_FIELDS.get(error.code, "new"), refusal(error)) from error

    def _apply_changes(self, request: Request) -> dict[str, Any]:
        form = EditSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        fields = form.validated_data
        changes = _read_changes(fields)
        if begin := fields.get("new"):
            options = begin.get("options", {})
            tags = begin.get("tags", {})
            return editing.begin_game(begin["ruleset"], begin["players"], options, tags, changes)
        text = fields["kafu"] if "kafu" in fields else get_game(request, fields["record"]).text
        return editing.edit_text(read_single_game(text.encode(errors="replace")), changes)


def _read_changes(fields: dict[str, Any]) -> Edits:
    cards = fields.get("deal")
    return Edits(
        at=editing.address_of(fields["at"]) if "at" in fields else None,
        cards=DealtCards(
            number=cards["number"],
            hands=cards.get("hands", ()),
            field=cards.get("field"),
            stock=cards.get("stock"),
            dealer=cards.get("dealer"),
            at_random=cards["random"],
            seed=cards.get("seed"),
        )
        if cards
        else None,
        foresee=fields["foresee"],
        take_back=fields["take_back"],
        actions=fields.get("do", ()),
        comment=fields.get("comment"),
        instead=fields.get("instead"),
        compute=fields["compute"],
    )
