"""`hana export`: games of the archive as Kafu text, page after page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hana.server import Server

PAGE: Final = 200


def export(server: Server, filters: Mapping[str, list[str]]) -> Iterator[bytes]:
    """The texts of the games that fit, a page at a time. Raises :class:`hana.errors.Failed`."""
    answer = server.get("records.kafu", params={**filters, "page_size": str(PAGE)})
    while True:
        yield answer.content
        following = answer.links.get("next", {}).get("url")
        if not following:
            return
        answer = server.get(following)
