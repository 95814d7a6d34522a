"""Settings that templates of accounts use."""

from django.conf import settings
from django.http import HttpRequest


def accounts(request: HttpRequest) -> dict[str, bool]:
    """Whether anybody may register, and whether mails are sent."""
    return {"registration_open": settings.REGISTRATION_OPEN, "sends_mail": settings.MAIL}
