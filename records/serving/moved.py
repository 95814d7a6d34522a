"""Redirects from the address of a replaced game to its successor, for pages and the API."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse

#: Cache-Control of 301 and 410. Browsers would cache both forever, although a game may be restored,
#: and alternate replacements of two games would redirect in a circle.
NO_CACHE: Final = "no-cache"


def redirect_to_game(request: Any, key: str) -> HttpResponse:
    """Return a permanent redirect to the same page of another game.

    A page without a game in its path redirects to the page of the game.
    """
    match = request.resolver_match
    if "key" in match.kwargs:
        address = reverse(match.view_name, kwargs=match.kwargs | {"key": key})
        if request.META.get("QUERY_STRING"):
            address += f"?{request.META['QUERY_STRING']}"
    else:
        address = reverse("game", args=[key])
    response = HttpResponsePermanentRedirect(address)
    response["Cache-Control"] = NO_CACHE
    return response
