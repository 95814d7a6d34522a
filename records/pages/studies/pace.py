"""Rate limits of changes to studies and comments."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from records.serving.limits import step
from records.serving.senders import sender_of


def too_often(request: HttpRequest, rate: str) -> HttpResponse | None:
    """Count a change against ``settings.RATES[rate]``. Return 429 if it is exceeded, else None."""
    limit = step(rate, sender_of(request))
    if not limit.too_fast:
        return None
    text = _("Too many changes: try again in %(seconds)d seconds.")
    context = {"said": text % {"seconds": limit.left}}
    response = render(request, "later.html", context, status=429)
    response.headers["Retry-After"] = str(limit.left)
    return response
