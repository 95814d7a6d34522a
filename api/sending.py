"""The visibility of a new upload."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from api.authentication import viewer_of
from api.problems import invalid
from records.models import Visibility

#: The parameter of an upload that says who may see it.
VISIBILITY: Final = "visibility"
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
