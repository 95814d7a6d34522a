"""Kept answers given again from memory, before sessions, users and views are looked up.

For requests without session and token: all of them see the same. What every answer has is done for
these too: the host is checked, requests are counted for their sender, and the middleware
outside of this adds its headers, the log line and the metrics.

An answer is remembered if its view has given it by `records.serving.cached_responses`, with all
headers that the middleware inside of this has added, for as long as the version of the archive
(`records.privacy.revisions`) is the same. Of another version the view is asked: it looks up what
its answer depends on, which is mostly unchanged, and the answer is remembered for that version.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language_from_request

from api import problems, throttling
from records.privacy import revisions
from records.serving.cached_responses import kept_as
from records.serving.memory import MEMORY, Key, Remembered
from records.serving.senders import anonymous

#: Headers of one form of an answer.
_OF_A_FORM: Final = ("Content-Encoding", "Content-Length", "ETag")
#: Cookies by which pages without a session differ.
_COOKIES: Final = ("spoilers",)


def middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Outside of sessions and the language; inside of all that each answer needs."""

    def respond(request: HttpRequest) -> HttpResponse:
        if not _is_common(request):
            return get_response(request)
        request.get_host()  # raises DisallowedHost
        key = _key_of(request)
        entry = MEMORY.get(key)
        answer = _again(request, entry) if entry is not None else None
        if answer is None:
            answer = get_response(request)
            _remember(request, answer, key)
        return answer

    return respond


def _is_common(request: HttpRequest) -> bool:
    cookies = request.COOKIES
    return (
        request.method in ("GET", "HEAD")
        and "HTTP_AUTHORIZATION" not in request.META
        and settings.SESSION_COOKIE_NAME not in cookies
        and "messages" not in cookies
    )


def _key_of(request: HttpRequest) -> Key:
    """All of the request that an answer may depend on, but its coding."""
    is_negotiated = request.path_info.startswith(problems.PREFIX)
    return (
        request.path_info,
        request.META.get("QUERY_STRING", ""),
        get_language_from_request(request),
        request.META.get("HTTP_ACCEPT") if is_negotiated else None,
        *(request.COOKIES.get(name) for name in _COOKIES),
    )


def _again(request: HttpRequest, entry: Remembered) -> HttpResponse | None:
    """The answer; None if the archive has another version, or if that cannot be looked up.

    None too if the sender is above a limit: others say so.
    """
    if not _holds(request, entry):
        return None
    if entry.limit and throttling.count(request, entry.limit, anonymous(request)).too_fast:
        return None
    request.resolver_match = entry.match
    response = entry.kept.packed.response(request)
    if entry.framed:
        setattr(response, "xframe_options_exempt", True)  # noqa: B010
    return response


def _holds(request: HttpRequest, entry: Remembered) -> bool:
    version = entry.kept.version
    try:
        return version is None or version == revisions.at(request)
    except DatabaseError:
        return False


def _remember(request: HttpRequest, response: HttpResponse, key: Key) -> None:
    kept = kept_as(response)
    if kept is None or response.status_code != 200 or response.cookies:
        return
    headers = {name: value for name, value in response.items() if name not in _OF_A_FORM}
    limit = throttling.counted(request)
    MEMORY.put(
        key,
        Remembered(
            kept=replace(kept, packed=replace(kept.packed, headers=headers)),
            limit=limit.name if limit else "",
            match=request.resolver_match,
            framed=getattr(response, "xframe_options_exempt", False),
        ),
    )
