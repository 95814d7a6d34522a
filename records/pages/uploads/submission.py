"""Storing what the form of a page sends: an upload, or a sentence on the form that says why not."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from records.ingest.quotas import QuotaExceeded, seconds_left
from records.ingest.receiving import NothingUploaded, Part, UploadTooLarge
from records.models import Ownership
from records.privacy import access
from records.privacy.access import Viewer, find_ownership, parse_visibility, viewer_of
from records.privacy.circles import find_circle
from records.services.submit import NotOneGame, ReplacementRefused, submit
from records.serving.limits import count_change, step
from records.serving.senders import sender_of


def send(
    request: HttpRequest,
    parts: Iterable[Part],
    *,
    form: Callable[[str, int], HttpResponse],
    visibility: str,
    club: str,
    replaces: str = "",
    secret: str = "",
    is_saved: bool = False,
) -> HttpResponse:
    """Store an upload and redirect to its report. If nothing is stored, show the form again.

    ``form`` returns the page with an error, given its sentence and the status of the response.
    ``visibility`` is the name of a visibility, or "" for that of the former game or of the club.
    ``club`` is the address of the club that gets the games (`records.privacy.circles`), or "".
    ``replaces`` is the key of the sender's game that the upload replaces, and ``secret`` proves
    that it is the sender's. ``is_saved`` tells that the game was written on a page of the editor.
    """
    sender = sender_of(request)
    limit = step("uploads", sender)
    if limit.too_fast:
        again = _("Too many uploads: try again in %(seconds)d seconds.") % {"seconds": limit.left}
        return _retry_later(form(again, 429), limit.left)
    viewer = viewer_of(request)
    circle = find_circle(club, viewer.user)
    if club and circle is None:
        text = _("You are no member of this club any more. Save without it, or ask an officer.")
        return form(text, 403)
    try:
        former = _find_replaced(replaces, viewer, secret)
        if former is not None:
            count_change(request)
        if viewer.user:
            secret = ""
        elif former is None:
            secret = access.new_secret()  # a correction uses the secret of the former game
        key = submit(
            parts,
            via="page",
            sender=sender,
            viewer=viewer,
            secret=access.hash_secret(secret),
            visibility=parse_visibility(visibility, viewer) if visibility else None,
            circle=circle,
            former=former,
        ).upload.key
    except UploadTooLarge:
        return too_large(request)
    except QuotaExceeded as exceeded:
        return _retry_later(form(exceeded.words(), 429), seconds_left())
    except NotOneGame as error:
        return form(error.words, 400)
    except ReplacementRefused as error:
        return form(error.words, 409)
    except NothingUploaded:
        return form(_("Choose a file, or paste a game."), 400)
    address = reverse("my_report", args=[key, secret]) if secret else reverse("report", args=[key])
    return redirect(f"{address}?saved" if is_saved else address)


def too_large(request: HttpRequest) -> HttpResponse:
    """Return 413, with the limit."""
    limit = settings.UPLOAD_LIMIT_BYTES
    return render(request, "413.html", {"limit": limit}, status=413)


def _retry_later(response: HttpResponse, seconds: int) -> HttpResponse:
    response.headers["Retry-After"] = str(seconds)
    return response


def _find_replaced(key: str, viewer: Viewer, secret: str) -> Ownership | None:
    """Return the sender's ownership of the game that is to be replaced, or None.

    Raise NotOneGame if another sender has the game.
    """
    ownership = find_ownership(key, viewer, secret)
    if key and ownership is None:
        raise NotOneGame(_("Only the sender of a game can replace it: nothing was stored."))
    return ownership
