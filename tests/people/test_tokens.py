"""Tokens: shown once, hashed, scoped, expiring, revocable."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people import tokens
from people.models import Token
from tests.people.world import reauthenticate, session, user

pytestmark = pytest.mark.django_db


@pytest.fixture
def aya(db: None) -> Any:
    """Create a user."""
    return user("aya")


def status(text: str) -> int:
    """Return the status of the resource `me` with a token."""
    return Client().get(reverse("api:me"), headers={"Authorization": f"Bearer {text}"}).status_code


def test_token_is_shown_once_and_stored_as_a_hash(aya: Any) -> None:
    browser = session(aya)
    reauthenticate(browser)
    fields = {"name": "laptop", "scopes": ["read", "upload"], "days": "30"}
    page = browser.post(reverse("tokens"), fields).content.decode()
    match = re.search(r"hana_\w{44}", page)
    assert match is not None
    row = Token.objects.get()
    assert match[0] not in str(row.__dict__)
    assert match[0].startswith(row.prefix)
    assert row.scopes == "read upload"
    assert match[0] not in browser.get(reverse("tokens")).content.decode()
    assert status(match[0]) == 200


def test_expired_or_revoked_token_is_refused(aya: Any) -> None:
    row, text = tokens.create_token(owner=aya, name="t", scopes=["read"])
    assert status(text) == 200
    Token.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert status(text) == 401
    Token.objects.update(expires=None)
    session(aya).post(reverse("revoke_token", args=[row.key]))
    assert status(text) == 401


def test_token_of_a_closed_account_is_refused(aya: Any) -> None:
    _row, text = tokens.create_token(owner=aya, name="t", scopes=["read"])
    aya.is_active = False
    aya.save()
    assert status(text) == 401


@pytest.mark.parametrize("text", ["", "hana_", "hana_" + "1" * 44, "hana_\xe9", "x" * 9999])
def test_text_that_is_no_token_is_refused(aya: Any, text: str) -> None:
    assert status(text) == 401


def test_use_of_a_token_is_stored_once_a_minute(aya: Any, django_assert_num_queries: Any) -> None:
    row, text = tokens.create_token(owner=aya, name="t", scopes=["read"])
    assert tokens.find_access(text) is not None
    row.refresh_from_db()
    assert row.used is not None
    with django_assert_num_queries(1):
        tokens.find_access(text)


def test_scope_admin_is_for_the_staff_only(aya: Any) -> None:
    with pytest.raises(ValueError):
        tokens.create_token(owner=aya, name="t", scopes=["admin"])
    with pytest.raises(ValueError):
        tokens.create_token(owner=aya, name="t", scopes=[])
    tokens.create_token(owner=user("staff", staff=True), name="t", scopes=["admin"])


def test_token_over_the_limit_is_refused(aya: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "MAX_TOKENS", 1)
    tokens.create_token(owner=aya, name="t", scopes=["read"])
    browser = session(aya)
    reauthenticate(browser)
    page = browser.post(reverse("tokens"), {"name": "u", "scopes": ["read"], "days": "0"})
    assert page.status_code == 200
    assert Token.objects.count() == 1
