"""The preview of a link to a page, as other sites show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from records.base import labels


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """What other sites show of a page.

    Addresses are absolute, except the path ``image``, which pages of ours show too. ``url`` is the
    page as shared, empty for a page that nobody else can see. ``canonical`` is its main address if
    there are several. ``oembed`` is the address of the player's data for other sites, empty for a
    page without a player.
    """

    description: str
    image: str
    alt: str
    url: str = ""
    canonical: str = ""
    oembed: str = ""


def picture_path(name: str, *keys: Any, **query: str) -> str:
    """Return the path of a picture, in the language of the request."""
    return f"{reverse(name, args=keys)}?{urlencode({'lang': labels.lang()} | query)}"
