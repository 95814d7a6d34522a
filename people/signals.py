"""Receivers of django-allauth's signals about logins and changes of accounts."""

from __future__ import annotations

from typing import Any, Final

from allauth.account.internal.flows import login
from allauth.account.signals import email_changed, email_removed, user_logged_in
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_used
from allauth.socialaccount.signals import social_account_added, social_account_removed
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from people import names
from people.accounts import lifecycle, sessions

#: Maximum number of sessions of a user; the least recently used session ends first.
MAX_SESSIONS: Final = 50


@receiver(post_save, sender=settings.AUTH_USER_MODEL)
def reserve_account_name(instance: Any, raw: bool, update_fields: Any = None, **_more: Any) -> None:
    """Reserve the look of the account's name."""
    if not raw and (update_fields is None or "username" in update_fields):
        names.reserve_name(instance)


@receiver(user_logged_in)
def handle_log_in(request: HttpRequest, response: HttpResponse, user: Any, **_more: Any) -> None:
    """Remember browser and time, limit the sessions, and remind staff of the second factor."""
    sessions.remember(response, user)
    if not login.get_authentication_records(request, user):  # allauth has none of a registration
        login.record_authentication(request, user, method="password")
    for session in UserSession.objects.filter(user=user).order_by("-last_seen_at", "-pk")[
        MAX_SESSIONS:
    ]:
        session.end()
    if user.is_staff and not lifecycle.has_second_factor(user):
        messages.warning(request, _("You belong to the staff: please turn on two-step log-in."))


@receiver(email_changed)
def notify_changed_address(
    user: Any, from_email_address: Any, to_email_address: Any, **_more: Any
) -> None:
    """Notify the old address, if it was confirmed."""
    if from_email_address is not None and from_email_address.verified:
        message = _("Its e-mail address was changed to %(address)s.") % {
            "address": to_email_address.email
        }
        lifecycle.notify_user(user, message, from_email_address.email)


@receiver(email_removed)
def notify_removed_address(user: Any, email_address: Any, **_more: Any) -> None:
    """Notify the removed address, if it was confirmed."""
    if email_address.verified:
        lifecycle.notify_user(
            user, _("This e-mail address was removed from the account."), email_address.email
        )


@receiver(social_account_added)
def notify_connected_site(sociallogin: Any, **_more: Any) -> None:
    """Notify the owner that log-in through another site was connected."""
    message = _("Log-in through %(site)s was connected to it.") % {
        "site": sociallogin.provider.name
    }
    lifecycle.notify_user(sociallogin.user, message)


@receiver(social_account_removed)
def notify_disconnected_site(socialaccount: Any, **_more: Any) -> None:
    """Notify the owner that log-in through another site was disconnected."""
    message = _("Log-in through another site was disconnected from it.")
    lifecycle.notify_user(socialaccount.user, message)


@receiver(authenticator_added)
def handle_added_factor(request: HttpRequest, user: Any, authenticator: Any, **_more: Any) -> None:
    """End the sessions that were opened without the second factor, and notify the user."""
    if authenticator.type == Authenticator.Type.TOTP:
        lifecycle.end_sessions(user, but=request.session.session_key)
        lifecycle.notify_user(user, _("Two-step log-in was turned on."))


@receiver(authenticator_removed)
def notify_removed_factor(user: Any, authenticator: Any, **_more: Any) -> None:
    """Notify the user that the second factor was removed."""
    if authenticator.type == Authenticator.Type.TOTP:
        lifecycle.notify_user(user, _("Two-step log-in was turned off."))


@receiver(authenticator_used)
def notify_recovery_code(user: Any, authenticator: Any, **_more: Any) -> None:
    """Notify the user of a used recovery code and the number of unused codes."""
    if authenticator.type == Authenticator.Type.RECOVERY_CODES:
        authenticator.refresh_from_db()  # allauth saved the row through another instance
        count = len(authenticator.wrap().get_unused_codes())
        message = _("A recovery code was used. Unused codes left: %(left)d.") % {"left": count}
        lifecycle.notify_user(user, message)
