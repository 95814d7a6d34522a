"""The header that announces the style sheet of a page, without which nothing is painted."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static


def announce_style(request: HttpRequest, response: HttpResponse) -> None:
    """Add a ``Link`` to the sheet of ``base.html``, which browsers then request at once.

    Without it they read the beginning of the page first. Pages of the administration and pages
    for other sites (Django's ``xframe_options_exempt``) have sheets of their own, and so has the
    documentation.
    """
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    is_own = not request.path_info.startswith(settings.DOCUMENTATION_URL) and (
        request.resolver_match is None or "admin" not in request.resolver_match.namespaces
    )
    is_framed = getattr(response, "xframe_options_exempt", False)
    if is_page and is_own and not is_framed and not response.has_header("Location"):
        response.headers["Link"] = f"<{static('records/site.css')}>; rel=preload; as=style"
