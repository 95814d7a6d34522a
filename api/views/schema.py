"""Self-description of the API: addresses, changes, OpenAPI document, reference, Kafu's schema."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, time
from typing import Any, Final
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, get_resolver
from django.utils.feedgenerator import Atom1Feed
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
from rest_framework.response import Response

from api.headers import GUIDE
from api.policy import list_changes, template_of
from api.views.base import Resource, document
from kafu.notation.json.schema import schema
from records.base.release import absolute
from records.serving.cached_responses import cached_page, key_of, respond
from records.serving.parameters import LANG as LANGUAGE
from records.serving.parameters import reduce_query
from records.shapes.shape import Shape
from records.states import of_release

_generator_lock: Final = threading.Lock()


class AddressJson(Shape):
    """An address with its methods; `{key}` and `{ruleset}` are variables (RFC 6570)."""

    name: str
    href: str
    methods: list[str]


class RootJson(Shape):
    """All addresses of the API."""

    resources: list[AddressJson]


class Root(Resource):
    """All addresses of the API."""

    scopes = ()

    @document(
        "root",
        "All addresses of the API",
        RootJson,
        description=(
            "All addresses with their methods; HEAD is allowed wherever GET is. `schema` is the "
            "OpenAPI document, `docs` the reference for people."
        ),
        tags=["api"],
    )
    def get(self, request: Request) -> Response:
        """Return all addresses in the order of the reference."""
        return Response(RootJson([*_list_resources()]), headers={"Cache-Control": "no-cache"})


def _list_resources() -> Iterator[AddressJson]:
    for pattern in _iterate_patterns():
        view: Any = getattr(pattern.callback, "view_class", None)
        methods = view().allowed_methods if view is not None else ["GET"]
        yield AddressJson(
            str(pattern.name),
            absolute(template_of(str(pattern.pattern)).rstrip("/")),
            [method for method in methods if method not in ("HEAD", "OPTIONS")],
        )


def _iterate_patterns() -> Iterator[URLPattern]:
    """Yield the URL patterns of `api.urls`, which imports this module."""
    _prefix, resolver = get_resolver().namespace_dict["api"]
    for pattern in resolver.url_patterns:
        assert isinstance(pattern, URLPattern), "the addresses of the API are one list"
        yield pattern


class Schema(SpectacularAPIView):
    """The OpenAPI document as JSON or YAML."""

    renderer_classes = (  # type: ignore[assignment]
        OpenApiJsonRenderer,
        OpenApiJsonRenderer2,
        OpenApiYamlRenderer,
        OpenApiYamlRenderer2,
    )

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the document, cached by release, language and format."""
        renderer: Any = request.accepted_renderer
        reduce_query(request._request, LANGUAGE)
        language = request._request.GET.get("lang") or get_language()

        def write() -> HttpResponse:
            with _generator_lock:  # drf-spectacular is not thread-safe
                document = super(Schema, self).get(request, *args, **kwargs)
            body = renderer.render(document.data, renderer.media_type, {})
            headers = dict(document.items()) | {"Content-Type": renderer.media_type}
            return HttpResponse(body, headers=headers)

        key = key_of("schema", renderer.media_type, language)
        return respond(request._request, key, write, group="schema")


class Docs(SpectacularSwaggerSplitView):
    """The API reference. Its script is a separate file, because inline scripts are forbidden."""

    url_name = "api:schema"


@csrf_exempt  # an unknown method gets a 405 instead of a CSRF error
@require_safe
@cached_page(of_release, public=True)
def kafu_schema(request: HttpRequest) -> HttpResponse:
    """Return the JSON Schema of the JSON form of Kafu."""
    content = json.dumps(schema(), ensure_ascii=False, indent=2)
    return HttpResponse(f"{content}\n", content_type="application/schema+json")


@csrf_exempt  # an unknown method gets a 405 instead of a CSRF error
@require_safe
@cached_page(of_release, public=True)
def changes_feed(request: HttpRequest) -> HttpResponse:
    """Return the changes of the API as an Atom feed (RFC 4287), newest first."""
    address = absolute(request.path)
    feed = Atom1Feed(
        title="HanaArchive API",
        link=absolute(GUIDE),
        description="Changes, deprecations and removals of the API.",
        language="en",
        feed_url=address,
        feed_guid=address,
    )
    for change in list_changes():
        day = datetime.combine(change.day, time(), UTC)
        feed.add_item(
            title=change.text,
            link=absolute(GUIDE),
            description=change.text,
            unique_id=f"{address}#{quote(change.id)}",
            pubdate=day,
            updateddate=day,
        )
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)
