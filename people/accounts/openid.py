"""Log-in through another site by OpenID Connect (docs/decisions/0013-openid-connect.md).

The archive stores only the other site's user id, and no further data. An e-mail address from the
other site never gives access to an account here; owners connect an account while logged in.
"""

from __future__ import annotations

import logging
from typing import Any

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth import get_user_model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from people.accounts.openid_provider import check_nonce

logger = logging.getLogger(__name__)


class OpenIdAdapter(DefaultSocialAccountAdapter):
    """Adapter of log-in through another site (SOCIALACCOUNT_ADAPTER)."""

    error_messages = DefaultSocialAccountAdapter.error_messages | {
        "connected_other": _("This log-in belongs to another account here."),
        "no_password": _("Set a password first: without one you could no longer log in."),
    }

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> Any:
        """Suggest the user name from the other site, and nothing more."""
        suggested = str(data.get("username") or "")[:150]
        name = get_user_model().normalize_username(suggested)
        sociallogin.user.username = name[:150]
        return sociallogin.user

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Check the nonce, and discard all data from the other site except the user id."""
        check_nonce(sociallogin)
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
        """Log the kind of the error without its details, which may be secret."""
        logger.warning(
            "log-in elsewhere failed",
            extra={"reason": str(error), "kind": type(exception).__name__},
        )


def is_connected(user: Any) -> bool:
    """Return whether an account is connected to the other site."""
    return SocialAccount.objects.filter(user=user).exists()


def forget(user: Any) -> None:
    """Disconnect an account from the other site."""
    SocialAccount.objects.filter(user=user).delete()
