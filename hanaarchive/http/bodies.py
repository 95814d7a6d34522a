"""Refuses bodies that are too large for their address before they are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from api import problems
from api.body import announced
from records.serving.body_limits import SMALL, limit_of

_ENCODED: Final = "application/x-www-form-urlencoded"


def middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """413 by the announced length; the web server gives one for chunked bodies too.

    What is encoded for an address takes eighty times its size to be read: texts come as parts.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        length = announced(request)
        limit = limit_of(request.path_info) if length else None
        if limit is not None and request.content_type == _ENCODED:
            limit = SMALL
        if limit is None or limit.is_part or length <= limit.bytes:
            return get_response(request)
        if request.path_info.startswith(problems.PREFIX):
            detail = _("At most %(limit)d bytes can be sent here.") % {"limit": limit.most()}
            return problems.answer(problems.TOO_LARGE, detail, request.path, limit=limit.most())
        return render(request, "413.html", {"limit": limit.most()}, status=413)

    return respond
