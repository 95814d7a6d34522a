"""The policies for browsers, and ``/.well-known/security.txt`` for reporting vulnerabilities.

RFC 9116 defines security.txt.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

from records.base.release import absolute

#: The content security policy. Pages show uploaded text. Even unescaped text cannot run as a
#: script, because scripts come from this server's files only.
POLICY = "; ".join(
    [
        "default-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    ]
)

#: The permissions policy: browser features forbidden to injected code, and not used by our pages.
PERMISSIONS = ", ".join(
    f"{feature}=()"
    for feature in (
        *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid"),
        *("magnetometer", "microphone", "midi", "payment", "serial", "usb", "browsing-topics"),
    )
)
#: Types of static files inside documents. Their responses omit headers that affect documents only,
#: because a page loads up to fifty small files and may weigh 120 KB. The service worker has
#: separate policies.
_PARTS: Final = ("text/css", "text/javascript", "font/")
_OF_DOCUMENTS: Final = ("Cross-Origin-Opener-Policy", "Referrer-Policy", "X-Request-ID")
PATH: Final = "/.well-known/security.txt"
#: Validity of security.txt, counted from each response. RFC 9116 recommends less than a year.
VALID: Final = timedelta(days=180)


def _elsewhere() -> str:
    """Return the origin of the log-in site, to which a form of ours leads."""
    if settings.OPENID is None:
        return ""
    issuer = urlsplit(settings.OPENID["issuer"])
    return f" {issuer.scheme}://{issuer.netloc}"


def add_policy(request: HttpRequest, response: HttpResponse) -> None:
    """Add the policy to a response; remove headers of documents from a static file in `_PARTS`.

    Other sites may frame only views marked by Django's ``xframe_options_exempt``.
    """
    is_static = request.path_info.startswith(settings.STATIC_URL)
    is_part = response.headers.get("Content-Type", "").startswith(_PARTS)
    # A 304 has no type. Browsers add its headers to the stored file, and a worker with this policy
    # cannot run WebAssembly.
    if is_static and (is_part or response.status_code == 304):
        for name in _OF_DOCUMENTS:
            del response[name]
        return
    ancestors = "*" if getattr(response, "xframe_options_exempt", False) else "'none'"
    if hasattr(response, "form_action"):  # the form leads to another origin by a redirect
        forms = f" {response.form_action}"
    else:
        forms = _elsewhere() if request.path_info.startswith("/account/") else ""
    policy = f"{POLICY}{forms}; frame-ancestors {ancestors}"
    if request.path_info.startswith(settings.DOCUMENTATION_URL) and response.status_code == 200:
        # The search of the documentation brings its style along. These pages show no uploaded text.
        policy = policy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    response.headers.setdefault("Content-Security-Policy", policy)
    response.headers["Permissions-Policy"] = PERMISSIONS


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
