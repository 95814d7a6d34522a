"""Log-in through another site: django-allauth's views, with handling of its failures."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.internal.decorators import login_not_required
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.providers.openid_connect import views
from django.http import HttpRequest, HttpResponseBase
from requests import RequestException

View = Callable[[HttpRequest, str], Any]


def _handle_failures(view: View) -> View:
    """Decorate a view to show an error page if the other site does not respond properly."""

    @login_not_required
    @wraps(view)
    def respond(request: HttpRequest, provider_id: str) -> HttpResponseBase:
        try:
            response: HttpResponseBase = view(request, provider_id)
        except (RequestException, LookupError, TypeError, ValueError) as error:
            response = render_authentication_error(request, provider_id, exception=error)
        return response

    return respond


login = _handle_failures(views.login)
callback = _handle_failures(views.callback)
