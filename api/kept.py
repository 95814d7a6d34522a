"""Answers of the API that are made once for all who get the same, as pages are."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import get_language
from rest_framework.request import Request
from rest_framework.response import Response

from records.pages.caching import State, version_for
from records.serving import cache
from records.serving.cached_responses import respond
from records.serving.limits import expensive

Get = Callable[..., HttpResponseBase]


def kept(state: State, *, group: str = "page") -> Callable[[Get], Get]:
    """Decorator of a view's ``get``: its answer is kept as long as ``state`` is the same.

    As `records.pages.caching.cached_page` does; the format is what the caller accepts. Only for
    answers that do not depend on who asks, wherever there is a state: tokens make no difference.
    ``group`` is that of `records.serving.limits` under which the answer is made.
    """

    def decorate(get: Get) -> Get:
        @wraps(get)
        def answer(view: Any, request: Request, **given: Any) -> HttpResponseBase:
            version = version_for(request._request, state)
            found = state(request._request, **given)
            if found is None:
                with expensive(request._request, group):
                    return get(view, request, **given)
            key = cache.key(
                f"api-{type(view).__name__}",
                request.path,
                request._request.GET.urlencode(),
                get_language(),
                request.accepted_media_type,
                *found,
            )

            def make() -> HttpResponse:
                return rendered(view, request, get(view, request, **given))

            return respond(request._request, key, make, version=version, group=group)

        return answer

    return decorate


def rendered(view: Any, request: Request, response: HttpResponseBase) -> HttpResponse:
    """The response with its body, in the format that the caller accepts."""
    if isinstance(response, Response):
        negotiated: Any = response
        negotiated.accepted_renderer = request.accepted_renderer
        negotiated.accepted_media_type = request.accepted_media_type
        negotiated.renderer_context = view.get_renderer_context()
        negotiated.render()
    assert isinstance(response, HttpResponse), "a stream is not kept"
    return response
