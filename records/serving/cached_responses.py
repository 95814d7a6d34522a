"""Responses that are made once for all who get the same, in Django's cache "responses".

`respond` takes all that a response is made of: a cached one is therefore never out of date, its
ETag is strong, and to say that a client has it already needs nothing but these parts. Bodies are
compressed once. `cached_page` is the decorator of pages, `api.caching.cached_get` that of the API.
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
from records.serving.limits import expensive

View = Callable[..., HttpResponse]
#: What a response depends on apart from its address, the language and the release; None for a
#: response that cannot be cached.
State = Callable[..., tuple[object, ...] | None]

#: Longer values are not cached: what a process has in memory is bounded.
MOST_BYTES: Final = 1 << 20
#: Cookies that change a page.
_COOKIES: Final = ("spoilers",)
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
#: Shorter bodies are not compressed.
_SHORT: Final = 200
_GZIP: Final = "gzip"
_HEAD: Final = struct.Struct(">I")


def key_of(kind: str, *parts: object, made_by: str = "") -> str:
    """Return the key of what is made of these parts by ``made_by``, by default this release."""
    written = "\0".join((kind, made_by or release(), *map(str, parts)))
    return f"{kind}-{hashlib.sha256(written.encode()).hexdigest()[:40]}"


def once(key: str, make: Callable[[], bytes]) -> bytes:
    """Return the cached value of a key; make and cache it if it is missing."""
    cache = caches["responses"]
    found: bytes | None = cache.get(key)
    if found is None:
        found = make()
        if len(found) <= MOST_BYTES:
            cache.set(key, found)
    return found


def cached_page(
    state: State, *, public: bool = False, group: str = "page"
) -> Callable[[View], View]:
    """Decorate a view of a page, which is cached while ``state(request, …)`` is the same.

    Only visitors without a session share it, or with ``public`` all, as the page shows nothing
    about them; others have the view called each time. ``group`` is that of
    `records.serving.limits` under which the page is made.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: Any, **given: Any) -> HttpResponse:
            is_shared = public or _is_anonymous(request)
            values = state(request, *args, **given) if is_shared else None
            if values is None:
                with expensive(request, group):
                    return view(request, *args, **given)
            cookies = [request.COOKIES.get(name, "") for name in _COOKIES]
            key = key_of(view.__name__, *address_of(request), *cookies, *values)
            return respond(request, key, lambda: view(request, *args, **given), group=group)

        return answer

    return decorate


def address_of(request: HttpRequest) -> tuple[object, ...]:
    """Return the address and the language of a request, as parts of a key."""
    return request.path, request.GET.urlencode(), get_language()


def _is_anonymous(request: HttpRequest) -> bool:
    """Return whether a visitor has neither a session nor a message to be shown."""
    cookies = request.COOKIES
    return (
        request.method in ("GET", "HEAD")
        and settings.SESSION_COOKIE_NAME not in cookies
        and "messages" not in cookies
    )


def respond(
    request: HttpRequest, key: str, make: Callable[[], HttpResponse], *, group: str = "page"
) -> HttpResponse:
    """Return the response of a key: 304 if the client has it, else the cached or a new one.

    A response with a status other than 200 is not cached. ``group`` is that of
    `records.serving.limits` under which it is made. Raises
    :class:`records.serving.limits.Refused`.
    """
    refused = _check_conditions(request, key)
    if refused is not None:
        return _with_defaults(refused)
    cache = caches["responses"]
    packed: bytes | None = cache.get(key)
    if packed is None:
        with expensive(request, group):
            packed = cache.get(key)  # another request may have made it meanwhile
            if packed is None:
                response = make()
                if response.status_code != 200:
                    return response
                packed = _pack(response)
                if len(packed) <= MOST_BYTES:
                    cache.set(key, packed)
    return _with_defaults(_unpack(request, key, packed))


def _check_conditions(request: HttpRequest, key: str) -> HttpResponse | None:
    """Return 304 if the client has the response of a key, 412 if it wants another one."""
    named = request.META.get("HTTP_IF_NONE_MATCH")
    if named is None and "HTTP_IF_MATCH" not in request.META:
        return None
    held = {tag.removeprefix("W/") for tag in parse_etags(named or "")}
    plain, packed = _etag(key), _etag(key, _GZIP)
    etag = packed if packed in held else plain
    refused: HttpResponse | None = get_conditional_response(request, etag=etag)
    if isinstance(refused, HttpResponseNotModified):
        refused.headers["ETag"] = etag
    return refused


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
    """Return the response that `_pack` wrote, in a coding that the client accepts."""
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
