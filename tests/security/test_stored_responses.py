"""Responses that browsers and proxies may store: nothing of a logged-in user."""

from __future__ import annotations

from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse

from lengths import LONG
from records.privacy.access import NO_STORE
from tests.security.addresses import ArchiveKeys, addresses, body_of

pytestmark = pytest.mark.django_db

#: Addresses whose responses take long to compute, requested only by `make test-long`.
EXPENSIVE: Final = ("animation", "strip", "favicon", "api:schema", "api:docs")


def test_response_to_a_logged_in_user_is_stored_only_if_everybody_gets_it(
    keys: ArchiveKeys, owner: Client
) -> None:
    """Request each address once; in `make test-long` with every key and query."""
    requested: set[str] = set()
    faults, stored_names = [], set()
    for address in addresses(keys):
        if not LONG and (address.name in requested or address.name in EXPENSIVE):
            continue
        requested.add(address.name)
        response = owner.get(address.path)
        if response.get("Cache-Control") == NO_STORE:
            continue
        stored_names.add(address.name)
        anonymous_response = Client().get(address.path)
        if _content(response) != _content(anonymous_response):
            faults.append((address.path, response.get("Cache-Control")))
    assert not faults
    # Responses without any data of the visitor are stored as before.
    assert {"picture", "replay", "embed", "suggest-players", "api:records"} <= stored_names


def _content(response: Any) -> tuple[int, str | None, bytes]:
    return response.status_code, response.get("Cache-Control"), body_of(response)


def test_page_with_a_pending_message_is_not_stored() -> None:
    browser = Client()
    browser.cookies["messages"] = "of a visitor whose account was deleted"
    assert browser.get(reverse("home"))["Cache-Control"] == NO_STORE


def test_page_of_a_visitor_is_stored_until_the_archive_changes(keys: ArchiveKeys) -> None:
    for name in ("home", "games", "players", "statistics-home"):
        page = Client().get(reverse(name))
        assert page["Cache-Control"] == "no-cache" and "ETag" in page, name
