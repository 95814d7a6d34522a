"""Answers that take a while, kept in the cache that all web processes share.

A key says all that an answer is made of, so that what is found under it is never out of date.
"""

from __future__ import annotations

import hashlib
import zlib
from typing import Final

from django.core.cache import cache
from django.http import HttpResponse
from rest_framework.response import Response

#: Long enough for what many ask at a time; what nobody asks again does not fill the cache.
KEPT_SECONDS: Final = 600
#: Of longer ones, which few ask for, only the sending would take long.
MOST_BYTES: Final = 1 << 18


def key(*parts: str) -> str:
    """The key of an answer that is made of all these."""
    return "answer:" + hashlib.sha256("\n".join(parts).encode()).hexdigest()


def find(key: str) -> HttpResponse | None:
    """The answer, with the headers that it was kept with."""
    kept: tuple[bytes, dict[str, str]] | None = cache.get(key)
    if kept is None:
        return None
    packed, headers = kept
    return HttpResponse(zlib.decompress(packed), headers=headers)


def keep(key: str, response: Response) -> Response:
    """The response, which is kept as soon as it is rendered."""
    headers = dict(response.items())

    def put(rendered: Response) -> None:
        if len(rendered.content) <= MOST_BYTES:
            headers["Content-Type"] = rendered["Content-Type"]
            cache.set(key, (zlib.compress(rendered.content, 1), headers), KEPT_SECONDS)

    response.add_post_render_callback(put)
    return response
