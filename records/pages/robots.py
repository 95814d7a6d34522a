"""robots.txt: pages that crawlers need not fetch (RFC 9309)."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from records.base.site import absolute

#: Personal pages, responses for programs, and searches, whose number is unlimited.
_DISALLOWED: Final = (
    *("/api/", "/account/", "/admin/", "/me/", "/check/", "/uploads/"),
    *("/games/?", "/games/feed?", "/players/?", "/statistics/*?", "/*/suggest"),
)
_TEXT: Final = "\n".join(
    ("User-agent: *", "Crawl-delay: 2", *(f"Disallow: {path}" for path in _DISALLOWED))
)


@require_safe
@cache_control(public=True, max_age=24 * 60 * 60)
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt with the address of the sitemap."""
    text = f"{_TEXT}\n\nSitemap: {absolute(reverse('sitemap'))}\n"
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
