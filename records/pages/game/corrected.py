"""Games that are corrected: the form that sends one in the place of another, and the address of one
that is gone, which leads on to the game in its place, or says why.
"""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.urls import reverse

from records.models import Gone, Upload, Visibility
from records.privacy.access import find_ownership, find_ownership_by_secret, viewer_of
from records.search.games import GameGone

#: A game may come back, restored or corrected once more. Without this header browsers keep 301 and
#: 410 for ever, and two games that replaced each other would lead in a circle.
ASK_AGAIN: Final = "no-cache"


def gone_page(request: HttpRequest, error: GameGone) -> HttpResponse:
    """Return a redirect to the game in the place of one that is gone, or 410 with the reason."""
    if error.gone.successor:
        return onward(request, error.gone.successor)
    context = {"why": Gone(error.gone.why), "when": error.gone.when}
    response = render(request, "records/gone.html", context, status=410)
    response["Cache-Control"] = ASK_AGAIN
    return response


def onward(request: Any, key: str) -> HttpResponse:
    """A permanent redirect to the same page of another game; to its own from a page that only
    names a game among its parameters.
    """
    match = request.resolver_match
    if "key" in match.kwargs:
        address = reverse(match.view_name, kwargs=match.kwargs | {"key": key})
        if request.META.get("QUERY_STRING"):
            address += f"?{request.META['QUERY_STRING']}"
    else:
        address = reverse("game", args=[key])
    response = HttpResponsePermanentRedirect(address)
    response["Cache-Control"] = ASK_AGAIN
    return response


def replaced_context(
    request: HttpRequest, key: str, upload: Upload | None = None
) -> dict[str, str]:
    """For a form that corrects the game with this key, if it is the viewer's own: its key as
    ``replaces``, and its ``level`` of visibility; nothing for other games.

    Without an account the secret of its upload, sent as ``words``, shows whose it is; the form
    sends it again. For a game of an ``upload`` that was sent without an account, ``sent`` is its
    key: a browser that keeps the secret puts that into the form.
    """
    viewer = viewer_of(request)
    own = find_ownership(key, viewer)
    context: dict[str, str] = {}
    if viewer.user is None:
        context["words"] = request.POST.get("words", "")
        own = find_ownership_by_secret(key, context["words"])
    if own is None:
        if viewer.user is not None or upload is None or not upload.secret or not key:
            return {}
        level = Visibility(upload.visibility).name.lower()
        return {"replaces": key, "level": level, "sent": upload.key}
    level = Visibility(own.visibility).name.lower()
    return context | {"replaces": own.record.key, "level": level}
