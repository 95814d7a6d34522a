"""Base classes of all resources: parameters, language, authentication, streamed bodies.

A file has an address per format. Before, `format` and the Accept header chose the format at one
address; these ways go on and are not in the OpenAPI document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

from django.conf import settings
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.parsers import BaseParser
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from api.authentication import READING
from api.openapi import ANY_GAME, KAFU, schema_of
from api.parsers import Body, FieldsParser, JsonParser, KafuJsonParser, has_body
from api.problems import MEDIA, MEDIA_TYPE, Problem, ProblemJson, invalid_parameter, kind_of
from people.models import READ, UPLOAD
from records.ingest.receiving import Part

LANG = OpenApiParameter(
    "lang",
    str,
    OpenApiParameter.QUERY,
    enum=[code for code, _name in settings.LANGUAGES],
    description="Language of messages; by default from `Accept-Language`.",
)
#: The former choice of a format, which takes precedence over Accept.
FORMAT = OpenApiParameter("format", str, exclude=True)


def document(
    operation_id: str,
    summary: str | Promise,
    responses: Any,
    *,
    description: str | Promise | None = None,
    parameters: Sequence[OpenApiParameter] = (),
    problems: Iterable[int] = (),
    **options: Any,
) -> Callable[[Any], Any]:
    """Describe a method in the OpenAPI document, and allow its query parameters (decorator).

    ``responses`` is the type of the 200 response, or types by status, or by status and media type.
    Schemas and media types without a schema are allowed instead of types. ``problems`` are
    statuses of errors in addition to 400.
    """
    by_status = responses if isinstance(responses, dict) else {200: responses}
    describe = extend_schema(
        operation_id=operation_id,
        summary=summary,
        description=description,
        parameters=[LANG, *parameters],
        responses={
            status: response
            if isinstance(response, dict | OpenApiResponse | OpenApiTypes)
            else schema_of(response)
            for status, response in by_status.items()
        }
        | _problem_responses(400, *problems),
        **options,
    )
    names = [LANG.name, *(row.name for row in parameters if row.location == row.QUERY)]

    def decorate(method: Any) -> Any:
        described = describe(method)
        described.parameters = names
        return described

    return decorate


def _problem_responses(*statuses: int) -> dict[tuple[int, str], OpenApiResponse]:
    """Return error responses for the OpenAPI document."""
    # Any resource can refuse a token, a scope, a long body or address, or frequent requests.
    everywhere = (401, 403, 413, 414, 429)
    form = schema_of(ProblemJson)
    return {
        (status, MEDIA_TYPE): OpenApiResponse(form, kind_of(status).title)
        for status in sorted({*statuses, *everywhere})
    }


def body_schemas(parsers: Iterable[type[BaseParser]]) -> dict[str, Any]:
    """Return the schemas of single-file bodies: Kafu's JSON form, other JSON, bytes, text."""
    schemas = {KafuJsonParser.media_type: KAFU, JsonParser.media_type: ANY_GAME}
    packed = ("/zip", "/gzip", "/zstd", "/octet-stream", "spreadsheetml.sheet")
    return {
        kind.media_type: schemas.get(kind.media_type)
        or (OpenApiTypes.BINARY if kind.media_type.endswith(packed) else OpenApiTypes.STR)
        for kind in parsers
    }


class Resource(APIView):
    """Base resource, which refuses unknown parameters and activates the language."""

    # OPTIONS is left out because the OpenAPI document describes a resource better.
    http_method_names: Sequence[str] = ("get", "head", "post")
    #: Sufficient scopes: a token needs at least one. Empty: every token may use the resource.
    scopes: ClassVar[tuple[str, ...]] = (READ,)

    def scopes_for(self, request: Request) -> tuple[str, ...]:
        """Return the scopes for a request, of which a token needs at least one."""
        return self.scopes

    def needs_account(self, method: str) -> bool:
        """Return whether a method needs an account, for permissions and OpenAPI document."""
        return False

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Any:
        """Add ``Vary: Authorization`` to keep the response out of shared caches."""
        answer: Any = super().finalize_response(request, response, *args, **kwargs)  # type: ignore[arg-type]
        patch_vary_headers(answer, ("Authorization",))
        return answer

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Activate the language, count the request, and check method and parameters.

        The language is activated first, because error messages depend on it. Requests are counted
        before they are checked, so that refused ones count too.
        """
        lang = request.query_params.get("lang")
        languages = dict(settings.LANGUAGES)
        if lang in languages:
            translation.activate(lang)
        self.perform_authentication(request)
        self.check_throttles(request)
        if lang is not None and lang not in languages:
            raise invalid_parameter(
                "lang", _("lang: expected %(known)s.") % {"known": ", ".join(languages)}
            )
        if (request.method or "") not in self.allowed_methods:
            raise MethodNotAllowed(
                request.method or ""
            )  # before checks of parameters and permissions
        method = getattr(self, (request.method or "").lower())
        expected = getattr(method, "parameters", [LANG.name])
        for name in request.query_params:
            if name not in expected:
                values = {"name": name[:100], "expected": ", ".join(expected)}
                message = _("%(name)s: unknown parameter; expected %(expected)s.") % values
                raise invalid_parameter(name[:100], message)
        super().initial(request, *args, **kwargs)


class MembersResource(Resource):
    """A resource that anybody may read and only accounts may change.

    Changes need a token with the scope `UPLOAD` and count against the rate limit
    ``write_throttle``, a name in `settings.RATES`.
    """

    parser_classes = (FieldsParser,)
    throttle_scope = READING
    write_throttle: ClassVar[str]

    def scopes_for(self, request: Request) -> tuple[str, ...]:
        """Return the scope for uploads for every method that changes data."""
        return (READ,) if request.method in SAFE_METHODS else (UPLOAD,)

    def needs_account(self, method: str) -> bool:
        """Return True for every method that changes data."""
        return method not in SAFE_METHODS

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Apply the rate limit ``write_throttle`` to requests that change data."""
        if request.method not in SAFE_METHODS:
            self.throttle_scope = self.write_throttle
        super().initial(request, *args, **kwargs)


class BodyResource(Resource):
    """A resource with a streamed body in one of the formats of ``parser_classes``."""

    def parts(self, request: Request, limit: int, slack: int = 0) -> Iterator[Part]:
        """Return the files of the body as they arrive; read each before the next.

        Raise a 415 problem for an unknown format, and 413 for more than ``limit`` bytes; see
        :class:`api.parsers.Body`.
        """
        if not has_body(request._request):
            return iter(())  # whatever Content-Type says
        parser = self.get_content_negotiator().select_parser(request, self.get_parsers())
        if parser is None:
            media_types = [kind.media_type for kind in self.parser_classes]
            raise Problem(
                MEDIA,
                _("The Content-Type header is “%(sent)s”; expected %(known)s.")
                % {"sent": (request.content_type or "")[:100], "known": ", ".join(media_types)},
                expected=media_types,
            )
        body = Body(request._request, limit, slack)
        context = self.get_parser_context(request) | {"request": request}
        parts: Any = parser.parse(body, request.content_type, context)  # type: ignore[arg-type]
        return iter(parts)


class NegotiatedResource(Resource):
    """A resource in the formats of its ``renderer_classes``, chosen by `format` or Accept.

    ``parameters`` must include `FORMAT`.
    """

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Select the renderer by `format`, or else by `Accept`; raise a 400 problem."""
        name = request.query_params.get("format", "")
        if name and not force:
            renderers = {renderer.format: renderer for renderer in self.get_renderers()}
            if name not in renderers:
                values = {"known": ", ".join(renderers)}
                raise invalid_parameter("format", _("format: expected one of %(known)s.") % values)
            return renderers[name], renderers[name].media_type
        return super().perform_content_negotiation(request, force)


class FileResource(Resource):
    """A resource whose address decides the format, whatever a browser accepts."""

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Force the format of the address."""
        return super().perform_content_negotiation(request, force=True)


def make_file_view(
    resource: type[Resource],
    renderer: type[BaseRenderer],
    operation: str,
    summary: str | Promise,
    form: Any = OpenApiTypes.STR,
    *,
    method: str = "get",
    **options: Any,
) -> type[Resource]:
    """Return the view of a resource in the format of a renderer, for an address of its own.

    ``operation`` is the operation id without the format, ``form`` the type of the file, or of its
    lines. Further options are those of `document`.
    """

    def respond(view: Any, request: Request, **parameters: str) -> Any:
        return getattr(resource, method)(view, request, **parameters)

    responses = {(200, renderer.media_type): form}
    described = document(f"{operation}_{renderer.format}", summary, responses, **options)(respond)
    return type(
        f"{resource.__name__}{str(renderer.format).title()}",
        (FileResource, resource),
        {"__doc__": resource.__doc__, "renderer_classes": (renderer,), method: described},
    )
