"""The API about itself: OpenAPI document, reference for people, JSON Schema of Kafu."""

from __future__ import annotations

import json
import threading
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request

from kafu.notation.json.schema import schema
from records.serving import cache, cached_responses

_alone: Final = threading.Lock()


class Schema(SpectacularAPIView):
    """The OpenAPI document: JSON, or YAML if that is requested."""

    renderer_classes = (  # type: ignore[assignment]
        OpenApiJsonRenderer,
        OpenApiJsonRenderer2,
        OpenApiYamlRenderer,
        OpenApiYamlRenderer2,
    )

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **given: Any) -> HttpResponse:
        """Cached for each release, language and format: making it takes a while."""
        renderer: Any = getattr(request, "accepted_renderer")  # noqa: B009
        query = request._request.GET.urlencode()

        def write() -> HttpResponse:
            with _alone:  # its makers are not thread-safe
                written = super(Schema, self).get(request, *args, **given)
            body = renderer.render(written.data, renderer.media_type, {})
            headers = dict(written.items()) | {"Content-Type": renderer.media_type}
            return HttpResponse(body, headers=headers)

        key = cache.key("schema", renderer.media_type, get_language(), query)
        return cached_responses.respond(request._request, key, write)


class Docs(SpectacularSwaggerSplitView):
    """The reference. Its script has an address of its own: inline scripts are forbidden."""

    url_name = "api:schema"


@csrf_exempt  # an unknown method is answered as such, not with a demand for a token
@require_safe
def kafu_schema(request: HttpRequest) -> HttpResponse:
    """The JSON Schema of the JSON form of Kafu."""
    content = json.dumps(schema(), ensure_ascii=False, indent=2)
    return HttpResponse(f"{content}\n", content_type="application/schema+json")
