"""Middleware for all pages of people, those of django-allauth included."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

from allauth.usersessions.models import UserSession
from django.core.cache import cache
from django.db import Error
from django.http import HttpRequest, HttpResponse

from people.accounts import limits, reauthentication
from records.models import Visibility
from records.privacy.access import mark

Respond = Callable[[HttpRequest], HttpResponse]
#: Their paths.
OURS: Final = ("/account/", "/me/")
#: Seconds after which the use of a session is recorded again.
SEEN: Final = 300

logger = logging.getLogger(__name__)


def private(get_response: Respond) -> Respond:
    """Their answers, errors too, are for this one caller: not cached."""

    def respond(request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(OURS):
            mark(request, Visibility.PRIVATE)
        return get_response(request)

    return respond


class FormLimits:
    """Rate limits of forms (`people.accounts.limits`)."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """429 for a form that was sent too often."""
        return limits.refused(request)


class Confirmations:
    """Forms that give access need a confirmed session (`people.accounts.reauthentication`)."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """403 for who logs in through another site alone, and did not do so lately."""
        return reauthentication.refused(request)


def seen(get_response: Respond) -> Respond:
    """Record when and from where a session was last used, at most every `SEEN` seconds.

    Only of requests that used the user: all others cost nothing.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        key = request.session.session_key
        if key and request.session.accessed and request.user.is_authenticated:
            try:
                if cache.add(f"seen:{key}", 1, SEEN):
                    UserSession.objects.create_from_request(request)
            except Error as error:  # no reason to fail what was done
                logger.warning("a session is not noted: %s", error)
        return response

    return respond
