"""Removed addresses of the API below /api/v1/, which respond with 410 and name a successor."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from api.problems import GONE, PREFIX, problem_response

#: The query of a request that waits for a change of an upload.
WAIT_QUERY: Final = "?wait=20"


@csrf_exempt  # Programs get the 410 for any method instead of a CSRF error.
def refuse(request: HttpRequest, upload: str = "{key}", **_parameters: str) -> HttpResponse:
    """Return 410 with the address at which a program waits for an upload."""
    successor = f"{PREFIX}v1/uploads/{upload}{WAIT_QUERY}"
    detail = _("This address was removed; use %(successor)s.") % {"successor": successor}
    return problem_response(GONE, detail, request.path, successor=successor)


urlpatterns: list[URLPattern] = [
    path("uploads/<slug:upload>/events", refuse, name="removed-events"),
    path("me/webhooks", refuse, name="removed-webhooks"),
    path("me/webhooks/<slug:webhook>", refuse, name="removed-webhook"),
]
