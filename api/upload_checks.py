"""Checks on uploads: visibility, the game to replace, foreign sites, upload secrets."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.request import Request

from api.authentication import SECRET, viewer_of
from api.problems import invalid_header, invalid_parameter
from records.base.release import absolute
from records.models import Ownership, Visibility
from records.privacy.access import find_ownership, hash_secret
from records.privacy.circles import Circle, find_circle
from records.search.games import get as get_game
from records.shapes.visibilities import LEVELS

#: The parameter of an upload for its visibility.
VISIBILITY: Final = "visibility"
#: The parameter of an upload for the key of the club that gets the games.
CLUB: Final = "club"
#: The parameter of an upload for the key of the replaced game.
REPLACES: Final = "replaces"
#: The parameter of an upload that permits an entirely different game to replace another.
ANOTHER_GAME: Final = "another_game"


def parse_visibility(request: Request, name: str) -> Visibility | None:
    """Return the requested visibility, None if the name is "".

    Raise 400 for an unknown name, and 401 for private without an account.
    """
    if not name:
        return None
    if name not in LEVELS:
        values = {"known": ", ".join(LEVELS)}
        raise invalid_parameter(VISIBILITY, _("visibility: expected one of %(known)s.") % values)
    visibility = LEVELS[name]
    if visibility is Visibility.PRIVATE and viewer_of(request).user is None:
        raise NotAuthenticated(
            _("A private upload needs a token: without one nobody could see it.")
        )
    return visibility


def find_club(request: Request, key: str) -> Circle | None:
    """Return the club of the caller with a key, None if the key is "".

    Raise 401 without an account, and 400 for a club of which the caller is no member.
    """
    if key and viewer_of(request).user is None:
        raise NotAuthenticated(_("Games for a club need a token of a member."))
    club = find_circle(key, viewer_of(request).user)
    if key and club is None:
        text = _("club: you are a member of no club %(key)s. Nothing was stored.")
        raise invalid_parameter(CLUB, text % {"key": key[:40]})
    return club


def find_replaced_game(request: Request) -> Ownership | None:
    """Return the caller's ownership of the game to replace, or None if the request names no game.

    A caller without an account proves the ownership by the secret of the upload. Raise 404 or 410
    for a game that the caller cannot see, and 403 for another sender's game.
    """
    key = request.query_params.get(REPLACES, "")
    if not key:
        return None
    viewer = viewer_of(request)
    ownership = find_ownership(key, viewer, request.headers.get(SECRET, ""))
    if ownership is None:
        get_game(key.replace("\0", ""), viewer)
        raise PermissionDenied(_("Only the sender of this game can replace it."))
    return ownership


def allows_another_game(request: Request) -> bool:
    """Return whether an entirely different game may replace a game. Raise 400 for other values."""
    value = request.query_params.get(ANOTHER_GAME, "false")
    if value not in ("true", "false"):
        text = _("%(name)s: expected true or false.") % {"name": ANOTHER_GAME}
        raise invalid_parameter(ANOTHER_GAME, text)
    return value == "true"


def refuse_foreign_pages(request: Request) -> None:
    """Raise 401 for a request from a page of another site without a token."""
    origin = request.headers.get("Origin")
    own_origins = (absolute(""), f"{request.scheme}://{request.get_host()}")
    if origin and origin not in own_origins and viewer_of(request).user is None:
        raise NotAuthenticated(_("A page of another site needs a token to upload."))


def hash_request_secret(request: Request) -> str:
    """Return the hash of the upload secret of an anonymous sender, or "".

    Raise a 400 problem for an easily guessed secret.
    """
    secret = request.headers.get(SECRET, "")
    try:
        return hash_secret(secret) if viewer_of(request).user is None else ""
    except ValueError as error:
        text = _("%(name)s: expected 22 to 100 letters and digits.") % {"name": SECRET}
        raise invalid_header(SECRET, text) from error
