"""A client that checks every answer against the OpenAPI document."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.urls import resolve
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator

from api.problems import KINDS, MEDIA_TYPE
from kafu.rules.rulesets import RULESETS

BASE = "/api/v1/"


def document() -> dict[str, Any]:
    """The OpenAPI document in English, as data."""
    return _document(tuple(RULESETS))


@cache
def _document(rulesets: tuple[str, ...]) -> dict[str, Any]:
    """That which names these rulesets: a test may register one."""
    with translation.override("en"):
        found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


def operation(method: str, path: str) -> dict[str, Any]:
    """What the document says about a request."""
    route = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", resolve(path).route)
    found: dict[str, Any] = document()["paths"][f"/{route}"][method]
    return found


def check(schema: dict[str, Any], data: Any) -> None:
    """Fail where the data is not as the schema says, or has a member that it does not know."""
    Draft202012Validator(closed({**schema, "components": document()["components"]})).validate(data)


def closed(schema: Any) -> Any:
    """The schema with no room for members that are not in it."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(value) for name, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "additionalProperties" not in schema:
        inner["additionalProperties"] = False
    return inner


class Api:
    """Requests below /api/v1/, each answer checked: status, media type and form are documented."""

    def __init__(self) -> None:
        """One caller."""
        self.client = Client()

    def get(self, path: str, query: dict[str, Any] | None = None, **headers: Any) -> Any:
        """GET; `path` is below /api/v1/, or an address whole."""
        return self.checked("get", self.client.get(full(path), query, headers=headers))

    def post(self, path: str, data: Any = b"", media: str = "", **headers: str) -> Any:
        """POST of bytes of a media type, or of a form as a dict."""
        kind = media or MULTIPART_CONTENT
        return self.checked("post", self.client.post(full(path), data, kind, headers=headers))

    def checked(self, method: str, response: Any) -> Any:
        """The response, when it is as the document says."""
        if response.status_code == 304:
            return response
        media = response["Content-Type"].partition(";")[0]
        said = operation(method, response.wsgi_request.path)["responses"]
        assert str(response.status_code) in said, f"{response.status_code}: {response.content!r}"
        kinds = said[str(response.status_code)]["content"]
        assert media in kinds
        if media.endswith("json"):
            check(kinds[media]["schema"], response.json())
        if response.status_code >= 400:
            problem(response)
        return response


def full(path: str) -> str:
    """An address from what stands below /api/v1/."""
    return path if path.startswith(("/", "http")) else BASE + path


def is_japanese(text: str) -> bool:
    """Whether there is a kana in it, as in every Japanese sentence."""
    return re.search("[ぁ-ヶ]", text) is not None


def problem(response: Any, code: str = "", status: int | None = None) -> dict[str, Any]:
    """The problem that the response is, sound in itself, and of this code and status."""
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
