"""The analysis of a game: request, progress, result."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import ANALYSES, NO_ANALYSIS, Problem
from api.schemas import schema_of
from api.throttling import READING
from api.views.base import LANG, Resource, problem_responses
from api.views.records import get_game
from kafu.analysis.json_types import ReportParts
from kafu.notation.json_types import OneOf, Ruleset
from people.models import READ, UPLOAD
from records.base.json_types import Moment
from records.models import Record
from records.search.export_forms import written_moment
from records.services import analyses
from records.services.analyses import Crowded, NoCards, Stage
from records.serving.senders import origin_of

#: Retry-After in seconds while too many games of the account wait.
_AGAIN = 60


class Report(ReportParts):
    """A whole analysis."""

    ruleset: Ruleset


class Analysis(TypedDict):
    """The progress and the result of the analysis of a game."""

    state: Annotated[str, OneOf("AnalysisState", ("none", "waiting", "running", "failed", "done"))]
    progress: Annotated[int, "Number of finished choices and deals."]
    total: Annotated[int | None, "Total number of choices and deals, once counted."]
    engine: Annotated[str, "The version of the analysis engine."]
    made: Moment | None
    analysis: Report | None


class RecordAnalysis(Resource):
    """The value of each choice of a game."""

    throttle_scope = READING

    def scopes_for(self, request: Request) -> tuple[str, ...]:
        """Return the scope for uploads for requests to analyse."""
        return (UPLOAD,) if request.method == "POST" else (READ,)

    def needs_account(self, method: str) -> bool:
        """Return True for requests to analyse."""
        return method == "POST"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Apply the rate limit `analysis` to requests to analyse."""
        if request.method == "POST":
            self.throttle_scope = "analysis"
        super().initial(request, *args, **kwargs)

    @extend_schema(
        operation_id="records_analysis",
        summary="The value of each choice of a game, with errors",
        description=(
            "`state` is `none` until an analysis is requested by `POST`. Values are the results "
            "that a seat could expect from its knowledge; see the guide to the analysis. 404 "
            "with the code `no-analysis` for score sheets, and rulesets that this version does "
            "not support."
        ),
        parameters=[LANG],
        responses={200: schema_of(Analysis), **problem_responses(400, 404, 410)},
    )
    def get(self, request: Request, key: str) -> Response:
        """Return the progress, and the analysis once it is done."""
        record = get_game(request, key)
        try:
            return _respond(record, analyses.progress_of(record))
        except NoCards as error:
            raise _no_analysis() from error

    @extend_schema(
        operation_id="records_analyse",
        summary="Have a game analysed",
        description=(
            "Workers analyse the game in the background; `GET` returns the progress. A finished "
            "or running analysis is not restarted. 429 with the code `too-many-analyses` while "
            "the maximum number of games of your account (`limit`) wait. Accounts younger than a"
            " week share this limit with other accounts at the same address."
        ),
        parameters=[LANG],
        request=None,
        responses={
            200: schema_of(Analysis),
            202: schema_of(Analysis),
            **problem_responses(400, 404, 410),
        },
    )
    def post(self, request: Request, key: str) -> Response:
        """Request the analysis; return 202, or 200 if it is done."""
        record = get_game(request, key)
        try:
            user: Any = request.user
            stage = analyses.request(record, account=user.pk, origin=origin_of(request))
            return _respond(record, stage, begun=202)
        except NoCards as error:
            raise _no_analysis() from error
        except Crowded as error:
            raise Problem(ANALYSES, error.words(), wait=_AGAIN, limit=error.most) from error


def _no_analysis() -> Problem:
    return Problem(NO_ANALYSIS, _("This game has no cards that could be analysed."))


def _respond(record: Record, stage: Stage, *, begun: int = 200) -> Response:
    stored = stage.analysis
    report: Any = None
    if stored is not None:
        # The library calls the ruleset `rules`, as Kafu does; the API calls it `ruleset`.
        report = {"ruleset": record.ruleset, **stored.found}
        report.pop("rules")
    data: Analysis = {
        "state": stage.state,
        "progress": stage.progress,
        "total": stage.total,
        "engine": analyses.ENGINE,
        "made": written_moment(stored.made) if stored and stored.made else None,
        "analysis": report,
    }
    status = 200 if stored is not None else begun
    return Response(data, status=status)
