"""Answers of the API that are not kept, and streams, compressed for a client who accepts that.

Inside of the limits of work, so that it is charged to the client. Pages have their own way
(`records.pages.caching`), as they have secrets in forms.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from api.problems import PREFIX
from records.serving.encodings import chosen, streamed

#: Shorter bodies are sent as they are.
_SHORT: Final = 200
#: Texts, in all forms of ours.
_TEXTS: Final = re.compile(r"text/|application/(.*\+)?(json|yaml)|application/(x-ndjson|vnd\.oai)")


def middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Compress texts; an ETag becomes a weak one, as the bytes are others."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.path_info.startswith(PREFIX) and _is_plain_text(response):
            patch_vary_headers(response, ("Accept-Encoding",))
            coding = chosen(request.META.get("HTTP_ACCEPT_ENCODING", ""))
            if coding:
                _compress(response, coding)
        return response

    return respond


def _is_plain_text(response: Any) -> bool:
    return (
        response.status_code == 200
        and "Content-Encoding" not in response
        and bool(_TEXTS.match(response.get("Content-Type", "")))
        and (response.streaming or len(response.content) >= _SHORT)
    )


def _compress(response: Any, coding: str) -> None:
    if response.streaming:
        response.streaming_content = streamed(iter(response.streaming_content), coding)
    else:
        response.content = b"".join(streamed(iter([response.content]), coding))
        response.headers["Content-Length"] = str(len(response.content))
    response.headers["Content-Encoding"] = coding
    etag = response.get("ETag", "")
    if etag.startswith('"'):
        response.headers["ETag"] = f"W/{etag}"
