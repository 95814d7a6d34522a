"""Headers of every response of the API: rate limits and deprecations."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.http import http_date

from api.authentication import READING
from api.policy import BASE, DEPRECATIONS, FORMAT, Deprecation
from records.base.release import absolute
from records.serving.limits import WORK, count, limits_of
from records.serving.senders import anonymous_sender

#: The part of the documentation about deprecations.
GUIDE: Final = "/docs/api/#changes-and-deprecations"
_PREFIX: Final = f"{BASE.removeprefix('/')}/"
_JSON: Final = ("application/json", "application/problem+json")


def add_headers(request: HttpRequest, response: HttpResponse) -> None:
    """Add the limits that counted the request, and the deprecation of what it used."""
    _add_rate_limits(request, response)
    for row in DEPRECATIONS:
        if _uses(request, response, row):
            _add_deprecation(response, row)


def _add_rate_limits(request: HttpRequest, response: HttpResponse) -> None:
    """Add the limits with the remainders (draft-ietf-httpapi-ratelimit-headers).

    A request that no view counted, most of all a refused one, counts as reading from its address.
    """
    limits = limits_of(request)
    if limits.keys() <= {WORK}:
        count(request, READING, anonymous_sender(request))
    response["RateLimit-Policy"] = ", ".join(
        f'"{limit.name}";q={limit.most};w={limit.seconds}' for limit in limits.values()
    )
    response["RateLimit"] = ", ".join(
        f'"{limit.name}";r={limit.rest};t={limit.left}' for limit in limits.values()
    )


def _uses(request: HttpRequest, response: HttpResponse, row: Deprecation) -> bool:
    """Return whether a request used the address or the parameter, or chose the format by Accept."""
    match = request.resolver_match
    if match is None or not row.covers(match.route.removeprefix(_PREFIX)):
        return False
    if not row.parameter or row.parameter in request.GET:
        return True
    is_file = not response.get("Content-Type", "").startswith(_JSON)
    return row.parameter == FORMAT and is_file and response.status_code == HTTPStatus.OK


def _add_deprecation(response: HttpResponse, row: Deprecation) -> None:
    """Add `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a `Link` to the policy."""
    response["Deprecation"] = f"@{_timestamp(row.since)}"
    response["Sunset"] = http_date(_timestamp(row.removed or row.until))
    link = f'<{absolute(GUIDE)}>; rel="deprecation"; type="text/html"'
    response["Link"] = f"{response['Link']}, {link}" if "Link" in response else link


def _timestamp(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())
