"""Names of cards, yaku, rulesets and ends, and the list of problem kinds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated, TypedDict

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import KINDS, Code, invalid_parameter
from api.schemas import schema_of
from api.views.base import LANG, Resource, problem_responses
from kafu.cards import PACK, PLANTS, Kind
from kafu.facade.errors import Error
from kafu.notation.json_types import OneOf
from kafu.rules.names import ENDS, YAKU, Name
from kafu.rules.rulesets import RULESETS
from records.services.editing import letters_by_name

#: Headers of lists that only a release changes.
CACHE = {"Cache-Control": "public, max-age=3600"}

#: Maximum length of the parameters `names` and `lying` together.
MAX_TEXT_LENGTH = 2000


class CardJson(TypedDict):
    """One of the 48 cards."""

    letter: str
    month: int
    kind: Annotated[str, OneOf("CardKind", [kind.value for kind in Kind])]
    points: int
    ja: str
    romaji: str
    en: str


class PlantJson(TypedDict):
    """The plant of a month."""

    month: int
    ja: str
    romaji: str
    en: str


class AllNames(TypedDict):
    """All names."""

    cards: list[CardJson]
    plants: list[PlantJson]
    yaku: list[Name]
    rulesets: list[Name]
    ends: list[Name]


class Letters(TypedDict):
    """The letters of cards."""

    letters: Annotated[str, "`?` for an unknown card."]


class KindJson(TypedDict):
    """One kind of problem."""

    code: Code
    status: int
    title: str


class Kinds(TypedDict):
    """All kinds of problems."""

    problems: list[KindJson]


class Names(Resource):
    """The names of cards, yaku, rulesets and ends."""

    scopes = ()

    @extend_schema(
        operation_id="names",
        summary="Names of cards, yaku, rulesets and ends, in both languages",
        description="Japanese terms of the rule documents, romaji, and English glosses.",
        parameters=[LANG],
        responses={200: schema_of(AllNames), **problem_responses(400)},
    )
    def get(self, request: Request) -> Response:
        """Return all names."""
        data = {
            "cards": [
                {
                    "letter": card.letter,
                    "month": card.month,
                    "kind": card.kind.value,
                    "points": card.kind.points,
                    "ja": card.ja,
                    "romaji": card.romaji,
                    "en": card.en,
                }
                for card in PACK
            ],
            "plants": [asdict(plant) for plant in PLANTS],
            "yaku": _name_dicts(YAKU.values()),
            "rulesets": _name_dicts(ruleset.name for ruleset in RULESETS.values()),
            "ends": _name_dicts(ENDS.values()),
        }
        return Response(data, headers=CACHE)


class CardLetters(Resource):
    """The letters of cards that are written by their names."""

    scopes = ()
    parameters = ("lying", "names")

    @extend_schema(
        operation_id="cards",
        summary="Letters of cards by their names",
        description=(
            "`names` has names or letters of cards, separated by commas or blanks: 松に鶴, "
            "松のカス, pine ribbon, 1-bright. A name of several cards means the first card that is "
            "not in the text yet. 400 for an unknown name, with the nearest names."
        ),
        parameters=[
            LANG,
            OpenApiParameter("names", str, description="Names or letters of cards."),
            OpenApiParameter(
                "lying",
                str,
                description="Letters of cards in other places, which the names cannot mean.",
            ),
        ],
        responses={200: schema_of(Letters), **problem_responses(400)},
    )
    def get(self, request: Request) -> Response:
        """Return the letters of the named cards."""
        text = request.query_params.get("names", "")
        lying = request.query_params.get("lying", "")
        if len(text) + len(lying) > MAX_TEXT_LENGTH:
            values = {"most": MAX_TEXT_LENGTH}
            raise invalid_parameter("names", _("At most %(most)d characters.") % values)
        try:
            return Response({"letters": letters_by_name(text, lying)}, headers=CACHE)
        except Error as error:
            raise invalid_parameter("names", str(error)) from error


def _name_dicts(names: Iterable[Name]) -> list[dict[str, str]]:
    return [asdict(name) for name in names]


class Problems(Resource):
    """The kinds of problems."""

    scopes = ()

    @extend_schema(
        operation_id="problems",
        summary="All kinds of errors",
        description="The closed list of `code`; the `type` of an error points here.",
        parameters=[LANG],
        responses={200: schema_of(Kinds), **problem_responses(400)},
    )
    def get(self, request: Request) -> Response:
        """Return the closed list of kinds."""
        kinds = [
            {"code": kind.code, "status": kind.status, "title": str(kind.title)}
            for kind in KINDS.values()
        ]
        return Response({"problems": kinds})
