"""The OpenAPI document, the reference made from it, the JSON Schema of Kafu."""

from __future__ import annotations

import json
import re
from io import StringIO
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator
from playwright.sync_api import Page, expect

from api.parsers import WHOLE, FormParser
from api.urls import urlpatterns
from api.views.verify import PARSERS
from kafu.notation.json.form import to_json
from records.statistics.registry import FIGURES
from tests.api.contract import Api, document, operation, problem
from tests.api.server import Server
from tests.records.makers import year


def test_the_document_is_sound_and_nothing_in_it_is_guessed() -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=StringIO())


def test_it_is_served() -> None:
    response = Client().get("/api/v1/schema")
    assert response["Content-Type"] == "application/vnd.oai.openapi+json"
    assert response.json() == json.loads(json.dumps(document()))
    assert document()["openapi"].startswith("3.1.")
    response = Client().get("/api/v1/schema", headers={"Accept": "application/vnd.oai.openapi"})
    assert response.content.startswith(b"openapi: 3.1.")


def test_every_address_is_in_it() -> None:
    own = {"schema", "docs", "kafu.schema.json"}
    routes = {str(one.pattern) for one in urlpatterns} - own
    paths = {re.sub(r"<\w+:(\w+)>", r"{\1}", f"/api/v1/{route}") for route in routes}
    assert paths == set(document()["paths"])


def test_bodies_in_it_are_those_that_are_read() -> None:
    kinds = operation("post", "/api/v1/uploads")["requestBody"]["content"]
    assert set(kinds) == {kind.media_type for kind in (FormParser, *WHOLE)}
    kinds = operation("post", "/api/v1/verify")["requestBody"]["content"]
    assert set(kinds) == {kind.media_type for kind in PARSERS}


def test_every_operation_says_what_it_does() -> None:
    for path, methods in document()["paths"].items():
        for method, said in methods.items():
            assert said["summary"] and said["description"], f"{method} {path}"


#: What everybody reads, and members write.
WRITTEN = ("/api/v1/comments/", "/api/v1/studies", "/api/v1/records/{key}/comments")


def test_it_says_who_may_call(settings: LazySettings) -> None:
    own = {"/me", "/me/games", "/me/games/export", "/me/uploads", "/records/{key}/ownership"}
    own |= {"/me/drafts", "/me/drafts/{key}", "/me/webhooks", "/me/webhooks/{key}"}
    for path, methods in document()["paths"].items():
        for method, said in methods.items():
            needs = path.removeprefix("/api/v1") in own
            needs |= (method, path) == ("post", "/api/v1/records/{key}/analysis")
            needs |= path in ("/api/v1/me/studies", "/api/v1/uploads/{key}/claim")
            needs |= method != "get" and path.startswith(WRITTEN)
            assert {"token": []} in said["security"]
            assert ({} in said["security"]) != needs, f"{method} {path}"
    settings.ANONYMOUS_UPLOAD = False
    closed: Any = SchemaGenerator().get_schema(request=None, public=True)
    for path in ("/api/v1/uploads", "/api/v1/uploads/resumable"):
        assert {} not in closed["paths"][path]["post"]["security"]


def test_the_json_schema_of_kafu(api: Api) -> None:
    response = api.client.get("/api/v1/kafu.schema.json")
    assert response["Content-Type"] == "application/schema+json"
    Draft202012Validator.check_schema(response.json())
    Draft202012Validator(response.json()).validate(to_json(year(1)))
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/api/v1/kafu.schema.json").status_code == 405


def test_the_reference_in_a_browser(server: Server, page: Page) -> None:
    """It shows what can be asked; nothing of it comes from elsewhere, no script is turned away."""
    own = f"http://127.0.0.1:{server.port}/"
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{own}api/v1/docs")
    expect(page.get_by_text("Upload games", exact=True)).to_be_visible()
    expect(page.locator("[data-path='/api/v1/records/{key}/replay']")).to_be_visible()
    assert [url for url in asked if not url.startswith((own, "data:"))] == []
    expect(page.get_by_role("link", name="HanaArchive")).to_have_attribute("href", "/")


def test_the_reference_in_japanese_and_in_the_dark(server: Server, page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"http://127.0.0.1:{server.port}/api/v1/docs")
    page.get_by_role("button", name="日本語").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("API の説明")
    expect(page.get_by_text("対局をアップロードする", exact=True)).to_be_visible()
    expect(page.locator("html.dark-mode")).to_have_count(1)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_json_of_kafu_has_its_schema() -> None:
    schemas = document()["components"]["schemas"]
    assert schemas["KafuGame"]["properties"]["months"]["items"] == {
        "$ref": "#/components/schemas/KafuMonth"
    }
    kinds = operation("post", "/api/v1/verify")["requestBody"]["content"]
    assert kinds["application/vnd.kafu+json"]["schema"] == {"$ref": "#/components/schemas/KafuGame"}
    kafu = schemas["WholeRecord"]["properties"]["kafu"]
    assert kafu["allOf"] == [{"$ref": "#/components/schemas/KafuGame"}]
    assert "#/$defs/" not in json.dumps(document())


def test_rows_have_the_columns_of_their_figure() -> None:
    schemas = document()["components"]["schemas"]
    for figure in FIGURES.values():
        row = schemas[f"{figure.id.title()}Row"]
        for columns in figure.possible_columns():
            ids = {column.id for column in columns}
            assert set(row["required"]) <= ids <= set(row["properties"])


def test_a_list_without_a_size_has_no_default(settings: LazySettings) -> None:
    """Generators would send it, and ask for a block where all games were wanted."""
    for path in ("records", "me/games", "me/uploads"):
        (size,) = (
            one
            for one in operation("get", f"/api/v1/{path}")["parameters"]
            if one["name"] == "page_size"
        )
        assert "default" not in size["schema"]
    assert document()["servers"] == [{"url": settings.SITE_URL}]


@pytest.mark.django_db
def test_what_there_is(api: Api) -> None:
    found = {one["name"]: one for one in api.get("").json()["resources"]}
    assert set(found) == {one.name for one in urlpatterns}
    assert found["record"]["href"].endswith("/api/v1/records/{key}")
    assert found["upload"]["methods"] == ["GET", "PATCH"]


@pytest.mark.django_db
def test_an_answer_that_has_changed(api: Api) -> None:
    """If-Match with another ETag."""
    for path in ("records", "odds/koikoi", "statistics/ends?ruleset=koikoi"):
        problem(api.get(path, None, **{"If-Match": '"other"'}), "precondition-failed", 412)
