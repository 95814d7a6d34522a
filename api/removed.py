"""Removed addresses of the API, which respond with 410 and name a successor."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from api.policy import DEPRECATIONS, Deprecation
from api.problems import GONE, problem_response


def _make_view(row: Deprecation) -> Callable[..., HttpResponse]:
    """Return the view of a removed address."""

    @csrf_exempt  # Programs get the 410 for any method instead of a CSRF error.
    def refuse(request: HttpRequest, **values: str) -> HttpResponse:
        successor = row.successor_of(values)
        detail = _("This address was removed; use %(successor)s.") % {"successor": successor}
        return problem_response(GONE, detail, request.path, successor=successor)

    return refuse


urlpatterns: Final[list[URLPattern]] = [
    path(row.route, _make_view(row), name=f"removed-{row.path}")
    for row in DEPRECATIONS
    if row.removed is not None and not row.parameter
]
