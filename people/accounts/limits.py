"""Rate limits of account forms: by address, by name, by account.

Password tries are counted by address and name, by address, and by name from all addresses, so that
many addresses help an attacker little. The limit by name would let attackers lock an owner out, so
the limit does not apply to

- browsers in which the owner was logged in (`people.accounts.browsers`), which are counted
  separately;
- the link for a new password, from a mail or from the staff, which logs its bearer in;
- open sessions.

Unknown names are counted in the same way, and refused with the same message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from allauth.account.internal.stagekit import unstash_login
from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people.accounts import browsers
from records.serving.limits import RateLimit, step
from records.serving.senders import address_of, sender_of

RateLimits = Iterator[RateLimit]


def refused(request: HttpRequest) -> HttpResponse | None:
    """Count a form, and return 429 if it exceeds a rate limit, or else None."""
    match = request.resolver_match
    limit = LIMITS.get(match.view_name) if match is not None else None
    if limit is None or request.method != "POST":
        return None
    # One after the other: a try refused by the first does not count for the next.
    late = next((one for one in limit(request) if one.too_fast), None)
    if late is None:
        return None
    minutes = -(-late.left // 60)
    message = ngettext("Try again in a minute.", "Try again in %(minutes)d minutes.", minutes)
    context: dict[str, Any] = {
        "title": _("Too many attempts"),
        "error": message % {"minutes": minutes},
    }
    if limit is _log_in:
        context["others"] = [("account_reset_password", _("Forgot the password?"))]
    response = render(request, "people/form.html", context, status=429)
    response["Retry-After"] = str(late.left)
    return response


def _log_in(request: HttpRequest) -> RateLimits:
    # However it is written: as the form and the database take it for one name.
    written = request.POST.get("login", "").strip()[:200]
    name = get_user_model().normalize_username(written).casefold()
    browser = browsers.known(request, name)
    if browser is not None:
        yield from _tries(f"browser:{browser}")
        return
    address = address_of(request)
    yield step("login", f"{address}\n{name}")
    yield step("logins", address)
    yield step("account", name)
    yield step("account-day", name)


def _password(request: HttpRequest) -> RateLimits:
    """Count by user, so that a stolen session cannot be used to guess the password."""
    yield from _tries(f"user:{request.user.pk}")


def _tries(who: str) -> RateLimits:
    yield step("login", who)
    yield step("account", who)
    yield step("account-day", who)


def _code(request: HttpRequest) -> RateLimits:
    """Count by account and password.

    After a new password, tries with the old one do not count.
    """
    user: Any = request.user
    if not user.is_authenticated:
        login = unstash_login(request, peek=True)
        user = login.user if login is not None else None
    if user is not None:
        who = f"codes:{user.pk}:{user.get_session_auth_hash()}"
        yield step("codes", who)
        yield step("account-day", who)


def _register(request: HttpRequest) -> RateLimits:
    yield step("register", address_of(request))


def _elsewhere(request: HttpRequest) -> RateLimits:
    """Count log-ins through another site, each of which sends a request to that site."""
    yield step("logins", address_of(request))


def _link(request: HttpRequest) -> RateLimits:
    """Count requests for mails; `people.accounts.adapter` counts the mails by address."""
    yield step("reset", sender_of(request))


#: By the name of the address.
LIMITS: Final[dict[str, Callable[[HttpRequest], RateLimits]]] = {
    "account_login": _log_in,
    "account_signup": _register,
    "socialaccount_signup": _register,
    "openid_connect_login": _elsewhere,
    "account_reset_password": _link,
    "account_email": _link,
    "account_change_password": _password,
    "account_reauthenticate": _password,
    "mfa_authenticate": _code,
    "mfa_reauthenticate": _code,
    "mfa_activate_totp": _code,
}
