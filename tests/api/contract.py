"""A client that checks every response against the OpenAPI document."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.urls import resolve
from django.utils import translation
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from jsonschema_rs import Draft202012Validator

from api.problems import KINDS, MEDIA_TYPE
from kafu.rules.rulesets import RULESETS

BASE = "/api/v1/"


def document() -> dict[str, Any]:
    """Return the OpenAPI document in English, as data."""
    return _build_document(tuple(RULESETS))


@cache
def _build_document(rulesets: tuple[str, ...]) -> dict[str, Any]:
    """Build the document of a set of rulesets, to which a test may have added a ruleset.

    Fail where drf-spectacular warns, as `manage.py spectacular --fail-on-warn` does.
    """
    GENERATOR_STATS.reset()
    with translation.override("en"):
        built: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    assert not GENERATOR_STATS, "its warnings are in standard error"
    return built


def operation(method: str, path: str) -> dict[str, Any]:
    """Return the document's description of a request."""
    route = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", resolve(path).route)
    description: dict[str, Any] = document()["paths"][f"/{route}"][method]
    return description


def check(schema: dict[str, Any], data: Any) -> None:
    """Fail if the data breaks the schema or has a member that the schema does not name."""
    _make_validator(json.dumps(schema), tuple(RULESETS)).validate(data)


@cache
def _make_validator(schema: str, rulesets: tuple[str, ...]) -> Draft202012Validator:
    """Return the validator of a schema, given as JSON, in the document of these rulesets."""
    components = _build_document(rulesets)["components"]
    return Draft202012Validator(closed(json.loads(schema) | {"components": components}))


def closed(schema: Any) -> Any:
    """Return the schema without room for additional members."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: closed(value) for name, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "additionalProperties" not in schema:
        parts["additionalProperties"] = False
    return parts


class Api:
    """A caller of the API, which checks that status, media type and form are documented.

    Every response has its rate limits.
    """

    def __init__(self) -> None:
        """Start with no cookies and no token."""
        self.client = Client()

    def get(self, path: str, query: dict[str, Any] | None = None, **headers: Any) -> Any:
        """Send GET; `path` is relative to /api/v1/, or a whole address."""
        return self.checked("get", self.client.get(full(path), query, headers=headers))

    def post(self, path: str, data: Any = b"", media: str = "", **headers: str) -> Any:
        """Send POST: bytes of a media type, or a form as a dict."""
        kind = media or MULTIPART_CONTENT
        return self.checked("post", self.client.post(full(path), data, kind, headers=headers))

    def checked(self, method: str, response: Any) -> Any:
        """Check the response against the document, and return the response."""
        assert response["RateLimit"] and response["RateLimit-Policy"]
        if response.status_code == 304:
            return response
        media = response["Content-Type"].partition(";")[0]
        responses = operation(method, response.wsgi_request.path)["responses"]
        assert str(response.status_code) in responses, (
            f"{response.status_code}: {response.content!r}"
        )
        kinds = responses[str(response.status_code)]["content"]
        assert media in kinds
        if media.endswith("json"):
            check(kinds[media]["schema"], response.json())
        if response.status_code >= 400:
            problem(response)
        return response


def full(path: str) -> str:
    """Return the address of a path that is relative to /api/v1/."""
    return path if path.startswith(("/", "http")) else BASE + path


def is_japanese(text: str) -> bool:
    """Tell whether the text has a kana, as every Japanese sentence has."""
    return re.search("[ぁ-ヶ]", text) is not None


def problem(response: Any, code: str = "", status: int | None = None) -> dict[str, Any]:
    """Check for a well-formed problem with a code and status; return the body."""
    assert response["Content-Type"] == MEDIA_TYPE
    body: dict[str, Any] = response.json()
    assert {"type", "title", "status", "detail", "instance", "code"} <= body.keys()
    assert body["status"] == response.status_code
    assert body["code"] in KINDS
    assert body["type"] == f"/api/v1/problems#{body['code']}"
    assert body["instance"] == response.wsgi_request.path
    assert body["title"] and body["detail"]
    if code:
        assert body["code"] == code
    if status:
        assert body["status"] == status
    return body
