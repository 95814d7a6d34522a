"""Settings that templates of accounts use."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def accounts(request: HttpRequest) -> dict[str, Any]:
    """Whether anybody may register, whether mails are sent, and where else people log in."""
    return {
        "registration_open": settings.REGISTRATION_OPEN,
        "sends_mail": settings.MAIL,
        "openid": settings.OPENID and {"id": settings.OPENID_ID, "name": settings.OPENID["name"]},
    }
