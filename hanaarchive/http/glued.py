"""Addresses with punctuation or text behind them, as they are copied out of sentences."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import get_script_prefix, is_valid_path
from django.utils.encoding import escape_uri_path

from api.problems import PREFIX

#: Text from the first character that no address of ours has, or punctuation at the end.
_GLUED: Final = re.compile(r"(?:[^\x00-\x1f!-\x7f].*|[\"'()*,.:;!?<>\[\]{}`_~|\\]+)/?\Z", re.DOTALL)
#: The maximum length of an address that is corrected.
_LONGEST: Final = 1000


def middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Redirect an unknown address with something glued to it, such as ``/games/KEY/。``.

    Not below ``/api/``: a program would take the other resource for the requested one.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        is_api = request.path_info.startswith(PREFIX)
        if response.status_code != 404 or request.method not in ("GET", "HEAD") or is_api:
            return response
        path = _find_address(request.path_info)
        if path is None:
            return response
        query = request.META.get("QUERY_STRING", "")
        address = get_script_prefix() + escape_uri_path(path).removeprefix("/")
        return HttpResponseRedirect(f"{address}?{query}" if query else address)

    return respond


def _find_address(path: str) -> str | None:
    """Return the known address before the glued text, or None."""
    match = _GLUED.search(path) if len(path) <= _LONGEST else None
    if match is None:
        return None
    bare = path[: match.start()]
    return next((address for address in (bare, f"{bare}/") if is_valid_path(address)), None)
