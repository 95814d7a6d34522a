"""Responses to requests refused before the view or by errors of the view."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.template import loader
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from api import problems
from api.parsers import declared_length
from hanaarchive.http.unavailable import find_transient_cause, unavailable
from records.facts.database import RETRY_SECONDS, QueryTimeout
from records.pages.game.corrected import gone_page
from records.search.games import GameGone
from records.serving.computing import TooCostly
from records.serving.gates import RequestRefused, TooMany
from records.serving.limits import SMALL, limit_of
from records.serving.readers import ReaderGone

#: The longest wait after which the browser loads a page again by itself.
RELOAD_SECONDS: Final = 10
#: The status in logs and metrics of a request whose reader has gone, as in those of nginx.
GONE_READER: Final = 499


class RefusedRequests:
    """Middleware around the view: 413 before the view, and the responses to errors of the view.

    A refused method gets a page, as somebody may load the address of a sent form again. The REST
    framework handles most errors of API views earlier.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response of the view."""
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            return _explain_method(request, response)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], *_arguments: Any
    ) -> HttpResponse | None:
        """Return 413 for a body larger than the limit of the address, else None.

        Waitress gives a length for chunked bodies too. Parsing a URL-encoded body takes memory of
        eighty times the size, hence the small limit; forms send long texts as multipart.
        """
        length = declared_length(request)
        is_encoded = request.content_type == "application/x-www-form-urlencoded"
        limit = SMALL if is_encoded else limit_of(view)
        if length <= limit.bytes:
            return None
        if request.path_info.startswith(problems.PREFIX):
            detail = _("At most %(limit)d bytes can be sent here.") % {"limit": limit.most()}
            return problems.problem_response(
                problems.TOO_LARGE, detail, request.path, limit=limit.most()
            )
        return render(request, "413.html", {"limit": limit.most()}, status=413)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the response to an error of a view; None for an error in our code."""
        if isinstance(error, GameGone):
            return gone_page(request, error)
        if isinstance(error, ReaderGone):
            return _mark_logged(HttpResponse(status=GONE_READER))
        if isinstance(error, TooCostly):
            context = {"heading": _("Too much to compute"), "explanation": error.describe()}
            return render(request, "later.html", context, status=422)
        cause = find_transient_cause(error)
        return unavailable(cause) if cause is not None else _ask_again(request, error)


def _explain_method(request: HttpRequest, refused: HttpResponseNotAllowed) -> HttpResponse:
    """Return a response that refuses a method, with a page."""
    context = {
        "heading": _("Nothing to see here"),
        "explanation": _("This address only takes what a form sends. Go back to its page."),
    }
    refused.content = loader.render_to_string("later.html", context, request)
    refused["Content-Length"] = str(len(refused.content))
    return refused


@lru_cache(maxsize=512)
def _render_wait(message: str, wait: int, *, is_reloaded: bool, language: str | None) -> str:
    """Return a page that asks to wait, without the visitor's account, once for all visitors.

    A refusal must cost little, because senders who flood the site get hundreds a second.
    """
    context = {
        "heading": _("A moment, please"),
        "explanation": message % {"seconds": wait},
        "reload_after": wait if is_reloaded else 0,
    }
    return loader.get_template("later.html").render(context)


def _ask_again(request: HttpRequest, error: Exception) -> HttpResponse | None:
    """Return a response with Retry-After to a refused or too slow request.

    The status is 429 for a sender with too many requests, else 503.
    """
    if isinstance(error, QueryTimeout):
        status, wait = 503, RETRY_SECONDS
        message = _(
            "The query took too long; ask about fewer games, or try again in %(seconds)d seconds."
        )
    elif isinstance(error, TooMany):
        status, wait = 429, error.again
        message = _("Too many requests in a short time; try again in %(seconds)d seconds.")
    elif isinstance(error, RequestRefused):
        status, wait = 503, error.again
        message = _("The server is busy with large requests; try again in %(seconds)d seconds.")
    else:
        return None
    is_reloaded = request.method == "GET" and wait <= RELOAD_SECONDS
    page = _render_wait(message, wait, is_reloaded=is_reloaded, language=get_language())
    response = HttpResponse(page, status=status)
    response["Retry-After"] = str(wait)
    return _mark_logged(response)


def _mark_logged(response: HttpResponse) -> HttpResponse:
    """Return an intended and counted response, for which Django would log an error."""
    setattr(response, "_has_been_logged", True)  # noqa: B010
    return response
