"""Drafts on the server: the newest wins, and number and size are limited."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people import drafts
from people.accounts import lifecycle
from people.models import Draft
from tests.api.contract import problem
from tests.people.world import token, user

pytestmark = pytest.mark.django_db


@pytest.fixture
def aya(db: None) -> Any:
    return user("aya")


def put_draft(owner: Any, key: str, **changed: Any) -> Any:
    """Send a draft with some fields replaced; return the response."""
    fields = {"kind": "sheet", "title": "Aya – Ben", "changed": "2026-03-01T12:00:00.123Z"}
    fields |= {"state": {"kafu": "花\u0000\ud800"}} | changed
    address = reverse("api:draft", args=[key])
    return Client().put(address, fields, "application/json", headers=token(owner, "read", "upload"))


def get_draft(owner: Any, key: str) -> Any:
    """Return a draft of an account."""
    address = reverse("api:draft", args=[key])
    return Client().get(address, headers=token(owner, "read")).json()


def test_draft_is_returned_as_stored(aya: Any) -> None:
    assert put_draft(aya, "k").json() == {
        "key": "k",
        "kind": "sheet",
        "title": "Aya – Ben",
        "changed": "2026-03-01T12:00:00.123000Z",
    }
    assert get_draft(aya, "k")["state"] == {"kafu": "花\u0000?"}
    response = Client().get(reverse("api:drafts"), headers=token(aya, "read"))
    assert [draft["key"] for draft in response.json()] == ["k"] and "state" not in response.json()[
        0
    ]
    assert "no-store" in response["Cache-Control"]


def test_newest_draft_wins(aya: Any) -> None:
    put_draft(aya, "k", state={"n": 1})
    older = put_draft(aya, "k", state={"n": 0}, changed="2026-02-01T00:00:00Z")
    assert older.json()["changed"] == "2026-03-01T12:00:00.123000Z"
    assert get_draft(aya, "k")["state"] == {"n": 1}
    put_draft(aya, "k", state={"n": 2}, changed="2026-04-01T00:00:00Z")
    assert get_draft(aya, "k")["state"] == {"n": 2}
    assert Draft.objects.count() == 1


def test_draft_over_the_limit_is_refused(aya: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MAX_DRAFTS", 2)
    assert [put_draft(aya, key).status_code for key in "ab"] == [200, 200]
    refused = problem(put_draft(aya, "c"), "too-many-drafts", 409)
    assert refused["limit"] == 2 and "2 drafts" in refused["detail"]
    assert put_draft(aya, "a", changed="2026-05-01T00:00:00Z").status_code == 200
    assert put_draft(user("ben"), "c").status_code == 200, "the limit is for each account"
    Client().delete(reverse("api:draft", args=["b"]), headers=token(aya, "upload"))
    assert put_draft(aya, "c").status_code == 200


def test_too_large_state_is_refused(aya: Any) -> None:
    most = drafts.MAX_BYTES - len('{"kafu": ""}')
    assert put_draft(aya, "k", state={"kafu": "x" * most}).status_code == 200
    refused = problem(put_draft(aya, "l", state={"kafu": "x" * (most + 1)}), "too-large", 413)
    assert refused["limit"] == drafts.MAX_BYTES
    assert (
        put_draft(aya, "l", state={"kafu": "花" * (drafts.MAX_BYTES // 3 - 8)}).status_code == 200
    )
    problem(put_draft(aya, "l", state={"kafu": "x" * (1 << 20)}), "too-large", 413)
    deep: Any = {}
    for _ in range(30):
        deep = {"a": deep}
    problem(put_draft(aya, "l", state=deep), "invalid-parameter", 400)


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "book"},
        {"title": "x" * 301},
        {"title": "a\u0000"},
        {"changed": "yesterday"},
        {"changed": (timezone.now() + timedelta(days=2)).isoformat()},
        {"changed": None},
        {"state": "text"},
        {"state": None},
    ],
)
def test_invalid_field_is_refused(aya: Any, fields: dict[str, Any]) -> None:
    problem(put_draft(aya, "k", **fields), "invalid-parameter", 400)
    assert not Draft.objects.exists()


def test_too_long_key_is_refused(aya: Any) -> None:
    problem(put_draft(aya, "k" * 45), "invalid-parameter", 400)
    assert put_draft(aya, "k" * 44).status_code == 200


def test_drafts_are_deleted_with_the_account(aya: Any) -> None:
    put_draft(aya, "k")
    lifecycle.close(aya, withdraw=False)
    assert not Draft.objects.exists()
