"""Verifies one game without storing it."""

from __future__ import annotations

from io import BytesIO
from itertools import islice
from typing import Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.parsers import JsonParser, KafuJsonParser, KafuParser
from api.problems import NOTHING, ONE_GAME, Problem
from api.serializers.position import CheckSerializer
from api.views.base import LANG, BodyResource, bodies, problems
from kafu.importers import read_piece
from kafu.judging.position import position
from kafu.judging.verify import verify
from kafu.notation.stream.cut import cut
from kafu.notation.vocabulary import MAX_GAME_BYTES
from people.models import READ, UPLOAD
from records.base.labels import lang
from records.serving.body_limits import Limit

PARSERS: Final = (KafuParser, KafuJsonParser, JsonParser)


class Verify(BodyResource):
    """A verdict on one game."""

    parser_classes = PARSERS
    body_limit = Limit(lambda: MAX_GAME_BYTES)
    throttle_scope = "verify"
    scopes = (READ, UPLOAD)

    @extend_schema(
        operation_id="verify",
        summary="Verify one game; nothing is stored",
        description=(
            "200 with the verdict, whatever it is; 400 only if the body does not hold exactly "
            "one game."
        ),
        parameters=[LANG],
        request=bodies(PARSERS),
        responses={200: CheckSerializer, **problems(400, 413, 415, 429)},
    )
    def post(self, request: Request) -> Response:
        """The verdict of verdict.md, with the place of the fault."""
        data = b""
        for part in self.parts(request, MAX_GAME_BYTES):
            data = b"".join(part.chunks)
        if not data.strip():
            raise Problem(NOTHING, _("Send one game."))
        pieces = list(islice(cut(BytesIO(data)), 2))
        if len(pieces) != 1:
            text = _("This is more than one game; send several games as an upload.")
            raise Problem(ONE_GAME, text)
        found = verify(read_piece(pieces[0]))
        place = position(found.game) if found.verdict.error and found.game else None
        return Response(found.verdict.to_json(lang()) | {"position": place and place.to_json()})
