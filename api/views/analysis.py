"""The analysis of a game, and similar situations of other games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import READING
from api.caching import cached_get
from api.paging import (
    PAGE_PARAMETERS,
    build_link,
    link_header,
    parse_cursor,
    parse_page_size,
)
from api.problems import ANALYSES, FORBIDDEN, NO_ANALYSIS, Problem, invalid_parameter
from api.views.base import Resource, document
from api.views.records import get_game
from kafu import cards
from kafu.comparing.situations import Compared, Match
from people.models import READ, UPLOAD
from records.models import Record
from records.search.selection import AFTER, BEFORE
from records.services import analyses
from records.services.analyses import Crowded, NoCards, Stage, TooLong
from records.serving.senders import origin_of
from records.shapes.analysis import (
    ComparedStep,
    GameAnalysis,
    Situation,
    SituationChoice,
    SituationPlace,
    Situations,
)
from records.states import of_record_and_ruleset
from records.statistics.situations import (
    ChoiceMade,
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


class RecordAnalysis(Resource):
    """The value of each choice of a game."""

    throttle_scope = READING

    def scopes_for(self, request: Request) -> tuple[str, ...]:
        """Return the scope for uploads for requests to analyse."""
        return (UPLOAD,) if request.method == "POST" else (READ,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Apply the rate limit `analysis` to requests to analyse."""
        if request.method == "POST":
            self.throttle_scope = "analysis"
        super().initial(request, *args, **kwargs)

    @document(
        "records_analysis",
        "The value of each choice of a game, with errors",
        GameAnalysis,
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
        {200: GameAnalysis, 202: GameAnalysis},
        description=(
            "Workers analyse the game in the background; `GET` returns the progress. A finished "
            "or running analysis is not restarted. 429 with the code `too-many-analyses` while "
            "the maximum number of games of your account (`limit`) wait. Accounts younger than a"
            " week share this limit with other accounts at the same address. Without an account "
            "one game of an address can wait, of at most a year; a longer one is refused with 403."
        ),
        request=None,
        problems=(403, 404, 410),
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
        except TooLong as error:
            raise Problem(FORBIDDEN, error.words()) from error
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
    data = GameAnalysis.build(
        stage,
        engine=analyses.ENGINE,
        made=stored.made if stored else None,
        analysis=report,
    )
    return Response(data, status=200 if stored is not None else begun)


class RecordSituations(Resource):
    """The games that share a situation."""

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
        following = previous = None
        if page.behind:
            following = build_link(request, AFTER, page.places[-1].order)
        if page.before:
            previous = build_link(request, BEFORE, page.places[0].order)
        return Response(
            Situations(
                record.key,
                is_complete(record.ruleset),
                query.as_of if query else None,
                [ComparedStep(**_place(compared)) for compared in rows],
                _show_situation(query, counts) if query and counts else None,
                following,
                previous,
                _list_results(counts, page.places) if counts else [],
            ),
            headers=link_header(following, previous),
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


def _place(compared: Compared) -> dict[str, Any]:
    """Return the fields of `ComparedStep`."""
    at = compared.situation
    return {"at": f"{at.deal}.{at.step}", "aspect": at.kind.name.lower(), "seat": at.seat}


def _show_situation(query: SituationQuery, counts: SituationCounts) -> Situation:
    compared = query.compared
    decisive = compared.decisive
    threat = decisive.threat if decisive else None
    decision = {**decisive._asdict(), "threat": threat and threat._asdict()} if decisive else {}
    return Situation(
        **_place(compared),
        **decision,
        field=cards.letters(compared.field),
        captured=[cards.letters(captured_cards) for captured_cards in compared.captured],
        match=query.match,
        fixed=query.fixed,
        n=counts.cases,
        games=counts.games,
        choices=[_show_choice(choice, compared) for choice in counts.choices],
    )


def _show_choice(choice: ChoiceMade, compared: Compared) -> SituationChoice:
    estimates: list[Any] = [*choice.share, *choice.margin, *choice.score]
    card, take = map(cards.letters, (choice.means.card, choice.means.take))
    is_own = choice.number == compared.situation.choice
    return SituationChoice(card, take, choice.means.word, is_own, choice.cases, *estimates)


def _list_results(counts: SituationCounts, places: Sequence[Place]) -> list[SituationPlace]:
    rows = {choice.number: row for row, choice in enumerate(counts.choices)}
    keys = load_keys(places)
    return [
        SituationPlace.build(
            place,
            key=keys[place.game],
            at=f"{place.deal}.{place.step}",
            choice=rows[place.choice],
        )
        for place in places
        if place.game in keys
    ]
