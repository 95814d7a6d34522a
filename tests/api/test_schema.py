"""The OpenAPI document, the reference for people, the JSON Schema of Kafu."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import include, path
from drf_spectacular import validation
from drf_spectacular.generators import SchemaGenerator
from jsonschema_rs import validator_for

from api.parsers import WHOLE, FormParser
from api.urls import urlpatterns
from api.views.verify import PARSERS
from kafu.notation.json.form import to_json
from records.statistics.registry import FIGURES
from tests.api.contract import Api, document, operation, problem
from tests.conftest import ROOT
from tests.records.makers import simulate_months


def test_document_is_valid_openapi() -> None:
    """`document` fails on warnings."""
    metaschema = Path(validation.__file__).with_name("openapi_3_1_schema.json").read_text()
    validator_for(metaschema).validate(json.loads(json.dumps(document())))


@pytest.mark.long_only  # the test above validates the document
@pytest.mark.parametrize("linter", ["redocly", "spectral"])
def test_linter_finds_nothing_in_the_document(linter: str) -> None:
    process = subprocess.run([ROOT / "scripts" / "openapi", linter], capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr


def test_document_is_served_as_json_and_yaml(monkeypatch: pytest.MonkeyPatch) -> None:
    response = Client().get("/api/v1/schema")
    assert response["Content-Type"] == "application/vnd.oai.openapi+json"
    assert response.json() == json.loads(json.dumps(document()))
    assert document()["openapi"].startswith("3.1.")
    # Building the document takes as long as a hundred other requests.
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda *_, **__: document())
    response = Client().get("/api/v1/schema", headers={"Accept": "application/vnd.oai.openapi"})
    assert response.content.startswith(b"openapi: 3.1.")


def test_document_has_every_address() -> None:
    undocumented = {"", "changes.atom", "schema", "docs", "kafu.schema.json"}
    routes = {str(pattern.pattern) for pattern in urlpatterns} - undocumented
    paths = {re.sub(r"<\w+:(\w+)>", r"{\1}", f"/api/v1/{route}") for route in routes}
    assert paths | {"/api/v1"} == set(document()["paths"])


def test_request_bodies_are_those_with_a_parser() -> None:
    kinds = operation("post", "/api/v1/uploads")["requestBody"]["content"]
    assert set(kinds) == {parser.media_type for parser in (FormParser, *WHOLE)}
    kinds = operation("post", "/api/v1/verify")["requestBody"]["content"]
    assert set(kinds) == {parser.media_type for parser in PARSERS}


def test_every_operation_has_a_summary_and_a_description() -> None:
    for address, methods in document()["paths"].items():
        for method, description in methods.items():
            assert description["summary"] and description["description"], f"{method} {address}"


#: Addresses that everybody reads and only members write to.
WRITTEN_BY_MEMBERS = (
    *("/api/v1/clubs/", "/api/v1/comments/", "/api/v1/studies"),
    "/api/v1/records/{key}/comments",
)


#: Addresses that compute on what is sent, and store nothing.
READ_BY_POST = tuple(f"/api/v1/{name}" for name in ("verify", "positions", "sheets", "notebooks"))


def test_document_names_operations_that_need_a_token(settings: LazySettings) -> None:
    private = {"/me", "/me/games", "/me/games/export", "/me/uploads", "/records/{key}/ownership"}
    private |= {f"/me/games.{ending}" for ending in ("ndjson", "kafu", "csv")}
    private |= {"/me/drafts", "/me/drafts/{key}"}
    for address, methods in document()["paths"].items():
        for method, description in methods.items():
            is_private = address.removeprefix("/api/v1") in private
            is_private |= address in ("/api/v1/me/studies", "/api/v1/uploads/{key}/claim")
            is_private |= method != "get" and address.startswith(WRITTEN_BY_MEMBERS)
            assert {"token": []} in description["security"]
            scopes = {tuple(way["oauth"]) for way in description["security"] if "oauth" in way}
            reads = method == "get" or address in READ_BY_POST
            expected = "read" if reads else "upload"
            assert scopes == {()} or (expected,) in scopes, f"{method} {address}"
            assert ({} in description["security"]) != is_private, f"{method} {address}"
    settings.ANONYMOUS_UPLOAD = False
    patterns = [pattern for pattern in urlpatterns if pattern.name in ("uploads", "resumables")]
    generator = SchemaGenerator(patterns=[path("api/v1/", include((patterns, "api")))])
    closed: Any = generator.get_schema(request=None, public=True)
    for address in ("/api/v1/uploads", "/api/v1/uploads/resumable"):
        assert {} not in closed["paths"][address]["post"]["security"]


def test_json_schema_of_kafu_is_valid_and_read_only(api: Api) -> None:
    response = api.client.get("/api/v1/kafu.schema.json")
    assert response["Content-Type"] == "application/schema+json"
    jsonschema_rs.meta.validate(response.json())
    jsonschema_rs.validate(response.json(), to_json(simulate_months(1)))
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/api/v1/kafu.schema.json").status_code == 405


def test_json_bodies_of_kafu_refer_to_its_schema() -> None:
    schemas = document()["components"]["schemas"]
    assert schemas["KafuGame"]["properties"]["months"]["items"] == {
        "$ref": "#/components/schemas/KafuMonth"
    }
    kinds = operation("post", "/api/v1/verify")["requestBody"]["content"]
    assert kinds["application/vnd.kafu+json"]["schema"] == {"$ref": "#/components/schemas/KafuGame"}
    kafu = schemas["WholeRecord"]["properties"]["kafu"]
    assert kafu["allOf"] == [{"$ref": "#/components/schemas/KafuGame"}]
    assert "#/$defs/" not in json.dumps(document())


def test_rows_of_statistics_have_the_columns_of_their_figure() -> None:
    schemas = document()["components"]["schemas"]
    for figure in FIGURES.values():
        row = schemas[f"{figure.id.title()}Row"]
        for columns in figure.possible_columns():
            ids = {column.id for column in columns}
            assert set(row["required"]) <= ids <= set(row["properties"])


def test_page_size_has_no_default(settings: LazySettings) -> None:
    """Generated clients would send a default, and get one block instead of all games."""
    for name in ("records", "me/games", "me/uploads"):
        (size,) = (
            parameter
            for parameter in operation("get", f"/api/v1/{name}")["parameters"]
            if parameter["name"] == "page_size"
        )
        assert "default" not in size["schema"]
    assert document()["servers"] == [{"url": settings.SITE_URL}]


@pytest.mark.django_db
def test_root_lists_every_resource(api: Api) -> None:
    resources = {resource["name"]: resource for resource in api.get("/api/v1").json()["resources"]}
    assert set(resources) == {pattern.name for pattern in urlpatterns}
    assert resources["root"]["href"].endswith("/api/v1")
    assert resources["record"]["href"].endswith("/api/v1/records/{key}")
    assert resources["upload"]["methods"] == ["GET", "PATCH"]


@pytest.mark.django_db
def test_if_match_with_another_etag_is_refused(api: Api) -> None:
    for address in ("records", "odds/koikoi", "statistics/ends?ruleset=koikoi"):
        problem(api.get(address, None, **{"If-Match": '"other"'}), "precondition-failed", 412)
