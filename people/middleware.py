"""Middleware for all account pages, including those of django-allauth.

Template context of account pages.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core.cache import cache
from django.db import Error
from django.http import HttpRequest, HttpResponse

from people.accounts import limits, sessions
from records.models import Visibility
from records.privacy.access import NO_STORE, add_visibility_headers, mark
from records.serving.cached_responses import is_personal, is_same_for_all

Respond = Callable[[HttpRequest], HttpResponse]
#: Path prefixes of account pages, and of the endpoints that give tokens.
OURS: Final = ("/account/", "/me/", "/oauth/")
#: Seconds between two records of the use of a session.
SEEN: Final = 300

logger = logging.getLogger(__name__)


class AccountMiddleware:
    """Middleware that applies rate limits, confirmed sessions and private responses."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Keep account pages, and pages that may show the visitor, out of caches.

        Otherwise the browser of a logged-out user would show such pages again.
        """
        if request.path_info.startswith(OURS):
            mark(request, Visibility.PRIVATE)
        response = self.get_response(request)
        _record_use(request)
        add_visibility_headers(request, response)
        if is_personal(request) and not is_same_for_all(response):
            response["Cache-Control"] = NO_STORE
        return response

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """Refuse a form that exceeds a rate limit (429) or lacks a confirmed session (403)."""
        return limits.limit_form(request) or sessions.require_log_in(request)


def _record_use(request: HttpRequest) -> None:
    """Record time and network of the last use of a session, every `SEEN` seconds at most.

    Requests that did not read the user cost no query.
    """
    key = request.session.session_key
    if key and request.session.accessed and request.user.is_authenticated:
        try:
            if cache.add(f"seen:{key}", 1, SEEN):
                UserSession.objects.create_from_request(request)
        except Error as error:  # the request itself succeeded
            logger.warning("a session is not noted: %s", error)


def account_context(request: HttpRequest) -> dict[str, Any]:
    """Return whether registration is open, whether mails are sent, and the other log-in site."""
    return {
        "registration_open": settings.REGISTRATION_OPEN,
        "sends_mail": settings.MAIL,
        "openid": settings.OPENID and {"id": settings.OPENID_ID, "name": settings.OPENID["name"]},
    }
