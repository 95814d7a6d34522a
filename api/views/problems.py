"""The problem of a day."""

from __future__ import annotations

from datetime import date

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import READING
from api.caching import cached_get
from api.problems import NO_PROBLEM, Problem, invalid_parameter
from api.views.base import Resource, document
from kafu.rules.rulesets import RULESETS
from records.services.problems import NoProblem, problem_of, to_json, today
from records.shapes.problems import DailyProblem as DailyProblemJson
from records.states import of_day

_TODAY = "today"
_USUAL = "koikoi"


class DailyProblem(Resource):
    """The problem of a day, the same for everybody."""

    throttle_scope = READING
    scopes = ()

    @document(
        "daily_problem",
        "The problem of a day, with its solution",
        DailyProblemJson,
        description=(
            "A position of a public game whose best action exceeds every other action by more "
            "than three standard errors. Days begin at midnight in Japan. 404 with the code "
            "`no-problem` for days without a problem, and for days that have not begun."
        ),
        parameters=[
            OpenApiParameter(
                "day",
                str,
                OpenApiParameter.PATH,
                description="`today`, or a day such as `2026-11-30`.",
            ),
            OpenApiParameter(
                "ruleset", str, OpenApiParameter.QUERY, enum=list(RULESETS), default=_USUAL
            ),
        ],
        problems=(404, 412),
    )
    @cached_get(of_day)
    def get(self, request: Request, day: str) -> Response:
        """Return the problem of a day."""
        ruleset = request.query_params.get("ruleset", _USUAL)
        if ruleset not in RULESETS:
            known = {"known": ", ".join(RULESETS)}
            raise invalid_parameter("ruleset", _("ruleset: expected one of %(known)s.") % known)
        try:
            shown = today() if day == _TODAY else date.fromisoformat(day)
        except ValueError:
            message = _("day: expected today, or a day such as 2026-11-30.")
            raise invalid_parameter("day", message) from None
        try:
            return Response(to_json(problem_of(ruleset, shown)))
        except NoProblem as error:
            raise Problem(NO_PROBLEM, error.words()) from error
