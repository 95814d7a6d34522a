"""``/.well-known/security.txt`` (RFC 9116): whom to tell of a hole in the archive."""

from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

from records.base.site import absolute

PATH: Final = "/.well-known/security.txt"
#: For how long what it says holds: RFC 9116 wants less than a year. Counted from each answer, so
#: that it holds for as long as the archive is run.
VALID: Final = timedelta(days=180)


def security_txt(request: HttpRequest) -> HttpResponse:
    """The file; 404 where no contact is set."""
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
