"""Who sends a request, for bounds and keys that are a sender's own."""

from __future__ import annotations

from rest_framework.request import Request

from people.models import Token
from records import pace


def sender_of(request: Request) -> str:
    """A name for the sender of a request, at most 100 characters: token, user or address."""
    if isinstance(request.auth, Token):
        return f"token:{request.auth.pk}"
    if request.user.is_authenticated:
        return f"user:{request.user.pk}"
    return f"address:{pace.address_of(request._request)}"[:100]
