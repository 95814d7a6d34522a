"""Who may send: the visibility of a new upload, the game whose place it takes, other sites."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.request import Request

from api.authentication import SECRET, viewer_of
from api.problems import bad_header, invalid
from records.base.site import absolute
from records.models import Ownership, Visibility
from records.privacy.access import find_ownership, find_ownership_by_secret
from records.privacy.upload_secrets import hash_secret
from records.search.games import get as get_game

#: The parameter of an upload that says who may see it.
VISIBILITY: Final = "visibility"
#: The parameter of an upload that names the game whose place its game takes.
REPLACES: Final = "replaces"
_NAMES: Final = {one.name.lower(): one for one in Visibility if one is not Visibility.WITHDRAWN}


def visibility_of(request: Request, name: str) -> Visibility:
    """The requested visibility, public by default. Raises 400, and 401 for private without an
    account.
    """
    if name and name not in _NAMES:
        known = {"known": ", ".join(_NAMES)}
        raise invalid(VISIBILITY, _("visibility: expected one of %(known)s.") % known)
    found = _NAMES[name or "public"]
    if found is Visibility.PRIVATE and viewer_of(request).user is None:
        raise NotAuthenticated(
            _("A private upload needs a token: without one nobody could see it.")
        )
    return found


def replaced_by(request: Request) -> Ownership | None:
    """The caller's ownership of the game that is to be replaced, if one is named; without an
    account, by the secret of an upload that brought it.

    Raises 404 and 410 for a game that the caller cannot see, and 403 for one that they do not have.
    """
    key = request.query_params.get(REPLACES, "")
    if not key:
        return None
    viewer = viewer_of(request)
    own = find_ownership(key, viewer)
    if viewer.user is None:
        own = find_ownership_by_secret(key, request.headers.get(SECRET, ""))
    if own is None:
        get_game(key.replace("\0", ""), viewer)
        raise PermissionDenied(_("Only the sender of this game can replace it."))
    return own


def refuse_strangers(request: Request) -> None:
    """A page of another site sends by a token, not in the name of whoever looks at it.

    Raises 401.
    """
    origin = request.headers.get("Origin")
    own = (absolute(""), f"{request.scheme}://{request.get_host()}")
    if origin and origin not in own and viewer_of(request).user is None:
        raise NotAuthenticated(_("A page of another site needs a token to upload."))


def secret_of(request: Request) -> str:
    """The hash of the secret that a sender without an account chose; "" of none.

    Raises 400 for one that could be guessed.
    """
    words = request.headers.get(SECRET, "")
    try:
        return hash_secret(words) if viewer_of(request).user is None else ""
    except ValueError as error:
        text = _("%(name)s: expected 22 to 100 letters and digits.") % {"name": SECRET}
        raise bad_header(SECRET, text) from error
