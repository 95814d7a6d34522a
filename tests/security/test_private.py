"""Caches, cookies and forms: what is somebody's own stays his."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from records.models import Record, Visibility
from records.store.ownership import change_visibility
from tests.people.mail import sent
from tests.people.world import confirmed
from tests.security.addresses import Known, addresses
from tests.security.conftest import USER


def test_a_private_game_stands_in_no_cache_and_shows_to_nobody_else(
    known: Known, owner: Client
) -> None:
    user: Any = get_user_model().objects.get(username=USER)
    record = Record.objects.get(key=known.records[0])
    change_visibility(owner=user.pk, records=[record.pk], visibility=Visibility.PRIVATE)
    private = Known([record.key], known.uploads, known.players, known.partials)
    seen = 0
    for address in addresses(private):
        if record.key not in address.path:
            continue
        response = owner.get(address.path)
        if response.status_code == 200:
            seen += 1
            told = response.headers["Cache-Control"]
            assert "private" in told and "no-store" in told and "public" not in told, address
            own = address.path.startswith("/me/")
            assert own or response.headers["X-Robots-Tag"] == "noindex", address
        answer = Client().get(address.path)
        assert answer.status_code in (302, 401, 403, 404, 405, 410), address
    assert seen > 8


@pytest.mark.parametrize("secure", [True, False])
def test_cookies(db: None, settings: Any, secure: bool) -> None:
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = secure
    settings.LANGUAGE_COOKIE_SECURE = secure
    get_user_model().objects.create_user("aya", password="a long word or two")
    client = Client()
    client.get("/account/login/")
    client.post("/language/", {"language": "ja"})
    answer = client.post(
        "/account/login/", {"login": "aya", "password": "a long word or two", "next": "/me/"}
    )
    assert answer.status_code == 302
    assert {"csrftoken", "sessionid", "django_language"} <= set(client.cookies)
    for name, cookie in client.cookies.items():
        if name == "messages":
            continue
        assert bool(cookie["secure"]) == secure, name
        assert cookie["samesite"] == "Lax", name
        assert cookie["httponly"] or name == "csrftoken", name
        assert not cookie["domain"], name


#: The language of a visitor, and a table drawn of a text: nothing of anybody's is changed.
OPEN_FORMS = ("language", "preview")


def test_a_form_without_the_token_is_refused(known: Known, owner: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(get_user_model().objects.get(username=USER))
    for address in addresses(known):
        if address.name.startswith("api:") or "?" in address.path or address.name in OPEN_FORMS:
            continue
        response = strict.post(address.path, {"username": USER, "text": "x"})
        assert response.status_code in (403, 405), address
    # The API takes sessions too: then it wants the token, and else nobody is logged in.
    record = known.records[0]
    for method in ("post", "put", "patch", "delete"):
        answer = getattr(strict, method)(
            f"/api/v1/records/{record}/ownership", {}, "application/json"
        )
        assert answer.status_code in (401, 403, 405), method


@pytest.mark.parametrize("header", ["Bcc: x@evil.test", "Subject: paid", "\r\n\r\nbody"])
def test_no_header_gets_into_a_mail(transactional_db: None, header: str) -> None:
    """By address or name; and the host that the request names is not what the mail points to."""
    word = "a long word or two"
    for end in ("\n", "\r\n", "\r", "%0a", "\u2028"):
        for field in ("username", "email"):
            form = {"username": USER, "email": "aya@house.test", "password1": word}
            form |= {"password2": word, field: f"aya@house.test{end}{header}"}
            Client().post("/account/signup/", form)
        Client().post("/account/password/reset/", {"email": f"aya@house.test{end}{header}"})
    get_user_model().objects.filter(username=USER).delete()
    user = confirmed(USER, "aya@house.test")
    Client().post(
        "/account/password/reset/", {"email": user.email}, headers={"X-Forwarded-Host": "evil.test"}
    )
    mails = sent()
    assert [mail.to for mail in mails][-1:] == [[user.email]]
    for mail in mails:
        assert "evil.test" not in mail.message().as_string()
        assert "\n" not in mail.subject
