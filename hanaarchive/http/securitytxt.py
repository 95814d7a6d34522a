"""``/.well-known/security.txt`` (RFC 9116): the contact for reporting a vulnerability."""

from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

from records.base.site import absolute

PATH: Final = "/.well-known/security.txt"
#: Validity: RFC 9116 wants less than a year. It begins with each response, so that it never ends
#: while the archive runs.
VALID: Final = timedelta(days=180)


def security_txt(request: HttpRequest) -> HttpResponse:
    """Return security.txt, or 404 if no contact is set."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = datetime.now(UTC).replace(microsecond=0) + VALID
    fields = {
        "Contact": settings.SECURITY_CONTACT,
        "Expires": expires.isoformat().replace("+00:00", "Z"),
        "Preferred-Languages": ", ".join(code for code, _name in settings.LANGUAGES),
        "Canonical": absolute(PATH),
        "Policy": settings.SECURITY_POLICY,
    }
    lines = [f"{name}: {value}\n" for name, value in fields.items() if value]
    return HttpResponse("".join(lines), content_type="text/plain; charset=utf-8")
