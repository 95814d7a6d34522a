"""Logins and forms: not cached, no open redirects, no bypass."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.conf import settings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

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


@pytest.mark.parametrize("name", ["nobody", "aya"])
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


def test_refusal_of_a_frequent_visitor_is_stored_by_no_cache() -> None:
    for _ in range(11):
        response = Client().post(reverse("account_login"), LOGIN)
    assert response.status_code == 429
    assert response["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("foreign", FOREIGN)
@pytest.mark.parametrize("name", ["account_login", "account_signup", "account_logout", "language"])
def test_next_page_on_another_site_is_not_followed(name: str, foreign: str) -> None:
    user("aya")
    fields: dict[str, str] = {
        "account_login": LOGIN,
        "account_signup": {"username": "ben", "password1": PASSWORD, "password2": PASSWORD},
        "account_logout": {},
        "language": {"language": "ja"},
    }[name]
    for address, target in (
        (reverse(name, query={"next": foreign}), {}),
        (reverse(name), {"next": foreign}),
    ):
        cache.clear()
        browser = Client(headers={"referer": "https://example.org/"})
        response = browser.post(address, fields | target)
        if response.status_code == 302:  # the second of an account is refused
            # Browsers take a backslash for a slash.
            target_url = urljoin(
                "http://testserver/account/", response["Location"].replace("\\", "/")
            )
            assert urlsplit(target_url)[:2] == ("http", "testserver")


def test_login_leads_back_to_the_requested_page() -> None:
    user("aya")
    page = reverse("tokens")
    assert Client().get(page)["Location"] == f"{reverse('account_login')}?next={page}"
    assert Client().post(reverse("account_login"), LOGIN | {"next": page})["Location"] == page


@pytest.mark.parametrize("name", ["account_login", "account_signup"])
def test_planted_session_is_replaced_at_login(name: str) -> None:
    user("aya")
    planted = Client()
    planted.session.save()
    key = planted.session.session_key
    assert key is not None
    victim = Client()
    victim.cookies[settings.SESSION_COOKIE_NAME] = key
    new = {"username": "ben", "password1": PASSWORD, "password2": PASSWORD}
    assert victim.post(reverse(name), LOGIN if name == "account_login" else new).status_code == 302
    assert victim.cookies[settings.SESSION_COOKIE_NAME].value != key
    planted.cookies[settings.SESSION_COOKIE_NAME] = key
    assert planted.get(reverse("me")).status_code == 302
    assert victim.get(reverse("me")).status_code == 200


def test_session_is_invalid_after_logout() -> None:
    browser = session(user("aya"))
    key = browser.cookies[settings.SESSION_COOKIE_NAME].value
    browser.post(reverse("account_logout"))
    browser.cookies[settings.SESSION_COOKIE_NAME] = key
    assert browser.get(reverse("me")).status_code == 302


def test_login_and_logout_without_csrf_token_are_refused() -> None:
    user("aya")
    browser = Client(enforce_csrf_checks=True)
    assert browser.post(reverse("account_login"), LOGIN).status_code == 403
    browser.force_login(user("ben"))
    assert browser.post(reverse("account_logout")).status_code == 403
    assert browser.get(reverse("account_logout")).status_code == 200
    assert browser.get(reverse("me")).status_code == 200


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


def test_password_of_an_unknown_user_is_hashed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    user("aya")
    encode, hashed = MD5PasswordHasher.encode, []

    def counted(self: Any, password: str, salt: str) -> str:
        hashed.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    for name in ("aya", "nobody"):
        Client().post(reverse("account_login"), {"login": name, "password": f"of {name}"})
    assert hashed == ["of aya", "of nobody"]
