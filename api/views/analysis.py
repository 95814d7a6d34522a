"""The analysis of a game, and similar situations of other games."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, TypedDict

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import READING
from api.caching import cached_get
from api.paging import PAGE_PARAMETERS, PARAMETERS, build_link, parse_cursor, parse_page_size
from api.problems import ANALYSES, NO_ANALYSIS, Problem, invalid_parameter
from api.views.base import Resource, document
from api.views.records import get_game
from kafu import cards
from kafu.analysis.json_types import ReportParts
from kafu.comparing.situations import Aspect, Compared, Match, Threat
from kafu.notation.json_types import OneOf, RulesetId
from people.models import READ, UPLOAD
from records.base.json_types import Moment, Url
from records.models import Record
from records.search.export_forms import format_moment
from records.search.selection import AFTER, BEFORE
from records.services import analyses
from records.services.analyses import Crowded, NoCards, Stage
from records.serving.senders import origin_of
from records.states import of_record_and_ruleset
from records.statistics.intervals import Estimate
from records.statistics.situations import (
    Place,
    PlacePage,
    SituationCounts,
    SituationQuery,
    compare_text,
    is_complete,
    load_keys,
    query_situation,
)
from records.wording.steps import parse_position

#: Retry-After in seconds while too many games of the account wait.
_AGAIN = 60


class Report(ReportParts):
    """A whole analysis."""

    ruleset: RulesetId


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

    @document(
        "records_analysis",
        "The value of each choice of a game, with errors",
        Analysis,
        description=(
            "`state` is `none` until an analysis is requested by `POST`. Values are the results "
            "that a seat could expect from its knowledge; see the guide to the analysis. 404 "
            "with the code `no-analysis` for score sheets, and rulesets that this version does "
            "not support."
        ),
        problems=(404, 410),
    )
    def get(self, request: Request, key: str) -> Response:
        """Return the progress, and the analysis once it is done."""
        record = get_game(request, key)
        try:
            return _respond(record, analyses.progress_of(record))
        except NoCards as error:
            raise _no_analysis() from error

    @document(
        "records_analyse",
        "Have a game analysed",
        {200: Analysis, 202: Analysis},
        description=(
            "Workers analyse the game in the background; `GET` returns the progress. A finished "
            "or running analysis is not restarted. 429 with the code `too-many-analyses` while "
            "the maximum number of games of your account (`limit`) wait. Accounts younger than a"
            " week share this limit with other accounts at the same address."
        ),
        request=None,
        problems=(404, 410),
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
        "made": format_moment(stored.made) if stored and stored.made else None,
        "analysis": report,
    }
    status = 200 if stored is not None else begun
    return Response(data, status=status)


class ComparedStep(TypedDict):
    """A step whose situation is compared. The situation is the table after the step."""

    at: Annotated[str, "Deal (from 1) and step (from 0), as in the replay: `3.14`."]
    aspect: Annotated[
        str,
        OneOf("Aspect", [aspect.name.lower() for aspect in Aspect]),
        "The part of the situation that is compared.",
    ]
    seat: Annotated[int, "The seat to play."]


class SituationChoice(TypedDict):
    """A choice in the cards of this game; other suits of the same meaning are translated."""

    card: Annotated[str, "The card played from the hand; empty for a word."]
    take: Annotated[str, "The captured card of a dealt field; empty for none."]
    word: Annotated[str, "The decision; empty for a card."]
    is_own: Annotated[bool, "Whether this game has the choice."]
    n: Annotated[int, "Number of times the choice was made."]
    share: float
    share_low: float
    share_high: float
    margin: Annotated[
        float,
        "Mean result of the deal from this step on, in the small unit; in koi-koi minus the "
        "opponent's result.",
    ]
    margin_low: Annotated[
        float | None, "95 % interval of the mean; null for fewer than ten cases, or equal ones."
    ]
    margin_high: float | None
    score: Annotated[float, "The same for the seat's own points."]
    score_low: float | None
    score_high: float | None


class Situation(ComparedStep):
    """The situation at a step.

    Depending on `aspect`, it has `field`, `captured`, or the members from `yaku` to `threat`.
    """

    field: Annotated[str, "The dealt field."]
    captured: Annotated[list[str], "Captured cards, from the seat in turn on."]
    yaku: Annotated[list[str], "The captured yaku of the seat."]
    stop: Annotated[int | None, "The value of stopping now, in the small unit."]
    left: Annotated[int | None, "Cards in hand."]
    calls: Annotated[
        list[int], "Number of times the seat, and the other seats, went on before in this deal."
    ]
    grade: Annotated[str | None, "The field grade."]
    carried: Annotated[str | None, "The carried-over grade, or `replay` for a replayed month."]
    threat: Annotated[Threat | None, "Null if opponents lack more than 2 cards of every yaku."]
    match: Match
    fixed: Annotated[list[str], "The parts that are equal in all cases."]
    n: Annotated[int, "Number of occurrences in public games."]
    games: Annotated[int, "Number of games with an occurrence."]
    choices: list[SituationChoice]


class SituationPlace(TypedDict):
    """A public game with the situation, and its step; `choice` is a row of `choices`."""

    key: str
    at: str
    choice: Annotated[int, "Row of `choices`, from 0."]
    margin: Annotated[int, "The result of the deal, as in `choices`."]
    score: Annotated[int, "The seat's own points."]


class Situations(TypedDict):
    """The games that share a situation."""

    key: str
    complete: Annotated[bool, "False while recently stored games are not counted yet."]
    as_of: Annotated[datetime | None, "When the counted data last changed; null without data."]
    steps: Annotated[list[ComparedStep], "All steps of this game with comparable situations."]
    situation: Annotated[
        Situation | None, "Null without `at`, and for a step without a comparable situation."
    ]
    next: Url | None
    previous: Url | None
    results: Annotated[list[SituationPlace], "The occurrences, newest game first."]


class RecordSituations(Resource):
    """The games that share a situation."""

    parameters = ("at", "match", *PARAMETERS)

    @document(
        "records_situations",
        "Games with the situation at a step: choices and results",
        Situations,
        description=(
            "Situations are compared under the same house rules: the dealt field before the "
            "first card of a deal (`field`), the captured cards of all seats before the second "
            "and third card (`captured`), and decisions to stop or go on (`decision`), as a "
            "whole or in part (`match`). Suits and cards that the rules do not distinguish count"
            " as the same. Only public games are counted. Without `at`, the response lists the "
            "steps of the game with comparable situations."
        ),
        parameters=[
            OpenApiParameter(
                "at",
                str,
                OpenApiParameter.QUERY,
                description="Deal and step, as in the replay: `3.14`.",
            ),
            OpenApiParameter(
                "match",
                str,
                OpenApiParameter.QUERY,
                enum=[match.value for match in Match],
                default=Match.EXACT.value,
                description=(
                    "The parts of a decision that must be equal: all (`exact`), the yaku and the"
                    " value of stopping (`value`), or the yaku (`yaku`)."
                ),
            ),
            *PAGE_PARAMETERS,
        ],
        problems=(404, 410, 412),
    )
    @cached_get(of_record_and_ruleset, group="situations")
    def get(self, request: Request, key: str) -> Response:
        """Return a page of games with the situation."""
        record = get_game(request, key)
        rows = compare_text(record.text)
        match = _read_match(request)
        requested = _find_requested(request, rows)
        cursor_text = request.query_params.get("cursor")
        direction, mark = parse_cursor(cursor_text, 3) if cursor_text else (AFTER, [])
        size = parse_page_size(request)
        query = query_situation(requested, record.ruleset, match) if requested else None
        counts = query.count() if query else None
        page = query.list_places(size, direction, mark) if query else PlacePage()
        return Response(
            {
                "key": record.key,
                "complete": is_complete(record.ruleset),
                "as_of": query.as_of if query else None,
                "steps": [_step_json(compared) for compared in rows],
                "situation": _situation_json(query, counts) if query and counts else None,
                "next": build_link(request, AFTER, page.places[-1].order) if page.behind else None,
                "previous": build_link(request, BEFORE, page.places[0].order)
                if page.before
                else None,
                "results": _list_results(counts, page.places) if counts else [],
            }
        )


def _read_match(request: Request) -> Match:
    """Return the parts to be matched; raise a 400 problem for an unknown value."""
    text = request.query_params.get("match", Match.EXACT)
    try:
        return Match(text)
    except ValueError:
        allowed = ", ".join(Match)
        message = _("match: expected one of %(allowed)s.") % {"allowed": allowed}
        raise invalid_parameter("match", message) from None


def _find_requested(request: Request, rows: Sequence[Compared]) -> Compared | None:
    """Return the situation at the step of the query; raise a 400 problem if invalid."""
    text = request.query_params.get("at", "")
    at = parse_position(text) if text else None
    if text and at is None:
        raise invalid_parameter("at", _("at: expected deal and step, as 3.14."))
    if at is None:
        return None
    steps = (row for row in rows if (row.situation.deal, row.situation.step) == (at.deal, at.step))
    return next(steps, None)


def _step_json(compared: Compared) -> ComparedStep:
    at = compared.situation
    return {"at": f"{at.deal}.{at.step}", "aspect": at.kind.name.lower(), "seat": at.seat}


def _situation_json(query: SituationQuery, counts: SituationCounts) -> dict[str, Any]:
    compared = query.compared
    decisive = compared.decisive
    threat = decisive.threat if decisive else None
    return {
        **_step_json(compared),
        "field": cards.letters(compared.field),
        "captured": [cards.letters(captured_cards) for captured_cards in compared.captured],
        "yaku": list(decisive.yaku) if decisive else [],
        "stop": decisive.stop if decisive else None,
        "left": decisive.left if decisive else None,
        "calls": list(decisive.calls) if decisive else [],
        "grade": decisive.grade if decisive else None,
        "carried": decisive.carried if decisive else None,
        "threat": threat and threat._asdict(),
        "match": query.match.value,
        "fixed": list(query.fixed),
        "n": counts.cases,
        "games": counts.games,
        "choices": [
            {
                "card": cards.letters(choice.means.card),
                "take": cards.letters(choice.means.take),
                "word": choice.means.word,
                "is_own": choice.number == compared.situation.choice,
                "n": choice.cases,
                **_estimate_json("share", choice.share),
                **_estimate_json("margin", choice.margin),
                **_estimate_json("score", choice.score),
            }
            for choice in counts.choices
        ],
    }


def _estimate_json(name: str, estimate: Estimate) -> dict[str, float | None]:
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def _list_results(counts: SituationCounts, places: Sequence[Place]) -> list[dict[str, Any]]:
    rows = {choice.number: row for row, choice in enumerate(counts.choices)}
    keys = load_keys(places)
    return [
        {
            "key": keys[place.game],
            "at": f"{place.deal}.{place.step}",
            "choice": rows[place.choice],
            "margin": place.margin,
            "score": place.score,
        }
        for place in places
        if place.game in keys
    ]
