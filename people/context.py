"""Template context of account pages."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def account_context(request: HttpRequest) -> dict[str, Any]:
    """Return whether registration is open, whether mails are sent, and the other log-in site."""
    return {
        "registration_open": settings.REGISTRATION_OPEN,
        "sends_mail": settings.MAIL,
        "openid": settings.OPENID and {"id": settings.OPENID_ID, "name": settings.OPENID["name"]},
    }
