"""Clean-up of expired sessions.

Known browsers: recognised by a cookie from an earlier log-in, and described in words.

Password tries from a known browser are counted separately, so that attackers who try an account's
password repeatedly do not lock its owner out (`people.accounts.limits`). The cookie alone logs
nobody in.

Confirmation by the owner before changes to how an account is accessed.

A stolen session must not become permanent access. Owners with a password or a second factor enter
either again on django-allauth's pages. Owners without both log in through another site again,
because django-allauth would accept any session of such an owner.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from allauth.account import app_settings
from allauth.account.internal.flows import login, reauthentication
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.contrib.sessions.backends.db import SessionStore
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.html import format_html
from django.utils.translation import gettext as _

Respond = Callable[..., HttpResponse]

COOKIE: Final = "known_browser"
#: The path of the cookie.
PATH: Final = "/account/"
#: Lifetime of the cookie in seconds.
AGE: Final = 180 * 24 * 60 * 60
_SALT: Final = "people.accounts.sessions"
#: URL names of the forms that give access, django-allauth's and ours.
FORMS: Final = frozenset(
    {
        *("tokens", "delete_account", "account_set_password", "account_email"),
        *("mfa_activate_totp", "mfa_generate_recovery_codes", "openid_connect_login"),
    }
)
#: URL names of the pages with the forms, for forms without a separate page.
_BACK: Final = {"openid_connect_login": "socialaccount_connections"}


def remember(response: HttpResponse, user: Any) -> None:
    """Mark a browser as known to ``user`` by a cookie, until the password changes."""
    value = signing.dumps([user.pk, secrets.token_urlsafe(12), _password_mark(user)], salt=_SALT)
    response.set_cookie(
        COOKIE,
        value,
        max_age=AGE,
        path=PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def find_known_browser(request: HttpRequest, name: str) -> str | None:
    """Return the id of a known browser of the account with a user name, or None.

    The user name is compared without case.
    """
    try:
        pk, browser, mark = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=AGE)
    except (signing.BadSignature, TypeError, ValueError):
        return None
    user: Any = get_user_model().objects.filter(pk=pk).first()
    if user is None or user.get_username().casefold() != name.casefold():
        return None
    return str(browser) if constant_time_compare(mark, _password_mark(user)) else None


def _password_mark(user: Any) -> str:
    """Return a short text derived from the password hash."""
    return str(user.get_session_auth_hash()[:16])


#: Browsers by user agent. The order matters, because Edge, for example, also claims to be Chrome.
_PROGRAMS: Final = (
    *(
        ("Edge", r"Edg(?:e|A|iOS)?/"),
        ("Opera", r"OPR/|Opera"),
        ("Samsung Internet", "SamsungBrows"),
    ),
    *(
        ("Firefox", r"Firefox/|FxiOS/"),
        ("Chrome", r"Chrom(?:e|ium)/|CriOS/"),
        ("Safari", "Safari/"),
    ),
)
_SYSTEMS: Final = (
    *(("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("ChromeOS", "CrOS")),
    *(("Windows", "Windows"), ("macOS", "Macintosh"), ("Linux", "Linux|X11")),
)


def describe_browser(agent: str) -> str:
    """Return a user agent in words: “Firefox, Windows”, or “another program”.

    >>> in_words("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    """
    names = [
        next((name for name, sign in kind if re.search(sign, agent)), "")
        for kind in (_PROGRAMS, _SYSTEMS)
    ]
    return ", ".join(filter(None, names)) or _("another program")


def tidy() -> None:
    """Remove expired sessions; a chore of the sweep."""
    SessionStore.clear_expired()


def require_log_in(request: HttpRequest) -> HttpResponse | None:
    """Return the page for logging in at the other site again, if the form requires that."""
    match = request.resolver_match
    if match is None or match.view_name not in FORMS or request.method != "POST":
        return None
    user = request.user
    if not user.is_authenticated or _can_confirm_here(user) or _is_recent(request):
        return None
    processes = {request.GET.get("process"), request.POST.get("process")}
    if match.view_name == "openid_connect_login" and "connect" not in processes:
        return None
    back = request.path
    if match.view_name in _BACK:
        back = reverse(_BACK[match.view_name])
    return _ask_to_log_in(request, back)


def require_confirmation(view: Respond) -> Respond:
    """Serve a page to a user whose session was opened or confirmed recently (decorator).

    Ask other users to confirm it, and lead them back to the page.
    """

    @wraps(view)
    def respond(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if _is_recent(request):
            return view(request, *args, **kwargs)
        if _can_confirm_here(request.user):
            raise ReauthenticationRequired
        return _ask_to_log_in(request, request.get_full_path())

    return login_required(respond)


def _ask_to_log_in(request: HttpRequest, back: str) -> HttpResponse:
    """Return the page for logging in at the other site, which leads back to an address."""
    field = format_html('<input type="hidden" name="next" value="{}">', back)
    return render(request, "account/log_in_again.html", {"redirect_field": field}, status=403)


def _can_confirm_here(user: Any) -> bool:
    return bool(reauthentication.get_reauthentication_flows(user))


def _is_recent(request: HttpRequest) -> bool:
    """Return whether the session was opened recently."""
    since = time.time() - app_settings.REAUTHENTICATION_TIMEOUT
    records = login.get_authentication_records(request, request.user)
    return any(record["at"] > since for record in records)
