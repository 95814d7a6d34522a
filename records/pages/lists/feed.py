"""The newest games as an Atom feed (RFC 4287): of the archive, an event, or a player.

The query has the filters of the list of games. Results are left to the pages of the games.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from records.base import labels
from records.base.site import absolute
from records.models import Record
from records.pages.game.embed import activate_language
from records.search import filters
from records.search.games import records_of
from records.search.selection import SOUND, Selection, listings
from records.serving.cached_responses import cached_page
from records.states import of_archive

#: Games in a feed.
MOST: Final = 50
#: Letters of a name in a title.
_SHOWN: Final = 80
#: Characters not allowed in XML 1.0.
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@require_safe
def games_feed(request: HttpRequest) -> HttpResponse:
    """Return the feed in the language ``lang``, or 400 for an invalid filter."""
    with activate_language(request):
        return _feed(request)


@cached_page(of_archive, public=True)
def _feed(request: HttpRequest) -> HttpResponse:
    selection, faults = filters.read(request.GET)
    if faults:
        message = "\n".join(f"{fault.name}: {fault.message}" for fault in faults)
        return HttpResponse(f"{message}\n", status=400, content_type="text/plain; charset=utf-8")
    filtered = replace(selection, sort="newest", status=selection.status or SOUND)
    query = request.GET.copy()
    query.pop("lang", None)
    page = absolute(reverse("games")) + (f"?{query.urlencode()}" if query else "")
    feed_url = absolute(request.get_full_path())
    feed = Atom1Feed(
        title=_replace_invalid(_title(filtered)),
        link=page,
        description=_("An archive of hanafuda games, each replayed by the rules."),
        language=get_language(),
        feed_url=feed_url,
        feed_guid=feed_url,
    )
    for record in records_of(list(listings(filtered)[:MOST])):
        feed.add_item(**_entry(record))
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)


def _title(selection: Selection) -> str:
    texts = [*selection.players, *([selection.event] if selection.event else [])]
    texts += [labels.ruleset(selection.ruleset)] if selection.ruleset else []
    filter_text = " · ".join(text[:_SHOWN] for text in texts)
    title = _("Newest games")
    return f"{title}: {filter_text} – HanaArchive" if filter_text else f"{title} – HanaArchive"


def _entry(record: Record) -> dict[str, Any]:
    address = absolute(reverse("game", args=[record.key]))
    facts = [labels.ruleset(record.ruleset), record.event, record.date]
    facts.append(str(record.get_status_display()))
    return {
        "title": _replace_invalid(" – ".join(name[:_SHOWN] for name in record.players)),
        "link": address,
        # The feed writes summaries as HTML.
        "description": escape(_replace_invalid(" · ".join(fact for fact in facts if fact))),
        "pubdate": record.created,
        "updateddate": max(record.changed, record.created),
        "unique_id": address,
    }


def _replace_invalid(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
