"""HTTP responses in the cache: some headers, and the body compressed once."""

from __future__ import annotations

import gzip
import json
import re
import struct
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import get_conditional_response, patch_vary_headers

from records.serving import cache

#: Headers of the content, not of a single request.
_HEADERS: Final = (
    "Access-Control-Allow-Origin",
    "Cache-Control",
    "Content-Disposition",
    "Content-Language",
    "Content-Type",
    "ETag",
    "Link",
)
#: Types that are compressed already.
_PACKED: Final = ("image/png",)
#: Shorter bodies are sent uncompressed.
_SHORT: Final = 200
_HEAD: Final = struct.Struct(">I")
_GZIP: Final = re.compile(r"\bgzip\b")


class _NotCached(Exception):
    """A response that must not be cached."""

    def __init__(self, response: HttpResponse) -> None:
        self.response = response


def respond(request: HttpRequest, key: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """The response of this key: 304 if the client has it, else from the cache, else made now.

    A response with a status other than 200 is returned but not cached. Raises
    :class:`records.serving.slots.Busy`.
    """
    etag = f'W/"{key}"'
    if get_conditional_response(request, etag=etag):
        return _tagged(HttpResponseNotModified(), etag)

    def packed() -> bytes:
        response = make()
        if response.status_code != 200:
            raise _NotCached(response)
        return pack(response)

    try:
        found = cache.once(key, packed)
    except _NotCached as other:
        return other.response
    return _tagged(unpack(request, found), etag)


def _tagged(response: HttpResponse, etag: str) -> HttpResponse:
    response["ETag"] = etag
    response.headers.setdefault("Cache-Control", "no-cache")
    patch_vary_headers(response, ("Accept-Encoding", "Accept-Language", "Cookie"))
    return response


def pack(response: HttpResponse) -> bytes:
    """Serialize a response for the cache."""
    headers = {name: response[name] for name in _HEADERS if name in response}
    body = bytes(response.content)
    if len(body) >= _SHORT and response["Content-Type"] not in _PACKED:
        body = gzip.compress(body, 6, mtime=0)
        headers["Content-Encoding"] = "gzip"
    head = json.dumps(headers).encode()
    return _HEAD.pack(len(head)) + head + body


def unpack(request: HttpRequest, data: bytes) -> HttpResponse:
    """The cached response, compressed if the client accepts that."""
    (length,) = _HEAD.unpack_from(data)
    headers = json.loads(data[_HEAD.size : _HEAD.size + length])
    body = data[_HEAD.size + length :]
    if "Content-Encoding" in headers and not _GZIP.search(
        request.headers.get("Accept-Encoding", "")
    ):
        del headers["Content-Encoding"]
        body = gzip.decompress(body)
    headers["Content-Length"] = str(len(body))
    return HttpResponse(body, headers=headers)
