"""Effects of a new password, access for owners who are locked out, closing of accounts."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from people import applications, tokens
from people.accounts import adapter, openid
from records.base.keys import random_key
from records.base.release import absolute
from records.models import PartialUpload
from records.privacy import circles, revisions


def get_confirmed_address(user: Any) -> str:
    """Return the e-mail address of an account if it is confirmed, else an empty string."""
    confirmed = EmailAddress.objects.get_verified(user)
    return confirmed.email if confirmed is not None else ""


def apply_new_password(user: Any, *, revoke: bool) -> None:
    """Mail a user about a changed password; with ``revoke``, revoke all tokens of the user.

    The sessions end automatically, because each is bound to the hash of the password.
    """
    revoked = tokens.revoke_all(user) if revoke else 0
    context = {
        "user": user,
        "revoked": revoked,
        "kept": tokens.has_programs(user),
        "reset": absolute(reverse("account_reset_password")),
    }
    address = get_confirmed_address(user)
    transaction.on_commit(lambda: adapter.send(address, "people/changed", context))


def notify_user(user: Any, message: str, address: str = "") -> None:
    """Mail a user about a change to the account, at ``address`` or the confirmed address."""
    reset = absolute(reverse("account_reset_password"))
    context = {"user": user, "what": message, "reset": reset}
    adapter.send(address or get_confirmed_address(user), "people/notice", context)


def create_reset_link(user: Any) -> str:
    """Return a link for setting a new password, valid once, for an hour."""
    token = default_token_generator.make_token(user)
    key = f"{user_pk_to_url_str(user)}-{token}"
    return get_adapter().get_reset_password_from_key_url(key)


def has_second_factor(user: Any) -> bool:
    """Return whether the account logs in with a code."""
    return is_mfa_enabled(user, [Authenticator.Type.TOTP])


def remove_second_factor(user: Any) -> bool:
    """Remove the second factor of an account, and notify the owner by mail.

    Return whether the account had a second factor.
    """
    deleted, _by_model = Authenticator.objects.filter(user=user).delete()
    if deleted:
        notify_user(user, _("Two-step log-in was turned off."))
    return deleted > 0


def end_sessions(user: Any, *, but: str | None = None) -> None:
    """End all sessions of a user on the server, except the one with the key ``but``."""
    for session in UserSession.objects.filter(user=user).exclude(session_key=but or ""):
        session.end()


def close(user: Any, *, withdraw: bool) -> None:
    """Close an account: disable log-in and free the user name.

    Studies and comments are deleted immediately, and memberships of clubs end. The games follow in
    batches (`records.services.removals`), then notes, collections, requests and the row are
    deleted. With ``withdraw`` the games are withdrawn; otherwise the games stay without an owner.
    """
    # Imported here, because most processes use this module for notices only.
    from records.ingest import resumable  # noqa: PLC0415
    from records.services import removals  # noqa: PLC0415

    with transaction.atomic():
        user.username = f"closed-{random_key()}"
        user.first_name = user.last_name = user.email = ""
        user.is_active = user.is_staff = user.is_superuser = False
        user.set_unusable_password()
        user.save()
        user.tokens.all().delete()
        applications.close(user)
        user.drafts.all().delete()
        user.own_names.all().delete()
        user.followed_players.all().delete()
        # Public data is deleted immediately.
        for rows in (user.studies, user.comments, user.comment_reports):
            rows.all().delete()
        revisions.advance(revisions.OTHER)
        EmailAddress.objects.filter(user=user).delete()
        Authenticator.objects.filter(user=user).delete()
        openid.forget(user)
        end_sessions(user)
        circles.account_closed.send(sender=None, account=user.pk)
        removals.for_owner(user, withdraw=withdraw)
    for partial in PartialUpload.objects.filter(owner=user):
        resumable.remove(partial)
