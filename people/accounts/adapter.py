"""Adapters of django-allauth: permission to log in, addresses of links, sending of mails.

Mails, rendered and sent by a separate thread.

A page that sends a mail itself would take as long as the mail server, and the response time
would reveal whether an account exists. A killed process loses unsent mails.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _

from people import names
from records.base.release import absolute
from records.serving.limits import step
from records.serving.senders import address_of

_sender: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")

logger = logging.getLogger(__name__)
#: Prefix lengths of the networks in the list of sessions, enough to recognise a home network.
_IPV4_PREFIX, _IPV6_PREFIX = 24, 48


def send(to: str, name: str, context: Mapping[str, Any]) -> None:
    """Mail the templates ``<name>_subject.txt`` and ``<name>_message.txt`` in the active language.

    Send nothing if the address is empty or the archive sends no mail. Errors of the mail server are
    logged, not raised. ``context`` must not query the database.
    """
    if to and settings.MAIL:
        _sender.submit(_send, to, name, {**context}, get_language())


def _send(to: str, name: str, context: dict[str, Any], language: str | None) -> None:
    try:
        with override(language):
            subject = render_to_string(f"{name}_subject.txt", context)
            body = render_to_string(f"{name}_message.txt", context)
        EmailMessage(" ".join(subject.split()), body, to=[to]).send()
    except Exception:  # errors of the mail server, of any type
        logger.exception("a mail was not sent")


class AccountAdapter(DefaultAccountAdapter):
    """Adapter of accounts (ACCOUNT_ADAPTER)."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "duplicate_email": _("Your account already has this address."),
        "enter_current_password": _("Wrong password."),
        "incorrect_password": _("Wrong password."),
        "invalid_password_reset": _("This link is no longer valid."),
        "username_password_mismatch": _("Wrong user name or password."),
        "username_taken": _("There is already an account with this name."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return True. If only the staff creates accounts, raise a response with 403."""
        if not settings.REGISTRATION_OPEN:
            page = render(request, "account/signup_closed.html", status=403)
            raise ImmediateHttpResponse(page)
        return True

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name with full-width letters replaced by normal letters.

        Raise ValidationError for a name that is taken, reserved, or looks like another account's
        name.
        """
        name = super().clean_username(get_user_model().normalize_username(username), shallow)
        names.check_name(name)
        return name

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> Any:
        """Save a new account; raise :class:`people.names.NameTaken`."""
        saved = super().save_user(request, user, form, commit)
        if commit:
            names.require_reserved(saved)
        return saved

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Return the user, or None for wrong credentials or a closed account.

        A closed account does not reveal whether a password was right.
        """
        user: Any = super().authenticate(request, **credentials)
        return user if user is not None and user.is_active else None

    def is_safe_url(self, url: str) -> bool:
        """Return whether a URL has the host and scheme of this request."""
        request = self.request
        host = {request.get_host()}
        return url_has_allowed_host_and_scheme(url, host, require_https=request.is_secure())

    def is_ajax(self, request: HttpRequest) -> bool:
        """Return False, so that headers cannot turn pages into JSON."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the network of a caller, the only stored part of an address."""
        address = address_of(request).partition("/")[0]
        if address == "unknown":
            return "0.0.0.0"
        prefix = _IPV6_PREFIX if ":" in address else _IPV4_PREFIX
        return str(ipaddress.ip_network(f"{address}/{prefix}", strict=False).network_address)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Return the page of the user's games."""
        return reverse("me")

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return the reset link with the configured site address, never the Host header."""
        uid, _dash, token = key.partition("-")
        route = "account_reset_password_from_key"
        return absolute(reverse(route, kwargs={"uidb36": uid, "key": token}))

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """Return the link with the configured site address, never the Host header."""
        return absolute(reverse("account_confirm_email", args=[emailconfirmation.key]))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail with a link. The number of mails an hour to an address is limited."""
        if not step("mails", email.casefold()).too_fast:
            transaction.on_commit(lambda: send(email, template_prefix, context))


class SecondFactorAdapter(DefaultMFAAdapter):
    """Adapter of two-factor authentication (MFA_ADAPTER)."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("Wrong code. Check that the clock of your phone is right."),
    }

    def get_totp_label(self, user: Any) -> str:
        """Return the user name."""
        return str(user.get_username())
