"""Answers in the cache: some headers, and the body in each coding, compressed once.

`respond` gives the answer of a key from the files that all processes share (`cache`), and marks it
as a `Kept` one. So whoever stands further out, before sessions and users are looked up, may give it
again from memory (`memory`).
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import parse_etags

from records.serving import cache
from records.serving.encodings import CODINGS, chosen, forms, plain
from records.serving.limits import expensive

#: Headers of the content, not of a single request.
_HEADERS: Final = (
    "Access-Control-Allow-Origin",
    "Cache-Control",
    "Content-Disposition",
    "Content-Language",
    "Content-Type",
    "Link",
)
#: Types that are compressed already.
_COMPRESSED: Final = ("image/png",)
#: Shorter bodies are sent as they are.
_SHORT: Final = 200
_HEAD: Final = struct.Struct(">I")
_MARK: Final = "hana_kept"


class _NotCached(Exception):
    """A response that must not be cached."""

    def __init__(self, response: HttpResponse) -> None:
        self.response = response


@dataclass(frozen=True, slots=True)
class Packed:
    """An answer: its key, its headers, and its body by coding, "" for one that is not compressed.

    The key covers all that the body is made of, hence the ETag is strong, one for each coding.
    """

    key: str
    headers: Mapping[str, str]
    forms: dict[str, bytes]

    @property
    def size(self) -> int:
        """Bytes of the body, in all its forms."""
        return sum(map(len, self.forms.values()))

    def response(self, request: HttpRequest) -> HttpResponse:
        """The answer, compressed if the client accepts that; 304 if the client has it."""
        known = unchanged(request, self.key)
        if known is not None:
            for name, value in self.headers.items():
                if not name.startswith("Content-"):
                    known.headers[name] = value
            return known
        coding = chosen(request.META.get("HTTP_ACCEPT_ENCODING", ""))
        if coding not in self.forms:
            coding = ""
        body = self.forms[coding] if coding in self.forms else plain(self.forms)
        response = HttpResponse(body, headers=self.headers)
        if coding:
            response.headers["Content-Encoding"] = coding
        response.headers["Content-Length"] = str(len(body))
        response.headers["ETag"] = _etag(self.key, coding)
        return response


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer that may be given again as long as the archive has this version.

    None: for as long as the process runs.
    """

    packed: Packed
    version: int | None


def respond(
    request: HttpRequest,
    key: str,
    make: Callable[[], HttpResponse],
    *,
    version: int | None,
    group: str = "page",
) -> HttpResponse:
    """The response of this key: 304 if the client has it, else from the cache, else made now.

    ``version``: the version of the archive before anything of the key was looked up, None for an
    answer that depends on the release alone. A response with a status other than 200, or that is
    too long, is returned but not cached. ``group`` is that of `records.serving.limits` under
    which it is made. Raises :class:`records.serving.limits.Refused`.
    """
    known = unchanged(request, key)
    if known is not None:
        return _headed(known)

    def packed() -> bytes:
        response = make()
        if response.status_code != 200 or len(response.content) > cache.MOST_BYTES:
            raise _NotCached(response)
        return pack(response)

    try:
        found = unpack(key, cache.once(key, packed, expensive(request, group)))
    except _NotCached as other:
        if other.response.status_code == 200:
            other.response.headers["ETag"] = _etag(key, "")
            _headed(other.response)
        return other.response
    response = _headed(found.response(request))
    setattr(response, _MARK, Kept(found, version))
    return response


def kept_as(response: HttpResponseBase) -> Kept | None:
    """What `respond` has given as this response; None for any other response."""
    return getattr(response, _MARK, None)


def unchanged(request: HttpRequest, key: str) -> HttpResponse | None:
    """304 if the client has the answer of this key in any coding, 412 if it wants another one.

    Nothing but the key is needed.
    """
    named = request.META.get("HTTP_IF_NONE_MATCH")
    if named is None and "HTTP_IF_MATCH" not in request.META:
        return None
    tags = [_etag(key, coding) for coding in (*CODINGS, "")]
    held = {tag.removeprefix("W/") for tag in parse_etags(named or "")}
    etag = next((tag for tag in tags if tag in held), tags[-1])
    refused: HttpResponse | None = get_conditional_response(request, etag=etag)
    if isinstance(refused, HttpResponseNotModified):
        refused.headers["ETag"] = etag
    return refused


def _etag(key: str, coding: str) -> str:
    return f'"{key}-{coding}"' if coding else f'"{key}"'


def _headed(response: HttpResponse) -> HttpResponse:
    response.headers.setdefault("Cache-Control", "no-cache")
    patch_vary_headers(response, ("Accept-Encoding", "Accept-Language", "Cookie"))
    return response


def pack(response: HttpResponse) -> bytes:
    """Serialize a response for the cache."""
    headers = {name: response[name] for name in _HEADERS if name in response}
    body = bytes(response.content)
    is_short = len(body) < _SHORT or response["Content-Type"] in _COMPRESSED
    kept = {"": body} if is_short else forms(body)
    sizes = {coding: len(form) for coding, form in kept.items()}
    head = json.dumps({"headers": headers, "sizes": sizes}).encode()
    return b"".join((_HEAD.pack(len(head)), head, *kept.values()))


def unpack(key: str, data: bytes) -> Packed:
    """The answer that `pack` has written under this key."""
    (length,) = _HEAD.unpack_from(data)
    start = _HEAD.size + length
    head = json.loads(data[_HEAD.size : start])
    kept = {}
    for coding, size in head["sizes"].items():
        kept[coding] = data[start : start + size]
        start += size
    return Packed(key, head["headers"], kept)
