"""The content security policy."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse

# Uploaded text is shown on pages. If some text is ever left unescaped, it still cannot run:
# scripts come from this server's files only.
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

#: Browser features that our pages do not use, and that injected code must not use.
PERMISSIONS = ", ".join(
    f"{feature}=()"
    for feature in (
        *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid"),
        *("magnetometer", "microphone", "midi", "payment", "serial", "usb", "browsing-topics"),
    )
)


def _elsewhere() -> str:
    """Return the origin of the log-in site, to which a form of ours leads."""
    if settings.OPENID is None:
        return ""
    issuer = urlsplit(settings.OPENID["issuer"])
    return f" {issuer.scheme}://{issuer.netloc}"


def add_policy(request: HttpRequest, response: HttpResponse) -> None:
    """Add the policy to a response.

    Other sites may frame only views marked by Django's ``xframe_options_exempt``.
    """
    ancestors = "*" if getattr(response, "xframe_options_exempt", False) else "'none'"
    forms = _elsewhere() if request.path_info.startswith("/account/") else ""
    policy = f"{POLICY}{forms}; frame-ancestors {ancestors}"
    response.headers.setdefault("Content-Security-Policy", policy)
    response.headers["Permissions-Policy"] = PERMISSIONS
