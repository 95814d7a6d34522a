"""Account pages besides django-allauth's: admin login, registration, sessions, closing.

Log-in through another site: django-allauth's views, with handling of its failures.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.decorators import login_not_required
from allauth.account.views import SignupView, password_set
from allauth.socialaccount import views as socialaccount
from allauth.socialaccount.helpers import render_authentication_error
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from requests import RequestException

from people import forms, names
from people.accounts import lifecycle, openid, openid_provider

View = Callable[[HttpRequest, str], Any]


@never_cache
def staff_only(request: HttpRequest) -> HttpResponse:
    """Redirect to the site's login instead of the admin's.

    A message tells logged-in users which condition they do not meet.
    """
    if not request.user.is_authenticated:
        return redirect_to_login(request.GET.get("next", reverse("admin:index")))
    if request.user.is_staff:
        messages.error(
            request, _("The administration requires two-step log-in: please turn it on.")
        )
        return redirect("mfa_index")
    messages.error(request, _("This page is for staff only."))
    return redirect("me")


class _NewAccount:
    """A form view for creating an account and a session in one transaction."""

    request: HttpRequest

    def form_valid(self, form: Any) -> HttpResponse:
        """Create the account and log in, or show the form again if the name was just taken."""
        try:
            with transaction.atomic():
                response: HttpResponse = super().form_valid(form)  # type: ignore[misc]
                self.request.session.save()
        except (names.NameTaken, IntegrityError):
            form.add_error("username", names.similar_name_message())
            return self.form_invalid(form)  # type: ignore[attr-defined]
        return response


class Register(_NewAccount, SignupView):
    """Registration with a password."""


class RegisterElsewhere(_NewAccount, socialaccount.SignupView):
    """Choice of a user name after the first log-in through another site."""


#: django-allauth's view, extended to ask owners with a second factor for a confirmation.
set_first_password = login_required(
    reauthentication_required(app="allauth.account", allow_get=True)(password_set)
)


@login_required
def show_account(request: HttpRequest) -> HttpResponse:
    """Show the account's own data, with links to change it."""
    user: Any = request.user
    context = {
        "address": lifecycle.get_confirmed_address(user),
        "second_factor": lifecycle.has_second_factor(user),
        "connected": openid.is_connected(user),
        "sessions": UserSession.objects.filter(user=user).count(),
        "section": "settings",
    }
    return render(request, "people/account.html", context)


@login_required
@require_POST
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """End one of the user's sessions; the current session ends by logging out."""
    user: Any = request.user
    session = get_object_or_404(UserSession, user=user, pk=pk)
    if session.is_current():
        logout(request)
        return redirect("home")
    session.end()
    messages.success(request, _("That browser is logged out."))
    return redirect("usersessions_list")


@login_required
@reauthentication_required(app="allauth.account")
def delete_account(request: HttpRequest) -> HttpResponse:
    """Close the account after a confirmation page."""
    form = forms.DeleteAccountForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        user = request.user
        logout(request)
        lifecycle.close(user, withdraw=form.cleaned_data["games"] == "withdraw")
        messages.success(request, _("Your account is deleted. Its games will follow shortly."))
        return redirect("home")
    context = {
        "title": _("Delete the account"),
        "intro": _(
            "You are logged out everywhere at once, programs with a token too, and your name is "
            "free for others. Your studies and comments are deleted. Your games follow within "
            "minutes (longer if there are very many); after that, notes and collections are "
            "deleted. This cannot be undone."
        ),
        "button": _("Delete the account"),
        "others": [("account", _("Settings"))],
        "form": form,
    }
    return render(request, "people/form.html", context)


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


login = _handle_failures(openid_provider.login)
callback = _handle_failures(openid_provider.callback)
