"""Files at the root of the site for crawlers and browsers: robots.txt, sitemap, favicon, manifest.

robots.txt (RFC 9309) lists pages that crawlers need not fetch. The sitemap
(https://www.sitemaps.org/protocol.html) lists pages and all public games. Each file of games covers
a range of primary keys, so that reading a file takes the same time in a large archive.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.base.release import absolute
from records.models import Record, Visibility
from records.pages.game.embed import activate_language
from records.pages.learn.lessons import LESSONS
from records.pages.link_previews import describe
from records.serving.cached_responses import cached_page
from records.serving.parameters import LANG
from records.states import of_archive, of_release

#: Personal pages, responses for programs, and searches, whose number is unlimited.
_DISALLOWED: Final = (
    *("/api/", "/account/", "/admin/", "/me/", "/check/", "/uploads/"),
    *("/games/?", "/games/feed?", "/players/?", "/statistics/*?", "/*/suggest"),
)
_ROBOTS: Final = "\n".join(
    ("User-agent: *", "Crawl-delay: 2", *(f"Disallow: {path}" for path in _DISALLOWED))
)

#: Primary keys of games in a file; a sitemap may have 50,000 addresses, and so may the index.
GAMES: Final = 10_000
MOST_FILES: Final = 49_999
_PAGES: Final = (
    *(
        "home",
        "games",
        "players",
        "statistics-home",
        "insights",
        "bests",
        "problems",
        "cards",
        "rules",
        "learn",
        "glossary",
        "notation",
        "crib",
        "programs",
    ),
    *("data", "upload"),
)
_OF_RULESETS: Final = ("rulebook", "poster", "odds", "statistics")
_SPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
_FAVICON: Final = Path(__file__).parent.parent / "static/records/icons/favicon.ico"
#: Files of the icons, each with its width and purpose, written by `scripts/icons`.
_ICONS: Final = (
    ("icon-192.png", 192, "any"),
    ("icon-512.png", 512, "any"),
    ("maskable-192.png", 192, "maskable"),
    ("maskable-512.png", 512, "maskable"),
)
#: The header, and the paper below it, as in site.css.
_FELT, _PAPER = "#234c3b", "#f6f2e8"


@require_safe
@cache_control(public=True, max_age=24 * 60 * 60)
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt with the address of the sitemap."""
    text = f"{_ROBOTS}\n\nSitemap: {absolute(reverse('sitemap'))}\n"
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
@cached_page(of_archive, public=True)
def sitemap(request: HttpRequest) -> HttpResponse:
    """Return the index: file 0 has the pages, the other files games."""
    numbers = range(_files() + 1)
    urls = (absolute(reverse("sitemap-file", args=[number])) for number in numbers)
    return _xml("sitemapindex", (f"<sitemap><loc>{escape(url)}</loc></sitemap>" for url in urls))


@require_safe
@cached_page(of_archive, public=True)
def sitemap_file(request: HttpRequest, number: str) -> HttpResponse:
    """Return a file of the index, 404 for an unknown number."""
    file = int(number)
    if file == 0:
        return _xml(
            "urlset", (f"<url><loc>{escape(absolute(path))}</loc></url>" for path in _pages())
        )
    if file > _files():
        raise Http404
    first = (file - 1) * GAMES
    games = Record.objects.filter(pk__gt=first, pk__lte=first + GAMES)
    public = games.filter(visibility=Visibility.PUBLIC).order_by("pk")
    return _xml(
        "urlset",
        (
            f"<url><loc>{escape(absolute(reverse('game', args=[key])))}</loc>"
            f"<lastmod>{changed:%Y-%m-%d}</lastmod></url>"
            for key, changed in public.values_list("key", "changed")
        ),
    )


def _files() -> int:
    newest = Record.objects.aggregate(newest=Max("pk"))["newest"] or 0
    return min(-(-newest // GAMES), MOST_FILES)


def _pages() -> Iterable[str]:
    yield from (reverse(name) for name in _PAGES)
    for ruleset in RULESETS:
        yield from (reverse(name, args=[ruleset]) for name in _OF_RULESETS)
    yield from (reverse("lesson", args=[ruleset]) for ruleset in LESSONS)


def _xml(root: str, inner: Iterable[str]) -> HttpResponse:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<{root} xmlns="{_SPACE}">', *inner]
    body = "\n".join([*lines, f"</{root}>", ""])
    return HttpResponse(body, content_type="application/xml; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=7 * 24 * 60 * 60)
def favicon(request: HttpRequest) -> HttpResponse:
    """Return the icon in three sizes."""
    return HttpResponse(_FAVICON.read_bytes(), content_type="image/x-icon")


@require_safe
@cached_page(of_release, parameters=LANG, public=True)
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the web app manifest (https://www.w3.org/TR/appmanifest/), by which phones install.

    ``lang`` chooses the language.
    """
    with activate_language(request):
        data = {
            "id": "/",
            "name": "HanaArchive 花譜",
            "short_name": "花譜" if labels.lang() == "ja" else "HanaArchive",
            "description": describe("home", ""),
            "lang": labels.lang(),
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "theme_color": _FELT,
            "background_color": _PAPER,
            "icons": [
                {
                    "src": static(f"records/icons/{name}"),
                    "sizes": f"{width}x{width}",
                    "type": "image/png",
                    "purpose": purpose,
                }
                for name, width, purpose in _ICONS
            ],
            "shortcuts": [
                {"name": _("Write a game down"), "url": reverse("new-record")},
                {"name": _("Write a score sheet"), "url": reverse("new-sheet")},
                {"name": _("Games"), "url": reverse("games")},
                {"name": _("Learn"), "url": reverse("learn")},
            ],
        }
    text = json.dumps(data, ensure_ascii=False)
    headers = {"Cache-Control": "public, max-age=86400"}
    return HttpResponse(text, content_type="application/manifest+json", headers=headers)
