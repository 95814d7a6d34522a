"""Log-in at another site, by OpenID Connect (docs/decisions/0013-openid-connect.md).

The other site says who somebody is, and nothing more: of what it tells, only its number for them is
kept. No address of theirs leads to an account here; who has one connects it while logged in.
"""

from __future__ import annotations

import logging
from typing import Any

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth import get_user_model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

logger = logging.getLogger(__name__)


class Elsewhere(DefaultSocialAccountAdapter):
    """SOCIALACCOUNT_ADAPTER."""

    error_messages = DefaultSocialAccountAdapter.error_messages | {
        "connected_other": _("This log-in belongs to another account here."),
        "no_password": _("Set a password first: without one you could no longer log in."),
    }

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> Any:
        """Only a name is suggested."""
        name = get_user_model().normalize_username(str(data.get("username") or ""))
        sociallogin.user.username = name[:150]
        return sociallogin.user

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Forget what the other site said beyond its number."""
        sociallogin.email_addresses = []
        sociallogin.account.extra_data = {}
        if sociallogin.account.pk:
            sociallogin.account.save(update_fields=["extra_data"])

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: Any = None,
        exception: Exception | None = None,
        extra_context: Any = None,
    ) -> None:
        """Log the kind of it: what is in it may be secret."""
        logger.warning(
            "log-in elsewhere failed",
            extra={"reason": str(error), "kind": type(exception).__name__},
        )


def is_connected(user: Any) -> bool:
    """Whether an account can be logged in to at the other site."""
    return SocialAccount.objects.filter(user=user).exists()


def forget(user: Any) -> None:
    """Disconnect an account from the other site."""
    SocialAccount.objects.filter(user=user).delete()
