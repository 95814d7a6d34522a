"""The response to an expensive request of a page that was not started."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from records.serving.in_flight import Refused, TooMany

#: The longest wait after which the browser loads a page again by itself.
RELOAD_SECONDS: Final = 10


class RefusedRequests:
    """Middleware: turn :class:`records.serving.in_flight.Refused` into 429 or 503 with
    Retry-After.
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
        if not isinstance(error, Refused):
            return None
        status = 429 if isinstance(error, TooMany) else 503
        message = {
            429: _("Too many requests in a short time; try again in %(seconds)d seconds."),
            503: _("The server is busy with large requests; try again in %(seconds)d seconds."),
        }[status] % {"seconds": error.again}
        is_reloaded = request.method == "GET" and error.again <= RELOAD_SECONDS
        context = {"said": message, "reload_after": error.again if is_reloaded else 0}
        response = render(request, "later.html", context, status=status)
        response["Retry-After"] = str(error.again)
        # The response is intended and counted: Django would log an error for each.
        setattr(response, "_has_been_logged", True)  # noqa: B010
        return response
