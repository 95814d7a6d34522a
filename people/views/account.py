"""Accounts: Django's own views, with bounds on how often, in our pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth import views as auth
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import FormView

from people import accounts, forms
from records.pace import Pace, address_of, step

FORM = "people/form.html"
if TYPE_CHECKING:
    Form = FormView[Any]
else:
    Form = FormView  # generic for the checker only


class Slowed(Form):
    """A form that may be sent so often: ``paces`` counts a POST and says where its sender stands.

    What the form says of itself is in ``texts``.
    """

    template_name = FORM
    texts: dict[str, Any] = {}  # noqa: RUF012

    def paces(self) -> list[Pace]:
        """All that count this request."""
        return []

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The form as it was sent, unless it was sent too often: then 429 and the form anew."""
        late = [pace for pace in self.paces() if pace.too_fast]
        if not late:
            done: HttpResponse = super().post(request, *args, **kwargs)
            return done
        seconds = max(pace.left for pace in late)
        empty = self.get_form_kwargs() | {"data": None, "files": None}
        context = self.get_context_data(
            form=self.get_form_class()(**empty),
            error=_("Too many tries: try again in %(seconds)d seconds.") % {"seconds": seconds},
        )
        again: HttpResponse = self.render_to_response(context, status=429)
        again.headers["Retry-After"] = str(seconds)
        return again

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The texts of the page beside the form."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return {**self.texts, **context}


class LogIn(Slowed, auth.LoginView):
    """A name and its password."""

    redirect_authenticated_user = True
    texts = {  # noqa: RUF012
        "title": gettext_lazy("Log in"),
        "button": gettext_lazy("Log in"),
        "others": [
            ("register", gettext_lazy("Make an account")),
            ("password_reset", gettext_lazy("Forgot the password?")),
        ],
    }

    def paces(self) -> list[Pace]:
        """By address and name, so that nobody is locked out by others; and by address alone."""
        address = address_of(self.request)
        name = self.request.POST.get("username", "").casefold()[:200]
        return [step("login", f"{address}\n{name}"), step("logins", address)]


@never_cache
def staff_only(request: HttpRequest) -> HttpResponse:
    """The log-in of the admin is that of the site; who is logged in, and no staff, is told."""
    if request.user.is_authenticated:
        messages.error(request, _("That is for the staff."))
        return redirect("me")
    return redirect_to_login(request.GET.get("next", reverse("admin:index")))


@method_decorator(sensitive_post_parameters(), name="dispatch")
class Register(Slowed):
    """A new account."""

    form_class = forms.Register
    success_url = reverse_lazy("me")
    texts = {  # noqa: RUF012
        "title": gettext_lazy("Make an account"),
        "intro": gettext_lazy(
            "With an account your games are yours: private if you like, with notes and collections."
        ),
        "button": gettext_lazy("Make an account"),
        "others": [("login", gettext_lazy("Log in"))],
    }

    def paces(self) -> list[Pace]:
        """By address."""
        return [step("register", address_of(self.request))]

    def form_valid(self, form: Any) -> HttpResponse:
        """Make it and log in."""
        login(self.request, form.save(), "django.contrib.auth.backends.ModelBackend")
        wanted = self.request.GET.get("next", "")
        own = url_has_allowed_host_and_scheme(
            wanted, {self.request.get_host()}, self.request.is_secure()
        )
        return redirect(wanted if own else self.get_success_url())


class PasswordChange(Slowed, auth.PasswordChangeView):
    """Another password; other sessions end, and tokens if so wished."""

    form_class = forms.ChangePassword
    success_url = reverse_lazy("me")
    texts = {"title": gettext_lazy("Change the password"), "button": gettext_lazy("Change it")}  # noqa: RUF012

    def paces(self) -> list[Pace]:
        """By user: a session that somebody else got hold of is no place to guess."""
        return [step("login", f"user:{self.request.user.pk}")]

    def form_valid(self, form: Any) -> HttpResponse:
        """Say so, by mail too."""
        with transaction.atomic():
            done = super().form_valid(form)
            accounts.has_new_password(
                form.user, self.request, revoke=form.cleaned_data.get("tokens", False)
            )
        messages.success(self.request, _("Your password is changed."))
        return done


class PasswordReset(Slowed, auth.PasswordResetView):
    """A link by mail. What is answered does not tell whether there is such an account."""

    form_class = forms.ResetPassword
    texts = {  # noqa: RUF012
        "title": gettext_lazy("Forgot the password"),
        "intro": gettext_lazy("A link to set a new one is sent to the address of the account."),
        "button": gettext_lazy("Send the link"),
        "others": [("login", gettext_lazy("Log in"))],
    }

    def paces(self) -> list[Pace]:
        """By address."""
        return [step("reset", address_of(self.request))]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Without mail there is nothing to fill in."""
        context = super().get_context_data(**kwargs)
        if not settings.MAIL:
            context["form"] = None
            context["intro"] = _("This archive sends no mail. Ask whoever runs it.")
        return context


class PasswordResetSent(auth.PasswordResetDoneView):
    """What happens next."""

    template_name = FORM
    extra_context = {  # noqa: RUF012
        "title": gettext_lazy("Look into your mail"),
        "intro": gettext_lazy(
            "If an account has this address, a link is on its way. It is good for an hour."
        ),
    }


class PasswordResetConfirm(Slowed, auth.PasswordResetConfirmView):
    """A new password by the link of the mail.

    Whoever lost the old one may have lost it to somebody: all sessions end, all tokens are revoked.
    """

    success_url = reverse_lazy("login")
    texts = {  # noqa: RUF012
        "title": gettext_lazy("A new password"),
        "intro": gettext_lazy("All your tokens will be revoked, and you will be logged out."),
        "button": gettext_lazy("Set it"),
    }

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """A link that is not good any more says so."""
        context = super().get_context_data(**kwargs)
        if not self.validlink:
            context["intro"] = _("This link is not good any more. Ask for another one.")
            context["others"] = [("password_reset", _("Forgot the password?"))]
        return context

    def form_valid(self, form: Any) -> HttpResponse:
        """Say so, by mail too."""
        with transaction.atomic():
            done = super().form_valid(form)
            accounts.has_new_password(form.user, self.request, revoke=True)
        messages.success(self.request, _("Your password is changed."))
        return done


@method_decorator(sensitive_post_parameters(), name="dispatch")
class Delete(LoginRequiredMixin, Slowed):
    """The end of an account."""

    form_class = forms.Delete
    texts = {  # noqa: RUF012
        "title": gettext_lazy("Delete the account"),
        "intro": gettext_lazy(
            "At once you are logged out everywhere, your tokens are good for nothing, and your "
            "name is free for others. Your games follow within minutes, very many take longer, "
            "and then notes and collections go. This cannot be undone."
        ),
        "button": gettext_lazy("Delete the account"),
        "others": [("me", gettext_lazy("My games"))],
    }

    def paces(self) -> list[Pace]:
        """By user, as for a password."""
        return [step("login", f"user:{self.request.user.pk}")]

    def get_form_kwargs(self) -> dict[str, Any]:
        """The form checks the password of this user."""
        return {**super().get_form_kwargs(), "user": self.request.user}

    def form_valid(self, form: Any) -> HttpResponse:
        """Delete it; the first page says so."""
        user = self.request.user
        logout(self.request)
        accounts.close(user, withdraw=form.cleaned_data["games"] == "withdraw")
        messages.success(self.request, _("Your account is closed. Its games follow soon."))
        return redirect(resolve_url("home"))
