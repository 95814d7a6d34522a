"""The style sheet that nothing of a page is painted without, announced before the page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static


def announce_style(request: HttpRequest, response: HttpResponse) -> None:
    """Add the sheet of ``base.html`` to the header of a page, so that browsers request it at once.

    Otherwise they read the beginning of the page first. Pages of the administration and pages for
    other sites (Django's ``xframe_options_exempt``) have sheets of their own.
    """
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    is_own = request.resolver_match is None or "admin" not in request.resolver_match.namespaces
    is_framed = getattr(response, "xframe_options_exempt", False)
    if is_page and is_own and not is_framed and not response.has_header("Location"):
        response.headers["Link"] = f"<{static('records/site.css')}>; rel=preload; as=style"
