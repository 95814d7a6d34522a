"""Addresses for monitoring: health and metrics.

`hanaarchive.http.observing` serves them before any other middleware: a prober knows neither our
host name nor HTTPS, and is no visitor to be logged.

- ``/health/live``: this process answers. If it does not, restart it.
- ``/health/ready``: all parts work (`records.operations.health`); 503 if one does not, except
  those that pages and uploads do without.
- ``/metrics``: see `hanaarchive.metrics`. With HANA_METRICS_TOKEN for its bearer only; without one,
  404 in production.
"""

import json
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from hanaarchive import metrics
from records.operations import health


def live(request: HttpRequest) -> HttpResponse:
    """200 while this process answers."""
    return _json({"status": "live"})


def ready(request: HttpRequest) -> HttpResponse:
    """200 while every part that pages and uploads need works, else 503; all parts are named."""
    parts = health.parts()
    needed = (state for part, state in parts.items() if part not in health.OPTIONAL)
    is_ready = all(state == health.OK for state in needed)
    data = {"status": "ready" if is_ready else "not ready", "parts": parts}
    return _json(data, 200 if is_ready else 503)


def expose(request: HttpRequest) -> HttpResponse:
    """Return the metrics, if the caller may see them."""
    token = settings.METRICS_TOKEN
    if not token and settings.PRODUCTION:
        return _json({"status": "not found"}, 404)
    if token:
        given = request.headers.get("Authorization", "")
        if not constant_time_compare(given.encode(), f"Bearer {token}".encode()):
            refused = _json({"status": "unauthorized"}, 401)
            refused["WWW-Authenticate"] = "Bearer"
            return refused
    return HttpResponse(metrics.exposition(), content_type=metrics.CONTENT_TYPE)


PROBES = {"/health/live": live, "/health/ready": ready, "/metrics": expose}


def probe(request: HttpRequest) -> HttpResponse | None:
    """Return the response of an address for monitoring; None for any other address."""
    respond = PROBES.get(request.path_info)
    if respond is None:
        return None
    if request.method not in ("GET", "HEAD"):
        refused = _json({"status": "method not allowed"}, 405)
        refused["Allow"] = "GET, HEAD"
        return refused
    response = respond(request)
    response["Cache-Control"] = "no-store"
    response["Content-Length"] = str(len(response.content))  # else the connection is closed
    # Else Django logs an error each time that a part is down, which its own log reports once.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def _json(data: dict[str, Any], status: int = 200) -> HttpResponse:
    return HttpResponse(json.dumps(data) + "\n", status=status, content_type="application/json")
