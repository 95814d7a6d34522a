"""Cookies of an account are protected from other sites."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client


@pytest.mark.parametrize("secure", [True, False])
def test_cookies_are_restricted_to_the_site(db: None, settings: Any, secure: bool) -> None:
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = secure
    settings.LANGUAGE_COOKIE_SECURE = secure
    get_user_model().objects.create_user("aya", password="a long word or two")
    client = Client()
    client.get("/account/login/")
    client.post("/language/", {"language": "ja"})
    response = client.post(
        "/account/login/", {"login": "aya", "password": "a long word or two", "next": "/me/"}
    )
    assert response.status_code == 302
    assert {"csrftoken", "sessionid", "django_language"} <= set(client.cookies)
    for name, cookie in client.cookies.items():
        if name == "messages":
            continue
        assert bool(cookie["secure"]) == secure, name
        assert cookie["samesite"] == "Lax", name
        assert cookie["httponly"] or name == "csrftoken", name
        assert not cookie["domain"], name
