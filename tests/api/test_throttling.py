"""Rate limits of an address."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings

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
        response = api.get("records")
        assert response["RateLimit-Policy"] == '"read";q=2;w=60'
        assert response["RateLimit"] == f'"read";r={remaining};t=59'
    assert response["Retry-After"] == "59"
    assert api.get("records/none")["RateLimit"] == '"read";r=0;t=59'


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
