"""Rate limits of an address."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from people.tokens import create_token
from records.serving import limits
from tests.api.contract import Api, problem
from tests.conftest import SECOND

pytestmark = pytest.mark.django_db


@pytest.fixture
def twice(settings: LazySettings) -> None:
    """Allow two requests a minute of each kind."""
    settings.RATES = settings.RATES | dict.fromkeys(("uploads", "verify", "read"), (2, 60))


@pytest.mark.parametrize("path", ["uploads", "verify"])
def test_third_request_is_refused(api: Api, twice: None, path: str) -> None:
    for _ in range(2):
        assert api.post(path, b"x", "text/x-kafu").status_code < 300
    # Nobody without a proxy before us becomes another by a header.
    response = api.post(path, b"x", "text/x-kafu", **{"X-Forwarded-For": "192.0.2.1"})
    problem(response, "too-many-requests", 429)
    assert 0 < int(response["Retry-After"]) <= 60


def test_kinds_of_requests_are_counted_separately(api: Api, twice: None) -> None:
    for path in ("uploads", "verify") * 2:
        assert api.post(path, b"x", "text/x-kafu").status_code < 300


def test_response_has_the_rate_limit(api: Api, twice: None) -> None:
    for remaining in (1, 0, 0):
        response = api.get("quota")
        assert response["RateLimit-Policy"] == '"read";q=2;w=60'
        assert response["RateLimit"] == f'"read";r={remaining};t=59'
    assert response["Retry-After"] == "59"
    assert api.get("records/none")["RateLimit"] == '"read";r=0;t=59'


@pytest.mark.parametrize(
    ("status", "method", "path", "headers"),
    [
        (401, "get", "me", {}),
        (401, "get", "records", {"Authorization": "Bearer wrong"}),
        (404, "get", "nothing", {}),
        (404, "get", "records/none", {}),
        (405, "put", "records", {}),
        (410, "get", "me/webhooks", {}),
        (413, "post", "clubs/x/games", {"Content-Length": "99999999"}),
    ],
)
def test_refused_request_counts_and_has_the_rate_limit(
    twice: None, status: int, method: str, path: str, headers: dict[str, str]
) -> None:
    responses = [getattr(Client(), method)(f"/api/v1/{path}", headers=headers) for _ in range(2)]
    assert [response.status_code for response in responses] == [status, status]
    assert [response["RateLimit"].split(", ")[0] for response in responses] == [
        f'"read";r={remaining};t=59' for remaining in (1, 0)
    ]
    assert Client().get("/api/v1/quota").status_code == 429


def test_missing_scope_counts_for_the_owner_of_the_token(
    api: Api, twice: None, django_user_model: Any
) -> None:
    owner = django_user_model.objects.create_user("aya")
    token = create_token(owner=owner, name="app", scopes=["read"])[1]
    responses = [
        api.post("uploads", b"x", "text/x-kafu", Authorization=f"Bearer {token}") for _ in "abc"
    ]
    assert [response.status_code for response in responses] == [403, 403, 429]
    assert responses[0]["RateLimit"] == '"uploads";r=1;t=59'


def test_computing_is_reported_with_its_budget(api: Api, settings: LazySettings) -> None:
    settings.RATES = settings.RATES | {"work": (5, 60)}
    responses = [api.post("verify", b"x", "text/x-kafu") for _ in range(3)]
    assert [response.status_code for response in responses] == [200, 200, 429]
    assert [response["RateLimit"].split(", ")[1] for response in responses] == [
        f'"work";r={remaining};t=59' for remaining in (3, 1, 0)
    ]
    assert responses[2]["RateLimit-Policy"] == '"verify";q=240;w=60, "work";q=5;w=60'
    assert responses[2]["Retry-After"] == "59"


def test_count_starts_again_in_a_new_window(
    api: Api, twice: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        last = api.get("records")
    assert last.status_code == 429
    monkeypatch.setattr(limits, "now", lambda: SECOND + 60)
    assert api.get("records").status_code == 200


def test_tokens_are_counted_by_owner(api: Api, twice: None, django_user_model: Any) -> None:
    owner = django_user_model.objects.create_user("aya")
    for _ in range(3):
        api.get("records")
    tokens = (create_token(owner=owner, name=name, scopes=["read"])[1] for name in "aab")
    statuses = [api.get("records", Authorization=f"Bearer {token}").status_code for token in tokens]
    assert statuses == [200, 200, 429], "counted neither by address nor by token"
