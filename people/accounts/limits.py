"""Rate limits of account forms: by address, by name, by account.

Password tries are counted by address and name, by address, and by name from all addresses, so that
many addresses help an attacker little. The limit by name would let attackers lock an owner out, so
the limit does not apply to

- browsers in which the owner was logged in (`people.accounts.sessions`), which are counted
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

from people.accounts import sessions
from records.serving.limits import RateLimit, step
from records.serving.senders import address_of, sender_of

RateLimits = Iterator[RateLimit]


def limit_form(request: HttpRequest) -> HttpResponse | None:
    """Count a form, and return 429 if it exceeds a rate limit, or else None."""
    match = request.resolver_match
    limit = LIMITS.get(match.view_name) if match is not None else None
    if limit is None or request.method != "POST":
        return None
    # The limits are evaluated lazily: a try refused by one limit does not count for the next.
    exceeded = next((rate_limit for rate_limit in limit(request) if rate_limit.too_fast), None)
    if exceeded is None:
        return None
    minutes = -(-exceeded.left // 60)
    message = ngettext("Try again in a minute.", "Try again in %(minutes)d minutes.", minutes)
    context: dict[str, Any] = {
        "title": _("Too many attempts"),
        "error": message % {"minutes": minutes},
    }
    if limit is _limit_log_in:
        context["others"] = [("account_reset_password", _("Forgot the password?"))]
    response = render(request, "people/form.html", context, status=429)
    response["Retry-After"] = str(exceeded.left)
    return response


def _limit_log_in(request: HttpRequest) -> RateLimits:
    # Normalize like the form and the database, so all spellings of a name share a limit.
    typed_name = request.POST.get("login", "").strip()[:200]
    name = get_user_model().normalize_username(typed_name).casefold()
    browser = sessions.find_known_browser(request, name)
    if browser is not None:
        yield from _count_tries(f"browser:{browser}")
        return
    address = address_of(request)
    yield step("login", f"{address}\n{name}")
    yield step("logins", address)
    yield step("account", name)
    yield step("account-day", name)


def _limit_password(request: HttpRequest) -> RateLimits:
    """Count by user, so that a stolen session cannot be used to guess the password."""
    yield from _count_tries(f"user:{request.user.pk}")


def _count_tries(who: str) -> RateLimits:
    yield step("login", who)
    yield step("account", who)
    yield step("account-day", who)


def _limit_code(request: HttpRequest) -> RateLimits:
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


def _limit_device_code(request: HttpRequest) -> RateLimits:
    """Count the codes of terminals that a user enters, most of all guesses."""
    yield step("codes", f"device:{request.user.pk}")


def _limit_registration(request: HttpRequest) -> RateLimits:
    yield step("register", address_of(request))


def _limit_other_site(request: HttpRequest) -> RateLimits:
    """Count log-ins through another site, each of which sends a request to that site."""
    yield step("logins", address_of(request))


def _limit_mails(request: HttpRequest) -> RateLimits:
    """Count requests for mails; `people.accounts.adapter` counts the mails by address."""
    yield step("reset", sender_of(request))


#: Limits of forms by URL name.
LIMITS: Final[dict[str, Callable[[HttpRequest], RateLimits]]] = {
    "account_login": _limit_log_in,
    "account_signup": _limit_registration,
    "socialaccount_signup": _limit_registration,
    "openid_connect_login": _limit_other_site,
    "account_reset_password": _limit_mails,
    "account_email": _limit_mails,
    "account_change_password": _limit_password,
    "account_reauthenticate": _limit_password,
    "mfa_authenticate": _limit_code,
    "mfa_reauthenticate": _limit_code,
    "mfa_activate_totp": _limit_code,
    "connect_device": _limit_device_code,
}
