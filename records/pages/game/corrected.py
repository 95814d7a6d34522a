"""Corrected and removed games: the context of correction forms, and responses at old addresses."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.urls import reverse

from records.models import Gone, Record, Upload, Visibility
from records.privacy.access import find_ownership, viewer_of
from records.search.games import GameGone

#: Cache-Control of 301 and 410. Without it browsers cache both forever, although a game may be
#: restored or corrected again, and two games that replaced each other would redirect in a circle.
NO_CACHE: Final = "no-cache"


def gone_page(request: HttpRequest, error: GameGone) -> HttpResponse:
    """Return a redirect to the successor of a removed game, or 410 with the reason."""
    if error.gone.successor:
        return redirect_to_game(request, error.gone.successor)
    context = {"why": Gone(error.gone.why), "when": error.gone.when}
    response = render(request, "records/gone.html", context, status=410)
    response["Cache-Control"] = NO_CACHE
    return response


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


def replaced_context(
    request: HttpRequest, key: str, upload: Upload | None = None
) -> dict[str, str]:
    """Return the context of a form that corrects the game with a key; empty for foreign games.

    ``replaces`` is the key and ``level`` the visibility of the viewer's game. A viewer without an
    account proves ownership by the secret of the upload, sent as ``words``, which the form sends
    again. On a page that is only shown, ``sent`` is the key of the ``upload`` or else of the game,
    by which a browser finds the stored secret.
    """
    viewer = viewer_of(request)
    words = "" if viewer.user else request.POST.get("words", "")
    ownership = find_ownership(key, viewer, words)
    if ownership is None:
        if viewer.user is not None or request.method != "GET" or not key:
            return {}
        sent = upload or Record.objects.only("key", "visibility").get(key=key)
        level = Visibility(sent.visibility).name.lower()
        return {"replaces": key, "level": level, "sent": sent.key}
    level = Visibility(ownership.visibility).name.lower()
    context = {"replaces": ownership.record.key, "level": level}
    return context if viewer.user else context | {"words": words}
