"""Rate limits of callers, by token, user or address; every answer reports the state."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from records.serving.limits import RateLimit, step
from records.serving.senders import sender_of

#: The limit of views that declare none.
READING: Final = "read"
_KEPT: Final = "_hana_pace"


class Throttle(BaseThrottle):
    """One of `settings.RATES`, named by the view's ``throttle_scope``."""

    limit: RateLimit | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        """Whether this request is within the limit."""
        name = getattr(view, "throttle_scope", READING)
        self.limit = count(request._request, name, sender_of(request))
        return not self.limit.too_fast

    def wait(self) -> float | None:
        """Seconds until the next request is allowed."""
        return self.limit.left if self.limit is not None else None


def count(request: HttpRequest, name: str, sender: str) -> RateLimit:
    """Count a request of a sender against one of `settings.RATES`; its answer reports the state."""
    limit = step(name, sender)
    setattr(request, _KEPT, limit)
    return limit


def counted(request: HttpRequest) -> RateLimit | None:
    """The limit that a request was counted against; None for a request that was not."""
    return getattr(request, _KEPT, None)


def add_rate_limit_headers(request: HttpRequest, response: HttpResponse) -> None:
    """Add the headers of draft-ietf-httpapi-ratelimit-headers: the limit, and what is left of
    it.
    """
    limit = counted(request)
    if limit is not None:
        response["RateLimit-Policy"] = f'"{limit.name}";q={limit.most};w={limit.seconds}'
        response["RateLimit"] = f'"{limit.name}";r={limit.rest};t={limit.left}'
