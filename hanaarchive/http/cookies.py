"""Refusal of cookies that are costly to parse, before any other layer parses them.

Python's `http.cookies` before 3.11.10 and 3.12.6 searches all of a quoted value after each of its
backslashes (CVE-2024-7592).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from api import problems
from hanaarchive.http.unavailable import bad_request_page

#: The maximum bytes and backslashes of all cookies; ours have 3,000 bytes and no backslash.
MAX_BYTES: Final = 8 << 10
MAX_BACKSLASHES: Final = 200


def middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Return 400 for cookies that exceed `MAX_BYTES` or `MAX_BACKSLASHES`."""

    def respond(request: HttpRequest) -> HttpResponse:
        cookies: str = request.META.get("HTTP_COOKIE", "")
        if len(cookies) <= MAX_BYTES and cookies.count("\\") <= MAX_BACKSLASHES:
            return get_response(request)
        if not request.path_info.startswith(problems.PREFIX):
            return bad_request_page()
        message = _("Cookies may have at most %(bytes)d bytes and %(backslashes)d backslashes.") % {
            "bytes": MAX_BYTES,
            "backslashes": MAX_BACKSLASHES,
        }
        errors = [{"name": "Cookie", "message": message}]
        return problems.problem_response(
            problems.HEADER, message, request.path, errors=errors, limit=MAX_BYTES
        )

    return respond
