"""Addresses for monitoring: health and metrics.

`hanaarchive.http.request_log` serves probes before any other middleware: probes know neither our
host name nor HTTPS, and are not logged.

- ``/health/live``: the process responds. Without a response, restart the process.
- ``/health/ready``: all parts work (`records.operations.health`); 503 if a part fails, except parts
  not needed for pages and uploads.
- ``/metrics``: see `hanaarchive.metrics`. Requires HANA_METRICS_TOKEN as a bearer token, if set;
  otherwise 404 in production.
"""

import json
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from hanaarchive import metrics
from records.operations import health


def live(request: HttpRequest) -> HttpResponse:
    """Return 200 while the process responds."""
    return _respond({"status": "live"})


def ready(request: HttpRequest) -> HttpResponse:
    """Return 200 if all parts necessary for pages and uploads work, else 503; name all parts."""
    parts = health.parts()
    needed = (state for part, state in parts.items() if part not in health.OPTIONAL)
    is_ready = all(state == health.OK for state in needed)
    data = {"status": "ready" if is_ready else "not ready", "parts": parts}
    return _respond(data, 200 if is_ready else 503)


def expose(request: HttpRequest) -> HttpResponse:
    """Return the metrics, if the client may see them."""
    token = settings.METRICS_TOKEN
    if not token and settings.PRODUCTION:
        return _respond({"status": "not found"}, 404)
    if token:
        authorization = request.headers.get("Authorization", "")
        if not constant_time_compare(authorization.encode(), f"Bearer {token}".encode()):
            refused = _respond({"status": "unauthorized"}, 401)
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
        refused = _respond({"status": "method not allowed"}, 405)
        refused["Allow"] = "GET, HEAD"
        return refused
    response = respond(request)
    response["Cache-Control"] = "no-store"
    response["Content-Length"] = str(len(response.content))  # Otherwise the connection is closed.
    # Otherwise Django would log an error for every probe while a part is down.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def _respond(data: dict[str, Any], status: int = 200) -> HttpResponse:
    return HttpResponse(json.dumps(data) + "\n", status=status, content_type="application/json")
