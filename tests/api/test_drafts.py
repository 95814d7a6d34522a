"""Drafts on the server: the newest is kept, none is dropped for another, and all are bounded."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people import drafts
from people.accounts import closing
from people.models import Draft
from tests.api.contract import problem
from tests.people.world import token, user

pytestmark = pytest.mark.django_db


@pytest.fixture
def aya(db: None) -> Any:
    return user("aya")


def keep(owner: Any, key: str, **changed: Any) -> Any:
    """Send a draft, with these fields changed."""
    fields = {"kind": "sheet", "title": "Aya – Ben", "changed": "2026-03-01T12:00:00.123Z"}
    fields |= {"state": {"kafu": "花\u0000\ud800"}} | changed
    address = reverse("api:draft", args=[key])
    return Client().put(address, fields, "application/json", headers=token(owner, "read", "upload"))


def one(owner: Any, key: str) -> Any:
    address = reverse("api:draft", args=[key])
    return Client().get(address, headers=token(owner, "read")).json()


def test_a_draft_comes_back_as_it_was(aya: Any) -> None:
    assert keep(aya, "k").json() == {
        "key": "k",
        "kind": "sheet",
        "title": "Aya – Ben",
        "changed": "2026-03-01T12:00:00.123000Z",
    }
    assert one(aya, "k")["state"] == {"kafu": "花\u0000?"}
    found = Client().get(reverse("api:drafts"), headers=token(aya, "read"))
    assert [draft["key"] for draft in found.json()] == ["k"] and "state" not in found.json()[0]
    assert "no-store" in found["Cache-Control"]


def test_the_newest_wins(aya: Any) -> None:
    keep(aya, "k", state={"n": 1})
    older = keep(aya, "k", state={"n": 0}, changed="2026-02-01T00:00:00Z")
    assert older.json()["changed"] == "2026-03-01T12:00:00.123000Z"
    assert one(aya, "k")["state"] == {"n": 1}
    keep(aya, "k", state={"n": 2}, changed="2026-04-01T00:00:00Z")
    assert one(aya, "k")["state"] == {"n": 2}
    assert Draft.objects.count() == 1


def test_none_is_dropped_for_another(aya: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MOST", 2)
    assert [keep(aya, key).status_code for key in "ab"] == [200, 200]
    refused = problem(keep(aya, "c"), "too-many-drafts", 409)
    assert refused["limit"] == 2 and "2 drafts" in refused["detail"]
    assert keep(aya, "a", changed="2026-05-01T00:00:00Z").status_code == 200
    assert keep(user("ben"), "c").status_code == 200, "everybody has their own number"
    Client().delete(reverse("api:draft", args=["b"]), headers=token(aya, "upload"))
    assert keep(aya, "c").status_code == 200


def test_a_state_is_bounded(aya: Any) -> None:
    most = drafts.MOST_BYTES - len('{"kafu": ""}')
    assert keep(aya, "k", state={"kafu": "x" * most}).status_code == 200
    refused = problem(keep(aya, "l", state={"kafu": "x" * (most + 1)}), "too-large", 413)
    assert refused["limit"] == drafts.MOST_BYTES
    assert keep(aya, "l", state={"kafu": "花" * (drafts.MOST_BYTES // 3 - 8)}).status_code == 200
    problem(keep(aya, "l", state={"kafu": "x" * (1 << 20)}), "too-large", 413)
    deep: Any = {}
    for _ in range(30):
        deep = {"a": deep}
    problem(keep(aya, "l", state=deep), "invalid-parameter", 400)


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
def test_bad_fields(aya: Any, fields: dict[str, Any]) -> None:
    problem(keep(aya, "k", **fields), "invalid-parameter", 400)
    assert not Draft.objects.exists()


def test_a_key_is_bounded(aya: Any) -> None:
    problem(keep(aya, "k" * 45), "invalid-parameter", 400)
    assert keep(aya, "k" * 44).status_code == 200


def test_they_go_with_the_account(aya: Any) -> None:
    keep(aya, "k")
    closing.close(aya, withdraw=False)
    assert not Draft.objects.exists()
