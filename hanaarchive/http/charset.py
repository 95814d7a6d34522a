"""Charsets of forms that are no encodings of text, such as ``base64``, are ignored."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


def middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Read a form as UTF-8 if Django would fail with the charset of its Content-Type."""

    def respond(request: HttpRequest) -> HttpResponse:
        if request.encoding is not None and not _encodes_text(request.encoding):
            request.encoding = "utf-8"
        return get_response(request)

    return respond


def _encodes_text(charset: str) -> bool:
    try:
        "é".encode(charset, "replace").decode(charset, "replace")
    except (LookupError, UnicodeError):
        return False
    return True
