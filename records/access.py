"""Who looks at something, and whether he may. Pages and API ask here alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from records.models import Holding, Record, Upload, Visibility

_CONFIDENTIAL: Final = "hana_confidential"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: ``user`` is a primary key, None for anybody; ``staff`` sees everything."""

    user: int | None = None
    staff: bool = False


NOBODY: Final = Viewer()


def viewer_of(request: HttpRequest) -> Viewer:
    """Who looks at a page, by the session."""
    user = request.user
    return Viewer(user.pk, user.is_staff) if user.is_authenticated else NOBODY


def may_see(record: Record, viewer: Viewer) -> bool:
    """Whether a game may be shown: public and unlisted ones to all, private ones to a holder."""
    if record.visibility >= Visibility.UNLISTED or viewer.staff:
        return True
    return viewer.user is not None and holding_of(record.pk, viewer) is not None


def holding_of(record: int, viewer: Viewer) -> Holding | None:
    """The viewer's own holding of a game, unless it is withdrawn."""
    if viewer.user is None:
        return None
    held = Holding.objects.filter(record=record, owner=viewer.user)
    return held.exclude(visibility=Visibility.WITHDRAWN).first()


def may_see_upload(upload: Upload, viewer: Viewer) -> bool:
    """Whether the report of an upload may be shown: a private one to its owner alone."""
    if upload.visibility >= Visibility.UNLISTED or viewer.staff:
        return True
    return viewer.user is not None and upload.owner_id == viewer.user


def uploads_for(viewer: Viewer) -> Q:
    """The condition of `may_see_upload` for a query of uploads."""
    if viewer.staff:
        return Q()
    shown = Q(visibility__gte=Visibility.UNLISTED)
    return shown | Q(owner=viewer.user) if viewer.user is not None else shown


def visibility_named(name: str, viewer: Viewer) -> Visibility:
    """The visibility of an upload by its name, public for any other.

    Private is for those who have an account: nobody else could see it again.
    """
    named = {one.name.lower(): one for one in Visibility if one is not Visibility.WITHDRAWN}
    found = named.get(name, Visibility.PUBLIC)
    if found is Visibility.PRIVATE and viewer.user is None:
        return Visibility.UNLISTED
    return found


def mark(request: HttpRequest, visibility: int) -> None:
    """Note what an answer is about: the middleware sees to it that it is not kept or listed."""
    before = getattr(request, _CONFIDENTIAL, Visibility.PUBLIC)
    setattr(request, _CONFIDENTIAL, min(before, visibility))


def middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """What only some may see stands in no cache but theirs; what is not public, in no index."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        visibility = getattr(request, _CONFIDENTIAL, Visibility.PUBLIC)
        if visibility < Visibility.PUBLIC:
            response["X-Robots-Tag"] = "noindex"
        if visibility < Visibility.UNLISTED:
            response["Cache-Control"] = "private, no-store"
        return response

    return respond
