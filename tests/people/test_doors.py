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

pytestmark = pytest.mark.django_db

LOGIN = {"login": "aya", "password": PASSWORD}
#: Pages of others. Django knows more forms of them, which its own tests try; here the
#: question is whether each of our ways in asks it.
FOREIGN = ("https://example.org/", "//example.org/", "/\\example.org/")


def addresses() -> list[str]:
    """Every page of people's, filled in with what does not exist."""
    words: dict[str, Any] = {"key": "none", "uidb36": "x", "pk": 0, "provider_id": "site"}
    return [
        reverse(name, kwargs={one: words[one] for one in wanted})
        for name, _pattern, wanted in patterns(urlpatterns)
    ]


@pytest.mark.parametrize("address", addresses())
@pytest.mark.parametrize("name", ["nobody", "aya"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_no_cache_keeps_a_page_of_people(address: str, name: str, method: str) -> None:
    browser = session(user("aya") if name == "aya" else None)
    response = getattr(browser, method)(address)
    assert response.status_code < 500
    assert response["Cache-Control"] == "private, no-store"
    assert "noindex" in response["X-Robots-Tag"]


def test_a_refusal_for_coming_too_often_is_not_kept_either() -> None:
    for _ in range(11):
        response = Client().post(reverse("account_login"), LOGIN)
    assert response.status_code == 429
    assert response["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("wanted", FOREIGN)
@pytest.mark.parametrize("name", ["account_login", "account_signup", "account_logout", "language"])
def test_nobody_is_led_to_a_foreign_page(name: str, wanted: str) -> None:
    user("aya")
    said: dict[str, str] = {
        "account_login": LOGIN,
        "account_signup": {"username": "ben", "password1": PASSWORD, "password2": PASSWORD},
        "account_logout": {},
        "language": {"language": "ja"},
    }[name]
    for address, more in (
        (reverse(name, query={"next": wanted}), {}),
        (reverse(name), {"next": wanted}),
    ):
        cache.clear()
        browser = Client(headers={"referer": "https://example.org/"})
        answer = browser.post(address, said | more)
        if answer.status_code == 302:  # the second of an account is refused
            # Browsers take a backslash for a slash.
            led = urljoin("http://testserver/account/", answer["Location"].replace("\\", "/"))
            assert urlsplit(led)[:2] == ("http", "testserver")


def test_one_comes_back_to_the_page_one_wanted() -> None:
    user("aya")
    wanted = reverse("tokens")
    assert Client().get(wanted)["Location"] == f"{reverse('account_login')}?next={wanted}"
    assert Client().post(reverse("account_login"), LOGIN | {"next": wanted})["Location"] == wanted


@pytest.mark.parametrize("name", ["account_login", "account_signup"])
def test_a_session_that_somebody_planted_is_not_the_one_of_who_logs_in(name: str) -> None:
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


def test_a_session_of_who_logged_out_is_good_for_nothing() -> None:
    browser = session(user("aya"))
    key = browser.cookies[settings.SESSION_COOKIE_NAME].value
    browser.post(reverse("account_logout"))
    browser.cookies[settings.SESSION_COOKIE_NAME] = key
    assert browser.get(reverse("me")).status_code == 302


def test_logging_in_and_out_wants_a_token_of_the_form() -> None:
    user("aya")
    browser = Client(enforce_csrf_checks=True)
    assert browser.post(reverse("account_login"), LOGIN).status_code == 403
    browser.force_login(user("ben"))
    assert browser.post(reverse("account_logout")).status_code == 403
    assert browser.get(reverse("account_logout")).status_code == 200
    assert browser.get(reverse("me")).status_code == 200


def told(page: Any) -> str:
    """What a page of a form says, without what is another at every time."""
    return re.sub(r'value="[^"]*"', "", page.content.decode())


def test_a_refused_log_in_gives_no_reason() -> None:
    user("aya")
    shut = user("shut")
    shut.is_active = False
    shut.save()
    tries = (("aya", "wrong"), ("nobody", "wrong"), ("shut", PASSWORD), ("shut", "wrong"))
    pages = [
        Client().post(reverse("account_login"), {"login": name, "password": password})
        for name, password in tries
    ]
    assert {page.status_code for page in pages} == {200}
    assert len({told(page) for page in pages}) == 1


def test_who_is_not_there_is_checked_as_long_as_who_is(monkeypatch: pytest.MonkeyPatch) -> None:
    user("aya")
    encode, hashed = MD5PasswordHasher.encode, []

    def counted(self: Any, password: str, salt: str) -> str:
        hashed.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    for name in ("aya", "nobody"):
        Client().post(reverse("account_login"), {"login": name, "password": f"of {name}"})
    assert hashed == ["of aya", "of nobody"]


def test_all_names_from_one_address_are_counted_together() -> None:
    statuses = [
        Client().post(reverse("account_login"), {"login": f"u{one}", "password": "x"}).status_code
        for one in range(101)
    ]
    assert statuses[0] == 200
    assert statuses[-1] == 429
