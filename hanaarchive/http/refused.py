"""The response to an expensive request of a page that was not started, or not finished."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from records.facts.database import RETRY_SECONDS, QueryTimeout
from records.serving.in_flight import Refused, TooMany

#: The longest wait after which the browser loads a page again by itself.
RELOAD_SECONDS: Final = 10


class RefusedRequests:
    """Middleware: respond to refused requests and queries that took too long with Retry-After.

    The status is 429 for a sender with too many requests, else 503.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response of the view."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the response to a refused request; None for other errors.

        The REST framework handles the errors of its own views.
        """
        if isinstance(error, QueryTimeout):
            status, wait = 503, RETRY_SECONDS
            message = _(
                "The query took too long; ask about fewer games, or try again in %(seconds)d "
                "seconds."
            )
        elif isinstance(error, TooMany):
            status, wait = 429, error.again
            message = _("Too many requests in a short time; try again in %(seconds)d seconds.")
        elif isinstance(error, Refused):
            status, wait = 503, error.again
            message = _("The server is busy with large requests; try again in %(seconds)d seconds.")
        else:
            return None
        is_reloaded = request.method == "GET" and wait <= RELOAD_SECONDS
        explanation = message % {"seconds": wait}
        context = {"explanation": explanation, "reload_after": wait if is_reloaded else 0}
        response = render(request, "later.html", context, status=status)
        response["Retry-After"] = str(wait)
        # The response is intended and counted: Django would log an error for each.
        setattr(response, "_has_been_logged", True)  # noqa: B010
        return response
