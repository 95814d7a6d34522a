"""503 with Retry-After for transient errors: a full disk, a database that is unavailable or locked.

The same request may succeed later, so 500 would be wrong. Below /api/ `api.problems` makes a
problem of it.
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

logger = logging.getLogger(__name__)


def server_error(request: HttpRequest) -> HttpResponse:
    """The handler500 of the URLconf: sessions, for one, are saved after the view has ended."""
    cause = behind(sys.exc_info()[1])
    return unavailable(cause) if cause is not None else defaults.server_error(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The handler400: Django takes a session that could not be saved for one that was deleted."""
    cause = behind(exception)
    return unavailable(cause) if cause is not None else defaults.bad_request(request, exception)


def behind(error: BaseException | None) -> BaseException | None:
    """The transient error that an error is, or that the session's error hides; else None."""
    while isinstance(error, SessionInterrupted | UpdateError):
        error = error.__context__
    return error if error is not None and is_transient(error) else None


def unavailable(error: BaseException) -> HttpResponse:
    """The answer; its page uses no database, not even for the user."""
    logger.warning("unavailable: %s", error)
    response = HttpResponse(loader.get_template("503.html").render(), status=503)
    response["Retry-After"] = str(RETRY_AFTER)
    response["Cache-Control"] = "private, no-store"
    return response
