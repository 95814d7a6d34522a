"""Previews of links to a game on other sites: title, description, picture of the table, oEmbed."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import Truncator

from records.base import labels
from records.base.site import absolute
from records.models import Record
from records.pages import dates
from records.pages.game.frame import FrameView

#: Pixels of a picture: the size that sites request for link previews.
WIDTH, HEIGHT = 1200, 630
#: Maximum length of an event's name in a description.
EVENT_LENGTH = 80


@dataclass(frozen=True, slots=True)
class ShareView:
    """The meta tags of a page.

    Addresses are absolute; ``image`` is empty for a game without a table. ``url`` is the page at
    the displayed step, ``canonical`` the page itself.
    """

    title: str
    description: str
    canonical: str
    url: str
    image: str
    alt: str
    oembed: str
    width: int = WIDTH
    height: int = HEIGHT


def share_of(request: HttpRequest, record: Record, frame: FrameView | None) -> ShareView:
    """Return the preview of a link to a game, with the table of ``frame`` and no later step."""
    players = " – ".join(labels.person(name) for name in record.players)
    event = Truncator(record.event).chars(EVENT_LENGTH)
    parts = [labels.ruleset(record.ruleset), event, dates.played(record.date)]
    canonical = absolute(reverse("game", args=[record.key]))
    url = canonical
    image = alt = oembed = ""
    if frame:
        has_position = "at" in request.GET
        if has_position:
            parts.insert(0, f"{frame.title}: {frame.description}")
            url = f"{canonical}?{urlencode({'at': frame.at})}"
        image = absolute(picture_address(record.key, frame.at))
        alt = frame.description
        query = urlencode({"url": url, "lang": labels.lang()})
        oembed = absolute(f"{reverse('oembed')}?{query}")
    description = " · ".join(part for part in parts if part)
    return ShareView(players, description, canonical, url, image, alt, oembed)


def picture_address(key: str, at: str) -> str:
    """Return the address of the picture of a step, in the language of the request."""
    return f"{reverse('picture', args=[key, at])}?{urlencode({'lang': labels.lang()})}"
