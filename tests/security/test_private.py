"""Private games, cookies and forms of an account are protected from other accounts."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from lengths import LONG
from tests.security.addresses import ArchiveKeys, addresses
from tests.security.conftest import USER


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


#: Forms that change no row: the language of a visitor, and a preview of a text.
OPEN_FORMS = ("language", "preview")


def test_form_without_the_token_is_refused(keys: ArchiveKeys, owner: Client) -> None:
    """Send each form once, in `make test-long` with every key of the archive."""
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(get_user_model().objects.get(username=USER))
    sent_forms: set[str] = set()
    for address in addresses(keys):
        is_form = not address.name.startswith(("api:", "removed-")) and "?" not in address.path
        if not is_form or address.name in OPEN_FORMS:
            continue
        if address.name in sent_forms and not LONG:
            continue
        sent_forms.add(address.name)
        response = strict.post(address.path, {"username": USER, "text": "x"})
        assert response.status_code in (403, 405), address
    # The API accepts sessions too, and requires the token with a session.
    record = keys.records[0]
    for method in ("post", "put", "patch", "delete"):
        response = getattr(strict, method)(
            f"/api/v1/records/{record}/ownership", {}, "application/json"
        )
        assert response.status_code in (401, 403, 405), method
