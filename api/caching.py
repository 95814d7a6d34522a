"""Responses of the API that are made once for all who get the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from records.serving.cached_responses import State, address_of, key_of, respond
from records.serving.limits import expensive

Get = Callable[..., HttpResponseBase]


def cached_get(state: State, *, group: str = "page") -> Callable[[Get], Get]:
    """Decorate a view's ``get``, whose response is cached while ``state`` is the same.

    Only for responses that do not depend on who asks wherever there is a state: tokens make no
    difference. ``group`` is that of `records.serving.limits` under which the response is made.
    """

    def decorate(get: Get) -> Get:
        @wraps(get)
        def answer(view: Any, request: Request, **given: Any) -> HttpResponseBase:
            plain_request = request._request
            values = state(plain_request, **given)
            if values is None:
                with expensive(plain_request, group):
                    return get(view, request, **given)
            kind = f"api-{type(view).__name__}"
            key = key_of(kind, *address_of(plain_request), request.accepted_media_type, *values)

            def make() -> HttpResponse:
                return _render(view, request, get(view, request, **given))

            return respond(plain_request, key, make, group=group)

        return answer

    return decorate


def _render(view: Any, request: Request, response: HttpResponseBase) -> HttpResponse:
    """Return a response with its body, in the format that the caller accepts."""
    if isinstance(response, Response):
        negotiated: Any = response
        negotiated.accepted_renderer = request.accepted_renderer
        negotiated.accepted_media_type = request.accepted_media_type
        negotiated.renderer_context = view.get_renderer_context()
        negotiated.render()
    assert isinstance(response, HttpResponse), "a stream is not cached"
    return response
