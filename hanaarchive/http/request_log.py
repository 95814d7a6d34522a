"""Observation of requests: an id, a log line, the time, and headers for browsers."""

import logging
import time
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from hanaarchive import metrics
from hanaarchive.http.announced import announce_style
from hanaarchive.http.masking import mask_path
from hanaarchive.http.probes import probe
from hanaarchive.http.security import add_policy
from records.base.tracing import sane_id, tracing

HEADER: Final = "X-Request-ID"

logger = logging.getLogger(__name__)


def middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Use the client's request id if safe, else a new id, and return the id in the response.

    Uploads store the id, and workers log the id: a search finds the request and all jobs. Requests
    for monitoring are served here, and have neither id nor log line.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        probed = probe(request)
        if probed is not None:
            return probed
        request_id = sane_id(request.headers.get(HEADER))
        with tracing(request_id=request_id):
            began = time.perf_counter()
            response = get_response(request)
            seconds = time.perf_counter() - began
            response[HEADER] = request_id
            add_policy(request, response)
            announce_style(request, response)
            metrics.observe(route(request), request.method or "", response.status_code, seconds)
            fields = {
                "method": request.method,
                "path": mask_path(request.path_info, request.resolver_match),
                "status": response.status_code,
                "ms": round(seconds * 1000, 1),
            }
            logger.info("request", extra=fields)
        return response

    return respond


def route(request: HttpRequest) -> str:
    """Return the pattern of the address, of which there are few: ``games/<slug:key>/``."""
    if request.resolver_match is not None:
        return f"/{request.resolver_match.route}"
    is_static = request.path_info.startswith(settings.STATIC_URL)
    return settings.STATIC_URL if is_static else "none"
