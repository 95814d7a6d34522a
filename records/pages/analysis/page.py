"""The page of an analysis, on which an analysis is requested too."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from records.base import labels
from records.base.release import find_engine
from records.models import Record
from records.pages.analysis.curve import describe
from records.pages.game.page import game_preview, record_of
from records.pages.game.player_data import replay_of
from records.pages.parameters import RESULTS
from records.services import analyses
from records.services.analyses import Crowded, NoCards, Stage, TooLong
from records.serving.cached_responses import cached_page
from records.serving.limits import step
from records.serving.senders import origin_of, sender_of
from records.states import of_record

#: Seconds until the next attempt of an account with too many waiting games.
_RETRY_SECONDS: Final = 60


def of_analysis(request: HttpRequest, key: str) -> tuple[object, ...] | None:
    """Return the state of a game's analysis page: of the game and of the analysis."""
    state = of_record(request, key)
    return None if state is None else (*state, *analyses.state_of(key))


@csrf_exempt  # a request without an account acts for nobody, and its page is cached
@require_http_methods(["GET", "HEAD", "POST"])
def analysis(request: HttpRequest, key: str) -> HttpResponse:
    """Show the analysis of a game, or request it by POST.

    Raise Http404 for a game without cards.
    """
    if request.method != "POST":
        return _show(request, key=key)
    return (_request_of_account if request.user.is_authenticated else _request)(request, key)


@cached_page(of_analysis, parameters=RESULTS)
def _show(request: HttpRequest, key: str) -> HttpResponse:
    record = record_of(request, key)
    return _page(request, record, _stage(record))


def _request(request: HttpRequest, key: str) -> HttpResponse:
    record = record_of(request, key)
    stage = _stage(record)
    address = reverse("analysis", args=[record.key])
    limit = step("analysis", sender_of(request))
    if limit.too_fast:
        words = _("Too many requests for analyses: try again in %(seconds)d seconds.")
        return _refuse(request, record, stage, words % {"seconds": limit.left}, 429, limit.left)
    try:
        analyses.request(record, account=request.user.pk, origin=origin_of(request))
    except TooLong as error:
        return _refuse(request, record, stage, error.words(), 403)
    except Crowded as error:
        return _refuse(request, record, stage, error.words(), 429, _RETRY_SECONDS)
    return HttpResponseRedirect(address)


_request_of_account: Final = csrf_protect(_request)


def _stage(record: Record) -> Stage:
    try:
        return analyses.progress_of(record)
    except NoCards as error:
        raise Http404 from error


def _refuse(
    request: HttpRequest, record: Record, stage: Stage, words: str, status: int, wait: int = 0
) -> HttpResponse:
    response = _page(request, record, stage, error=words, status=status)
    if wait:
        response.headers["Retry-After"] = str(wait)
    return response


def _page(
    request: HttpRequest, record: Record, stage: Stage, *, error: str = "", status: int = 200
) -> HttpResponse:
    replay = replay_of(record) if stage.analysis else None
    shown: dict[str, Any] = {}
    if stage.analysis and replay:
        shown = describe(replay, record.verdict, stage.analysis.found)
    context = {
        "record": record,
        "preview": game_preview(record, url=request.path),
        "title": " – ".join(labels.people(record.players)),
        "page": reverse("game", args=[record.key]),
        "report": reverse("api:record-analysis", args=[record.key]),
        "stage": stage,
        "engine": find_engine(),
        "error": error,
        **shown,
    }
    return render(request, "records/analysis.html", context, status=status)
