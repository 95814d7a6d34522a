"""How often a caller may ask, by token, user or address; every answer tells where he stands."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from records.serving.cost import too_much
from records.serving.rate_limits import Pace, step
from records.serving.senders import sender_of

#: Of views that say nothing else.
READING: Final = "read"
_KEPT: Final = "_hana_pace"


class Throttle(BaseThrottle):
    """One of `settings.RATES`, named by the view's ``throttle_scope``."""

    pace: Pace | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        """Whether this request is not one too many."""
        name = getattr(view, "throttle_scope", READING)
        sender = sender_of(request)
        if wait := too_much(sender):  # a token is known only now
            raise Throttled(wait)
        self.pace = step(name, sender)
        setattr(request._request, _KEPT, self.pace)
        return not self.pace.too_fast

    def wait(self) -> float | None:
        """Seconds until the next may come."""
        return self.pace.left if self.pace is not None else None


def tell(request: HttpRequest, response: HttpResponse) -> None:
    """The headers of draft-ietf-httpapi-ratelimit-headers: the rule, and what is left of it."""
    pace: Pace | None = getattr(request, _KEPT, None)
    if pace is not None:
        response["RateLimit-Policy"] = f'"{pace.name}";q={pace.most};w={pace.seconds}'
        response["RateLimit"] = f'"{pace.name}";r={pace.rest};t={pace.left}'
