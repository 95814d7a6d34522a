"""Rate limits by token, user or address, reported in every response."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from records.serving.limits import RateLimit, step
from records.serving.senders import sender_of

#: The limit of views without a ``throttle_scope``.
READING: Final = "read"
_LIMIT: Final = "_hana_limit"


class Throttle(BaseThrottle):
    """Throttle by the limit of `settings.RATES` with the name ``throttle_scope``."""

    limit: RateLimit | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        """Return whether this request is within the limit."""
        name = getattr(view, "throttle_scope", READING)
        self.limit = step(name, sender_of(request))
        setattr(request._request, _LIMIT, self.limit)  # for `add_rate_limit_headers`
        return not self.limit.too_fast

    def wait(self) -> float | None:
        """Return the seconds until the next request is allowed."""
        return self.limit.left if self.limit is not None else None


def add_rate_limit_headers(request: HttpRequest, response: HttpResponse) -> None:
    """Add the limit and the remaining requests (draft-ietf-httpapi-ratelimit-headers)."""
    limit: RateLimit | None = getattr(request, _LIMIT, None)
    if limit is not None:
        response["RateLimit-Policy"] = f'"{limit.name}";q={limit.most};w={limit.seconds}'
        response["RateLimit"] = f'"{limit.name}";r={limit.rest};t={limit.left}'
