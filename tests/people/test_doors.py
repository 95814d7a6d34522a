"""Logins and forms: not cached, no open redirects, no bypass."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from lengths import part
from people.urls import urlpatterns
from tests.people.world import PASSWORD, session, user
from tests.security.addresses import patterns

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

LOGIN = {"login": "aya", "password": PASSWORD}
#: Pages of other sites. Django tests more forms of foreign addresses; the question here is whether
#: each form of accounts calls Django's check.
FOREIGN = ("https://example.org/", "//example.org/", "/\\example.org/")


def addresses() -> list[str]:
    """Return the address of each page of accounts, filled in with keys that do not exist."""
    values: dict[str, Any] = {"key": "none", "uidb36": "x", "pk": 0, "provider_id": "site"}
    return [
        reverse(name, kwargs={field: values[field] for field in fields})
        for name, _pattern, fields in patterns(urlpatterns)
    ]


@pytest.mark.parametrize("name", part(["aya", "nobody"]))
def test_pages_of_people_are_stored_by_no_cache(name: str) -> None:
    viewer = user("aya") if name == "aya" else None
    for address in addresses():
        browser = session(viewer)
        for method in (browser.get, browser.post):
            response = method(address)
            assert response.status_code < 500, (method, address)
            assert response["Cache-Control"] == "private, no-store", (method, address)
            assert "noindex" in response["X-Robots-Tag"], (method, address)
    if viewer is not None:
        viewer.refresh_from_db()
        assert viewer.is_active


@pytest.mark.parametrize("name", ["account_login", "account_signup", "account_logout", "language"])
def test_next_page_on_another_site_is_not_followed(name: str) -> None:
    user("aya")
    fields: dict[str, str] = {
        "account_login": LOGIN,
        "account_signup": {"username": "ben", "password1": PASSWORD, "password2": PASSWORD},
        "account_logout": {},
        "language": {"language": "ja"},
    }[name]
    in_query: list[tuple[str, dict[str, str]]] = [
        (reverse(name, query={"next": foreign}), {}) for foreign in FOREIGN
    ]
    in_form = [(reverse(name), {"next": foreign}) for foreign in FOREIGN]
    for address, target in in_query + in_form:
        cache.clear()
        browser = Client(headers={"referer": "https://example.org/"})
        response = browser.post(address, fields | target)
        if response.status_code == 302:  # the second account of a name is refused
            # Browsers take a backslash for a slash.
            target_url = urljoin(
                "http://testserver/account/", response["Location"].replace("\\", "/")
            )
            assert urlsplit(target_url)[:2] == ("http", "testserver")


def test_login_leads_back_to_the_requested_page() -> None:
    user("aya")
    page = reverse("tokens")
    login = f"{reverse('account_login')}?next={page}"
    assert Client().get(page)["Location"] == login
    assert "needs an account" in Client().get(login).content.decode()
    assert "needs an account" not in Client().get(reverse("account_login")).content.decode()
    assert Client().post(reverse("account_login"), LOGIN | {"next": page})["Location"] == page


def visible_text(page: Any) -> str:
    """Return the page of a form without values, which differ from time to time."""
    return re.sub(r'value="[^"]*"', "", page.content.decode())


def test_refused_login_gives_no_reason() -> None:
    user("aya")
    shut = user("shut")
    shut.is_active = False
    shut.save()
    attempts = (("aya", "wrong"), ("nobody", "wrong"), ("shut", PASSWORD), ("shut", "wrong"))
    pages = [
        Client().post(reverse("account_login"), {"login": name, "password": password})
        for name, password in attempts
    ]
    assert {page.status_code for page in pages} == {200}
    assert len({visible_text(page) for page in pages}) == 1
