"""The odds of a ruleset's dealt-hand yaku and field grades."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256

from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.http import etag
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import NOT_FOUND, Problem
from api.schemas import schema_of
from api.views.base import LANG, Resource, problem_responses
from api.views.names import CACHE
from kafu.odds.exact import odds
from kafu.odds.form import OddsJson, to_json
from kafu.rules.rulesets import RULESETS


@cache
def _entity_tag(ruleset: str) -> str:
    """Return the entity tag of the odds; it changes with the form of the JSON too."""
    return f'"{sha256(json.dumps(to_json(odds(ruleset))).encode()).hexdigest()[:16]}"'


def _version(request: Request, ruleset: str) -> str | None:
    return _entity_tag(ruleset) if ruleset in RULESETS else None


class RulesetOdds(Resource):
    """The odds of a ruleset."""

    scopes = ()

    @extend_schema(
        operation_id="odds",
        summary="Exact odds of dealt-hand yaku and field grades",
        description=(
            "Every count is exact, because it is computed from the rules themselves. Yaku are ids, "
            "see `names`; `nashi` is none. A conditional request (`If-None-Match`) gets a 304 "
            "until the rules change. 404 for a ruleset without known odds."
        ),
        parameters=[
            LANG,
            OpenApiParameter("ruleset", str, OpenApiParameter.PATH, description="Id."),
        ],
        responses={200: schema_of(OddsJson), **problem_responses(400, 404, 412)},
    )
    @method_decorator(etag(_version))
    def get(self, request: Request, ruleset: str) -> Response:
        """Return all odds of the ruleset."""
        if ruleset not in RULESETS:
            values = {"known": ", ".join(RULESETS)}
            raise Problem(NOT_FOUND, _("There are odds for these rulesets: %(known)s.") % values)
        return Response(to_json(odds(ruleset)), headers=CACHE)
