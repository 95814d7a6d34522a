"""Responses computed once for identical requests, in Django's cache "responses".

The key of `respond` covers everything a response depends on. A cached response is therefore never
out of date, its ETag is strong, and a conditional request needs only the key. Bodies are compressed
once. `cached_page` decorates pages, `api.caching.cached_get` views of the API.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import struct
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseNotModified
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import get_language

from records.base.release import release
from records.serving import replica
from records.serving.limits import expensive
from records.serving.parameters import Parameters, reduce_query

View = Callable[..., HttpResponse]
#: Return a response's dependencies besides address, language and release; None for an uncacheable
#: response.
State = Callable[..., tuple[object, ...] | None]
#: The parameters of a page without any.
NO_PARAMETERS: Final[Parameters] = {}

#: Longer values are not cached, which bounds the memory of a process.
MOST_BYTES: Final = 1 << 20
#: Cached headers. Headers of a single request are not cached.
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
#: Shorter bodies are not compressed.
_SHORT: Final = 200
_GZIP: Final = "gzip"
_HEAD: Final = struct.Struct(">I")


def key_of(kind: str, *parts: object, made_by: str = "") -> str:
    """Return the cache key of a value.

    ``parts`` identify the value. ``made_by`` identifies the code that computes it, by default the
    release.
    """
    written = "\0".join((kind, made_by or release(), *map(str, parts)))
    return f"{kind}-{hashlib.sha256(written.encode()).hexdigest()[:40]}"


def once(key: str, make: Callable[[], bytes]) -> bytes:
    """Return the cached value of a key; compute and cache it if it is missing."""
    cache = caches["responses"]
    value: bytes | None = cache.get(key)
    if value is None:
        value = make()
        if len(value) <= MOST_BYTES:
            cache.set(key, value)
    return value


def cached_page(
    state: State,
    *,
    parameters: Parameters = NO_PARAMETERS,
    public: bool = False,
    group: str = "page",
) -> Callable[[View], View]:
    """Cache the responses of a page while ``state(request, …)`` is unchanged (decorator).

    The view sees the ``parameters`` of the query alone, in canonical form. Only
    visitors without a session share cached pages; the view runs for every other request. With
    ``public`` all visitors share them, because the page shows nothing about the visitor. ``group``
    is the group of `records.serving.limits` that computing the page counts in.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def respond_from_cache(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            reduce_query(request, parameters)
            is_safe = request.method in ("GET", "HEAD")
            is_shared = public or (is_safe and not is_personal(request))
            values = state(request, *args, **kwargs) if is_shared else None
            if values is None:
                with expensive(request, group):
                    return view(request, *args, **kwargs)
            hides_results = request.COOKIES.get("spoilers") == "hide"
            key = key_of(view.__name__, *address_of(request), hides_results, *values)

            def make() -> HttpResponse:
                return replica.read(
                    lambda: state(request, *args, **kwargs) == values,
                    lambda: view(request, *args, **kwargs),
                )

            return respond(request, key, make, group=group)

        return respond_from_cache

    return decorate


def address_of(request: HttpRequest) -> tuple[object, ...]:
    """Return the address and language of a request, as parts of a cache key."""
    return request.path, request.GET.urlencode(), get_language()


def is_personal(request: HttpRequest) -> bool:
    """Return whether a page may show the visitor, who has a session or a pending message."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES or "messages" in request.COOKIES


def is_same_for_all(response: HttpResponse) -> bool:
    """Return whether every visitor gets this response: it has an ETag or is declared public."""
    return "ETag" in response or "public" in response.get("Cache-Control", "")


def respond(
    request: HttpRequest, key: str, make: Callable[[], HttpResponse], *, group: str = "page"
) -> HttpResponse:
    """Return 304 if the client has the response of a key, else the cached or a new response.

    A response with a status other than 200 or with ``no-store`` is not cached. ``group`` is the
    group of `records.serving.limits` that computing counts in. Raise
    :class:`records.serving.gates.RequestRefused`.
    """
    conditional = _check_conditions(request, key)
    if conditional is not None:
        return _with_defaults(conditional)
    cache = caches["responses"]
    packed: bytes | None = cache.get(key)
    if packed is None:
        with expensive(request, group):
            packed = cache.get(key)  # another request may have cached the page meanwhile
            if packed is None:
                response = make()
                if response.status_code != 200 or "no-store" in response.get("Cache-Control", ""):
                    return response
                packed = _pack(response)
                if len(packed) <= MOST_BYTES:
                    cache.set(key, packed)
    return _with_defaults(_unpack(request, key, packed))


def _check_conditions(request: HttpRequest, key: str) -> HttpResponse | None:
    """Return 304 or 412 by the conditional headers of a request; None if a body must be sent."""
    header = request.META.get("HTTP_IF_NONE_MATCH")
    if header is None and "HTTP_IF_MATCH" not in request.META:
        return None
    etags = {tag.removeprefix("W/") for tag in parse_etags(header or "")}
    plain, packed = _etag(key), _etag(key, _GZIP)
    etag = packed if packed in etags else plain
    response: HttpResponse | None = get_conditional_response(request, etag=etag)
    if isinstance(response, HttpResponseNotModified):
        response.headers["ETag"] = etag
    return response


def _etag(key: str, coding: str = "") -> str:
    return f'"{key}-{coding}"' if coding else f'"{key}"'


def _with_defaults(response: HttpResponse) -> HttpResponse:
    response.headers.setdefault("Cache-Control", "no-cache")
    patch_vary_headers(response, ("Accept-Encoding", "Accept-Language", "Cookie"))
    return response


def _pack(response: HttpResponse) -> bytes:
    """Return a response as bytes: length of the head, head, body."""
    headers = {name: response[name] for name in _HEADERS if name in response}
    body = bytes(response.content)
    coding = ""
    if len(body) >= _SHORT and response["Content-Type"] not in _COMPRESSED:
        body, coding = gzip.compress(body, mtime=0), _GZIP
    head = json.dumps([headers, coding]).encode()
    return b"".join((_HEAD.pack(len(head)), head, body))


def _unpack(request: HttpRequest, key: str, packed: bytes) -> HttpResponse:
    """Return the response that `_pack` wrote, in a coding accepted by the client."""
    (length,) = _HEAD.unpack_from(packed)
    start = _HEAD.size + length
    headers, coding = json.loads(packed[_HEAD.size : start])
    body = packed[start:]
    if coding and not _accepts_gzip(request):
        body, coding = gzip.decompress(body), ""
    response = HttpResponse(body, headers=headers)
    if coding:
        response.headers["Content-Encoding"] = coding
    response.headers["Content-Length"] = str(len(body))
    response.headers["ETag"] = _etag(key, coding)
    return response


def _accepts_gzip(request: HttpRequest) -> bool:
    accepted = request.META.get("HTTP_ACCEPT_ENCODING", "").lower().replace(" ", "")
    return any(
        name == _GZIP and weight not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
        for name, _, weight in (part.partition(";") for part in accepted.split(","))
    )
