"""Writing down a game: card names, positions, score sheets and notebooks. Nothing is stored."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from api.forms import form_of, read_body
from api.parsers import (
    BytesParser,
    CsvParser,
    FieldsParser,
    KafuJsonParser,
    KafuParser,
    OdsParser,
    PlainTextParser,
    TsvParser,
    XlsxParser,
)
from api.problems import KINDS, NOTHING, Code, Problem, invalid_parameter
from api.views.base import BodyResource, Resource, body_schemas, document
from api.views.records import get_game
from api.views.verify import compute_single, require_game
from kafu.cards import PACK, PLANTS
from kafu.facade.errors import Error
from kafu.facade.rulesets import options_of
from kafu.notation.vocabulary import MAX_GAME_BYTES, RULES
from kafu.rules.names import ENDS, YAKU
from kafu.rules.rulesets import RULESETS
from people.models import READ, UPLOAD
from records.services import editing
from records.services.editing import letters_by_name, refusal
from records.services.notebooks import read_notebook_json
from records.services.sheet_editing import write_sheet_response
from records.serving.computing import WORKBOOK_SECONDS, compute
from records.serving.limits import SMALL_BYTES, Limit, expensive
from records.shapes.names import AllNames, CardJson, Letters
from records.shapes.positions import Edit, Edited, Edits
from records.shapes.shape import Shape
from records.shapes.sheets import NotebookJson, SheetForm, WrittenSheetJson

#: Headers of lists that only a release changes.
CACHE = {"Cache-Control": "public, max-age=3600"}

#: Maximum length of the parameters `names` and `lying` together.
MAX_TEXT_LENGTH = 2000
TEXTS: Final = (KafuParser, KafuJsonParser)
#: The request field of an error of the library; by default `new`.
_EDIT_FIELDS: Final = {
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
#: The fields of a request that name a game.
_GAMES: Final = ("kafu", "record", "new")
#: The request field of an error of the library; by default `months`.
_FORM_FIELDS: Final = {
    "unknown-ruleset": "ruleset",
    "wrong-players": "players",
    "unknown-option": "options",
    "bad-option": "options",
    "no-month": "at",
}
PARSERS: Final = (CsvParser, TsvParser, XlsxParser, OdsParser, PlainTextParser, BytesParser)
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


class KindJson(Shape):
    """One kind of problem."""

    code: Code
    status: int
    title: str


class Kinds(Shape):
    """All kinds of problems."""

    problems: list[KindJson]


class Names(Resource):
    """The names of cards, yaku, rulesets and ends."""

    scopes = ()

    @document(
        "names",
        "Names of cards, yaku, rulesets and ends, in both languages",
        AllNames,
        description="Japanese terms of the rule documents, romaji, and English glosses.",
    )
    def get(self, request: Request) -> Response:
        """Return all names."""
        data = AllNames(
            [CardJson.build(card, kind=card.kind.value, points=card.kind.points) for card in PACK],
            PLANTS,
            [*YAKU.values()],
            [description.name for description in RULESETS.values()],
            [*ENDS.values()],
        )
        return Response(data, headers=CACHE)


class CardLetters(Resource):
    """The letters of cards that are written by their names."""

    scopes = ()

    @document(
        "cards",
        "Letters of cards by their names",
        Letters,
        description=(
            "`names` has names or letters of cards, separated by commas or blanks: 松に鶴, "
            "松のカス, pine ribbon, 1-bright. A name of several cards means the first card that is "
            "not in the text yet. 400 for an unknown name, with the nearest names."
        ),
        parameters=[
            OpenApiParameter("names", str, description="Names or letters of cards."),
            OpenApiParameter(
                "lying",
                str,
                description="Letters of cards in other places, which the names cannot mean.",
            ),
        ],
    )
    def get(self, request: Request) -> Response:
        """Return the letters of the named cards."""
        text = request.query_params.get("names", "")
        lying = request.query_params.get("lying", "")
        if len(text) + len(lying) > MAX_TEXT_LENGTH:
            values = {"most": MAX_TEXT_LENGTH}
            raise invalid_parameter("names", _("At most %(most)d characters.") % values)
        try:
            return Response(Letters(letters_by_name(text, lying)), headers=CACHE)
        except Error as error:
            raise invalid_parameter("names", str(error)) from error


class Problems(Resource):
    """The kinds of problems."""

    scopes = ()

    @document(
        "problems",
        "All kinds of errors",
        Kinds,
        description="The closed list of `code`; the `type` of an error points here.",
    )
    def get(self, request: Request) -> Response:
        """Return the closed list of kinds."""
        kinds = [KindJson.build(kind, title=str(kind.title)) for kind in KINDS.values()]
        return Response(Kinds(kinds))


class Positions(BodyResource):
    """Editing of a game, step by step."""

    parser_classes = (*TEXTS, FieldsParser)
    # JSON escapes may double the size: a kanji of three bytes takes six.
    body_limit = Limit(lambda: 2 * MAX_GAME_BYTES, more=SMALL_BYTES)
    throttle_scope = "positions"
    scopes = (READ, UPLOAD)

    @document(
        "positions",
        "Write a game down step by step; nothing is stored",
        Edited,
        description=(
            "Returns the table at a step of a game, the legal moves, the verdict so far, and the"
            " changed game. Each request is independent and complete. A body of text is the same"
            " as `kafu` without changes. An illegal action is written into the game too, and "
            "`fault` has its place; 400 is for text that is no action. The text of a game needs "
            "a deal: begin with `new` and `deal` together."
        ),
        request={
            **body_schemas(TEXTS),
            FieldsParser.media_type: form_of(Edit),
        },
        problems=(404, 410, 413, 415, 422, 429, 503),
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
            return Response(compute_single(editing.edit_only_game, require_game(data), Edits()))
        except Error as error:
            raise invalid_parameter(_EDIT_FIELDS.get(error.code, "new"), refusal(error)) from error

    def _apply_changes(self, request: Request) -> Edited:
        edit = read_body(request, Edit)
        if edit.record is not None:
            edit.kafu, edit.record = get_game(request, edit.record).text, None
        if edit.new is None:
            require_game((edit.kafu or "").encode(errors="replace"))
        edited: Edited = compute_single(editing.edit_game, edit)
        return edited


class Sheets(Resource):
    """Editing of a score sheet; each request holds the complete form."""

    http_method_names = ("post",)
    parser_classes = (FieldsParser,)
    throttle_scope = "positions"
    scopes = (READ, UPLOAD)

    @document(
        "sheets",
        "Write a score sheet month by month; nothing is stored",
        WrittenSheetJson,
        description=(
            "Returns the sheet as Kafu, its verdict, the lines and sums of each month, and the "
            "settlement step by step. It also returns the possible entries of a month: grades, "
            "payments with values, recipients and payers, and exclusions. Each request has the "
            "whole form. Faults in it are in `faults`, with month and field; 400 is for entries "
            "that no sheet can have."
        ),
        request={FieldsParser.media_type: form_of(SheetForm)},
        problems=(413, 415, 422, 429, 503),
    )
    def post(self, request: Request) -> Response:
        """Return the score sheet of the form."""
        with expensive(request._request, "sheet"):
            return self._write_sheet(request)

    def _write_sheet(self, request: Request) -> Response:
        form = read_body(request, SheetForm)
        try:
            return Response(compute(write_sheet_response, form))
        except Error as error:
            raise invalid_parameter(
                _FORM_FIELDS.get(error.code, "months"), refusal(error)
            ) from error


class Notebooks(BodyResource):
    """Conversion of score notebooks."""

    http_method_names = ("post",)
    parser_classes = PARSERS
    body_limit = Limit(lambda: MAX_GAME_BYTES)
    throttle_scope = "verify"
    scopes = (READ, UPLOAD)

    @document(
        "notebooks",
        "Read a score notebook as a score sheet; nothing is stored",
        NotebookJson,
        description=(
            "Converts a table of months and players (CSV, TSV, xlsx, ods) into Kafu for an upload."
            " If a cell is not understood, the response is 200 with `faults` and without `kafu`. An"
            " unknown ruleset or option is a 400."
        ),
        parameters=_PARAMETERS,
        request=body_schemas(PARSERS),
        problems=(413, 415, 422, 429, 503),
    )
    def post(self, request: Request) -> Response:
        """Return the sheet and its verdict, or the faults of the notebook."""
        ruleset, options, dealer = _read_rules(request)
        data = b""
        for part in self.parts(request, MAX_GAME_BYTES):
            data = b"".join(part.chunks)
        if not data.strip():
            raise Problem(NOTHING, _("Send a table of months and players."))
        with expensive(request._request, "verify"):
            return Response(
                compute(
                    read_notebook_json, data, ruleset, options, dealer, seconds=WORKBOOK_SECONDS
                )
            )


def _read_rules(request: Request) -> tuple[str, dict[str, str], int]:
    """Return ruleset, options and first dealer of a request; raise Problem."""
    query = request.query_params
    ruleset = query.get("ruleset", "")
    dealer = query.get("dealer", "1")
    if not (len(dealer) == 1 and dealer in "1234567"):
        raise invalid_parameter("dealer", _("dealer: expected %(known)s.") % {"known": "1 … 7"})
    try:
        options = options_of(ruleset, query.get("options", ""))
    except Error as error:
        field = "ruleset" if error.code == "unknown-ruleset" else "options"
        raise invalid_parameter(field, refusal(error)) from error
    return ruleset, options, int(dealer)
