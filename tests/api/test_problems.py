"""Errors below /api/ are problems; public responses may be read from any site."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404
from django.test import Client
from django.utils import translation
from pytest_django import Settings

from api.problems import KINDS
from records.search import games
from tests.api.contract import problem


def test_unknown_address_is_a_problem() -> None:
    body = problem(Client().get("/api/v1/nothing/here?x=1"), "not-found", 404)
    assert body["detail"] == "There is nothing at this address."
    assert body["instance"] == "/api/v1/nothing/here"


def test_problem_is_translated(db: None) -> None:
    response = Client().get("/api/v1/records?page_size=0", headers={"Accept-Language": "ja"})
    assert response["Content-Language"] == "ja"
    body = problem(response, "invalid-parameter")
    assert not body["title"].isascii() and not body["detail"].isascii()


def test_unknown_page_is_no_problem_document(db: None) -> None:
    response = Client().get("/nothing/here")
    assert response.status_code == 404
    assert response["Content-Type"].startswith("text/html")
    assert "Access-Control-Allow-Origin" not in response


@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        (ZeroDivisionError("a secret"), "server-error", 500),
        (SuspiciousOperation("a secret"), "bad-request", 400),
        (PermissionDenied(), "forbidden", 403),
        (Http404("a secret"), "not-found", 404),
    ],
)
@pytest.mark.parametrize("debug", [True, False])
def test_exception_of_a_view_is_a_problem(
    db: None,
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
    error: Exception,
    code: str,
    status: int,
    debug: bool,
) -> None:
    def fail(*args: Any, **kwargs: Any) -> Any:
        raise error

    settings.DEBUG = debug
    monkeypatch.setattr(games, "find", fail)
    response = Client(raise_request_exception=False).get("/api/v1/records/x")
    problem(response, code, status)
    assert b"secret" not in response.content


def test_unknown_host_is_refused() -> None:
    response = Client().get("/api/v1/names", headers={"Host": "evil.example"})
    problem(response, "bad-request", 400)


def test_unknown_method_is_a_problem() -> None:
    response = Client().post("/api/v1/kafu.schema.json")
    body = problem(response, "method-not-allowed", 405)
    assert "POST" in body["detail"]
    assert response["Allow"] == "GET, HEAD"


def test_head_has_no_body() -> None:
    response = Client().head("/api/v1/nothing")
    assert (response.status_code, response.content) == (404, b"")


@pytest.mark.parametrize("path", ["names", "nothing", "kafu.schema.json"])
def test_every_origin_may_read(path: str) -> None:
    response = Client().get(f"/api/v1/{path}", headers={"Origin": "https://example.org"})
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response


def test_every_kind_has_a_title_in_japanese() -> None:
    with translation.override("ja"):
        assert not [kind.code for kind in KINDS.values() if str(kind.title).isascii()]
