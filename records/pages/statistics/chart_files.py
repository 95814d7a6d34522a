"""The chart library, as a file that browsers cache."""

from __future__ import annotations

import gzip

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from records.pages.statistics import vega

#: A year: another library has another address.
KEPT = "public, max-age=31536000, immutable"


@require_safe
@vary_on_headers("Accept-Encoding")
def chart_library(request: HttpRequest, name: str) -> HttpResponse:
    """The module of this name, compressed if the client accepts that. Raises Http404 for
    another.
    """
    if name != vega.name():
        raise Http404
    packed = vega.packed().read_bytes()
    headers = {"Cache-Control": KEPT}
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        packed = gzip.decompress(packed)
    return HttpResponse(packed, content_type="text/javascript; charset=utf-8", headers=headers)
