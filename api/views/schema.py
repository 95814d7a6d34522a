"""The API about itself: OpenAPI document, reference for people, JSON Schema of Kafu."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

import records.kafu

KAFU_SCHEMA: Final = Path(records.kafu.__path__[0]) / "kafu.schema.json"


class Schema(SpectacularAPIView):
    """The OpenAPI document: JSON, or YAML where that is asked for."""

    renderer_classes = (  # type: ignore[assignment]
        OpenApiJsonRenderer,
        OpenApiJsonRenderer2,
        OpenApiYamlRenderer,
        OpenApiYamlRenderer2,
    )


class Docs(SpectacularSwaggerSplitView):
    """The reference. Its script comes by an address of its own: inline ones are not let in."""

    url_name = "api:schema"


@csrf_exempt  # a method that it does not know is answered so, not with a talk of tokens
@require_safe
def kafu_schema(request: HttpRequest) -> HttpResponse:
    """The JSON Schema of the JSON form of Kafu."""
    try:
        content = KAFU_SCHEMA.read_bytes()
    except FileNotFoundError:
        raise Http404 from None
    return HttpResponse(content, content_type="application/schema+json")
