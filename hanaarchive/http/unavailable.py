"""503 with Retry-After for transient errors: a full disk, an unavailable or locked database.

The same request may succeed later, so 500 would be wrong. Below /api/ `api.problems` returns a
problem instead.
"""

from __future__ import annotations

import logging
import sys

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.exceptions import SessionInterrupted
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views import defaults

from records.base.transient import RETRY_AFTER, is_transient
from records.facts.database import StatisticsAway
from records.privacy.access import NO_STORE

logger = logging.getLogger(__name__)


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle an error after the view, for example in saving a session, as handler500."""
    cause = find_transient_cause(sys.exc_info()[1])
    return unavailable(cause) if cause is not None else defaults.server_error(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Handle bad requests as handler400. Django mistakes unsaved sessions for deleted ones."""
    cause = find_transient_cause(exception)
    return unavailable(cause) if cause is not None else bad_request_page()


def bad_request_page() -> HttpResponse:
    """Return the page about a bad request.

    The page does not read the request: parsing its query or cookies again could fail again.
    """
    return HttpResponse(loader.get_template("400.html").render(), status=400)


def find_transient_cause(error: BaseException | None) -> BaseException | None:
    """Return the transient error behind an error or behind a session's error, else None."""
    while isinstance(error, SessionInterrupted | UpdateError):
        error = error.__context__
    return error if error is not None and is_transient(error) else None


def unavailable(error: BaseException) -> HttpResponse:
    """Return the response, a page without use of the database."""
    logger.warning("unavailable: %s", error)
    context = {"is_of_statistics": isinstance(error, StatisticsAway)}
    response = HttpResponse(loader.get_template("503.html").render(context), status=503)
    response["Retry-After"] = str(RETRY_AFTER)
    response["Cache-Control"] = NO_STORE
    return response
