"""Corrected and removed games: the context of correction forms, and responses at old addresses."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from records.models import Gone, Record, Upload, Visibility
from records.privacy.access import find_ownership, viewer_of
from records.search.games import GameGone
from records.serving.moved import NO_CACHE, redirect_to_game


def gone_page(request: HttpRequest, error: GameGone) -> HttpResponse:
    """Return a redirect to the successor of a removed game, or 410 with the reason."""
    if error.gone.successor:
        return redirect_to_game(request, error.gone.successor)
    context = {"why": Gone(error.gone.why), "when": error.gone.when}
    response = render(request, "records/gone.html", context, status=410)
    response["Cache-Control"] = NO_CACHE
    return response


def replaced_context(
    request: HttpRequest, key: str, upload: Upload | None = None
) -> dict[str, str]:
    """Return the context of a form that corrects the game with a key; empty for foreign games.

    ``replaces`` is the key and ``level`` the visibility of the viewer's game. A viewer without an
    account proves ownership by the ``secret`` of the upload, which the form sends again. On a page
    that is only shown, ``sent`` is the key of the ``upload`` or else of the game, by which a
    browser finds the stored secret.
    """
    viewer = viewer_of(request)
    secret = "" if viewer.user else request.POST.get("secret", "")
    ownership = find_ownership(key, viewer, secret)
    if ownership is None:
        if viewer.user is not None or request.method != "GET" or not key:
            return {}
        sent: Upload | Record | None = upload
        if upload is None:
            records = Record.objects.only("key", "visibility")
            sent = records.filter(key=key, ownerships__owner=None).first()
        if sent is None or (upload is not None and not upload.secret):
            return {}
        level = Visibility(sent.visibility).id
        return {"replaces": key, "level": level, "sent": sent.key}
    level = Visibility(ownership.visibility).id
    context = {"replaces": ownership.record.key, "level": level}
    return context if viewer.user else context | {"secret": secret}
