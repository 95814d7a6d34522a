"""Cached responses of the API."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from records.serving import replica
from records.serving.cached_responses import State, address_of, key_of, respond
from records.serving.limits import expensive
from records.serving.parameters import reduce_query

Get = Callable[..., HttpResponseBase]


def cached_get(state: State, *, group: str = "page") -> Callable[[Get], Get]:
    """Decorate a view's ``get`` to cache the response until ``state`` changes.

    Resources refuse unknown parameters before. ``state`` returns None for responses that must not
    be cached; a cached response is the same for every caller and token. Building a response counts
    against ``group`` of `records.serving.limits`.
    """

    def decorate(get: Get) -> Get:
        @wraps(get)
        def get_cached(view: Any, request: Request, **kwargs: Any) -> HttpResponseBase:
            plain_request = request._request
            reduce_query(plain_request, dict.fromkeys(sorted(plain_request.GET), list))
            values = state(plain_request, **kwargs)
            if values is None:
                with expensive(plain_request, group):
                    return get(view, request, **kwargs)
            kind = f"api-{type(view).__name__}"
            key = key_of(
                kind, *address_of(plain_request), request.accepted_renderer.media_type, *values
            )

            def make() -> HttpResponse:
                return replica.read(
                    lambda: state(plain_request, **kwargs) == values,
                    lambda: _render(view, request, get(view, request, **kwargs)),
                )

            return respond(plain_request, key, make, group=group)

        return get_cached

    return decorate


def _render(view: Any, request: Request, response: HttpResponseBase) -> HttpResponse:
    """Render a response in the media type accepted by the caller."""
    if isinstance(response, Response):
        negotiated: Any = response
        negotiated.accepted_renderer = request.accepted_renderer
        # Media types of a request may have parameters, which the key does not include.
        negotiated.accepted_media_type = request.accepted_renderer.media_type
        negotiated.renderer_context = view.get_renderer_context()
        negotiated.render()
    assert isinstance(response, HttpResponse), "a stream is not cached"
    return response
