"""Confirmation by the owner before changes to how an account is accessed.

A stolen session must not become permanent access. Owners with a password or a second factor enter
either again on django-allauth's pages. Owners without both log in through another site again,
because django-allauth would accept any session of such an owner.
"""

from __future__ import annotations

import time
from typing import Any, Final

from allauth.account import app_settings
from allauth.account.internal.flows import login, reauthentication
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html

#: URL names of the forms that give access, django-allauth's and ours.
FORMS: Final = frozenset(
    {
        *("tokens", "add_webhook", "delete_account", "account_set_password", "account_email"),
        *("mfa_activate_totp", "mfa_generate_recovery_codes", "openid_connect_login"),
    }
)
#: URL names of the pages with the forms, for forms without a separate page.
_BACK: Final = {"add_webhook": "tokens", "openid_connect_login": "socialaccount_connections"}


def is_confirmed(request: HttpRequest) -> bool:
    """Return whether the user of a session recently confirmed that the account is theirs."""
    if _can_confirm_here(request.user):
        return reauthentication.did_recently_reauthenticate(request)
    return _is_recent(request)


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
    field = format_html('<input type="hidden" name="next" value="{}">', back)
    return render(request, "account/log_in_again.html", {"redirect_field": field}, status=403)


def _can_confirm_here(user: Any) -> bool:
    return bool(reauthentication.get_reauthentication_flows(user))


def _is_recent(request: HttpRequest) -> bool:
    """Return whether the session was opened recently."""
    since = time.time() - app_settings.REAUTHENTICATION_TIMEOUT
    records = login.get_authentication_records(request, request.user)
    return any(record["at"] > since for record in records)
