"""The analysis of a game: requested, followed, and read."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import ANALYSES, NO_ANALYSIS, Problem
from api.schemas import schema_of
from api.throttling import READING
from api.views.base import LANG, Resource, problems
from api.views.records import found
from kafu.analysis.json_types import ReportParts
from kafu.notation.json_types import OneOf, Ruleset
from people.models import READ, UPLOAD
from records.base.json_types import Moment
from records.models import Record
from records.search.export_forms import format_moment
from records.serving.senders import origin_of
from records.store import analyses
from records.store.analyses import Crowded, NoCards, Stage

#: Seconds after which to ask again where too many games of the account wait.
_AGAIN = 60


class Report(ReportParts):
    """A whole analysis."""

    ruleset: Ruleset


class Analysis(TypedDict):
    """How far the analysis of a game is, and the analysis."""

    state: Annotated[str, OneOf("AnalysisState", ("none", "waiting", "running", "failed", "done"))]
    progress: Annotated[int, "Choices and deals that are done."]
    total: Annotated[int | None, "All of them, once counted."]
    engine: Annotated[str, "The version that makes it."]
    made: Moment | None
    analysis: Report | None


class RecordAnalysis(Resource):
    """What each choice of a game was worth."""

    throttle_scope = READING

    def scopes_for(self, request: Request) -> tuple[str, ...]:
        """A request for work needs a token that may upload."""
        return (UPLOAD,) if request.method == "POST" else (READ,)

    def needs_account(self, method: str) -> bool:
        """Work is done for accounts."""
        return method == "POST"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Requests for work have a limit of their own."""
        if request.method == "POST":
            self.throttle_scope = "analysis"
        super().initial(request, *args, **kwargs)

    @extend_schema(
        operation_id="records_analysis",
        summary="What each choice of a game was worth, with errors",
        description=(
            "`state` is `none` until somebody asks for it by `POST`. Values are what a seat could "
            "expect from what it knew; see the guide to the analysis. 404 with the code "
            "`no-analysis` for score sheets, and rulesets that this version does not support."
        ),
        parameters=[LANG],
        responses={200: schema_of(Analysis), **problems(400, 404, 410)},
    )
    def get(self, request: Request, key: str) -> Response:
        """How far it is, and the analysis once it is done."""
        record = found(request, key)
        try:
            return _answer(record, analyses.progress_of(record))
        except NoCards as error:
            raise _no_analysis() from error

    @extend_schema(
        operation_id="records_analyse",
        summary="Have a game analysed",
        description=(
            "Workers do it in the background; `GET` says how far they are. One that is done or "
            "under way is not begun again. 429 with the code `too-many-analyses` while as many "
            "games of your account wait as can: `limit`. Accounts younger than a week share this "
            "number with others at their address."
        ),
        parameters=[LANG],
        request=None,
        responses={
            200: schema_of(Analysis),
            202: schema_of(Analysis),
            **problems(400, 404, 410),
        },
    )
    def post(self, request: Request, key: str) -> Response:
        """202, or 200 if it is done."""
        record = found(request, key)
        try:
            user: Any = request.user
            stage = analyses.request(record, account=user.pk, origin=origin_of(request))
            return _answer(record, stage, begun=202)
        except NoCards as error:
            raise _no_analysis() from error
        except Crowded as error:
            raise Problem(ANALYSES, error.words(), wait=_AGAIN, limit=error.most) from error


def _no_analysis() -> Problem:
    return Problem(NO_ANALYSIS, _("This game has no cards that could be analysed."))


def _answer(record: Record, far: Stage, *, begun: int = 200) -> Response:
    kept = far.analysis
    whole: Any = None
    if kept is not None:
        # The library has Kafu's name for it, the archive its own.
        whole = {"ruleset": record.ruleset, **kept.found}
        whole.pop("rules")
    data: Analysis = {
        "state": far.state,
        "progress": far.progress,
        "total": far.total,
        "engine": analyses.ENGINE,
        "made": format_moment(kept.made) if kept and kept.made else None,
        "analysis": whole,
    }
    status = 200 if kept is not None else begun
    return Response(data, status=status)
