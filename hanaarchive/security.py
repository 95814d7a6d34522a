"""What a browser may load on our pages."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# Uploaded text is shown on pages. Should a piece of it ever get out unescaped, it still may not
# run: scripts come from this server's files only. Styles may stand in attributes (SVG cards).
POLICY = "; ".join(
    [
        "default-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)


def content_security_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: every response carries the policy."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response

    return middleware
