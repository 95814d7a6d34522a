"""A new password: ended sessions, revoked tokens, notifications."""

from __future__ import annotations

import re
from threading import Event
from typing import Any

import pytest
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.urls import reverse

from people import tokens
from people.models import Token
from tests.people.mail import sent
from tests.people.world import PASSWORD, confirmed, session, token, user

pytestmark = pytest.mark.django_db(transaction=True)

OTHER = "another of seven slips"
NEW = {"password1": OTHER, "password2": OTHER}


@pytest.fixture
def aya() -> Any:
    """Create a user with an e-mail address."""
    return confirmed("aya", "aya@example.org")


def is_logged_in(browser: Client) -> bool:
    """Return whether a browser is logged in."""
    return browser.get(reverse("me")).status_code == 200


def get_status(headers: dict[str, str]) -> int:
    """Return the status of the API resource `me`."""
    return Client().get(reverse("api:me"), headers=headers).status_code


def change(browser: Client, **fields: str) -> Any:
    """Change the password on the page."""
    return browser.post(
        reverse("account_change_password"), {"oldpassword": PASSWORD} | NEW | fields
    )


def link() -> str:
    """Return the link in the last mail."""
    match = re.search(r"http://testserver(\S+)", str(sent()[-1].body))
    assert match is not None
    return match[1]


def reset() -> Any:
    """Request a reset link, follow it, and set the password."""
    Client().post(reverse("account_reset_password"), {"email": "aya@example.org"})
    browser = Client()
    form = browser.get(link(), follow=True).redirect_chain[-1][0]
    return browser.post(form, NEW)


def test_changed_password_ends_other_sessions_and_no_token(aya: Any) -> None:
    here, elsewhere, program = session(aya), session(aya), token(aya, "read")
    assert change(here).status_code == 302
    assert is_logged_in(here)
    assert not is_logged_in(elsewhere)
    assert get_status(program) == 200
    mail = str(sent()[-1].body)
    assert "aya" in mail and "can still use your account" in mail
    assert link() == reverse("account_reset_password")


def test_changed_password_revokes_tokens_on_request(aya: Any) -> None:
    here, programs = session(aya), [token(aya, "read"), token(aya, "upload")]
    other_token = token(user("ben"), "read")
    assert "tokens" in here.get(reverse("account_change_password")).content.decode()
    change(here, tokens="on")
    assert [get_status(headers) for headers in programs] == [401, 401]
    assert get_status(other_token) == 200
    assert "are locked out too" in str(sent()[-1].body)


def test_user_without_tokens_is_not_asked_about_them(aya: Any) -> None:
    tokens.revoke(tokens.create_token(owner=aya, name="old", scopes=["read"])[0])
    page = session(aya).get(reverse("account_change_password")).content.decode()
    assert 'name="tokens"' not in page


def test_reset_password_ends_all_sessions_and_tokens(aya: Any) -> None:
    elsewhere, program = session(aya), token(aya, "read")
    assert reset().status_code == 302
    assert not is_logged_in(elsewhere)
    assert get_status(program) == 401
    assert not tokens.has_programs(aya)
    assert [message.subject for message in sent()][-1].startswith("The password of your account")
    assert Client().login(username="aya", password=OTHER)


def test_changed_password_without_an_address_sends_no_mail() -> None:
    assert change(session(user("ben"))).status_code == 302
    assert sent() == []


def test_unavailable_mail_server_does_not_stop_a_change(
    aya: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_: Any) -> int:
        raise OSError("no mail server")

    monkeypatch.setattr(EmailBackend, "send_messages", away)
    assert change(session(aya)).status_code == 302
    assert sent() == []
    assert "a mail was not sent" in caplog.text


def test_reset_does_not_wait_for_the_mail_server(aya: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the response time would reveal whether the address has an account."""
    may_send = Event()

    def slow(*_: Any) -> int:
        assert may_send.wait(30)
        return 1

    monkeypatch.setattr(EmailBackend, "send_messages", slow)
    page = Client().post(reverse("account_reset_password"), {"email": "aya@example.org"})
    assert page.status_code == 302
    may_send.set()
    sent()


def test_revoked_token_is_not_revoked_again(aya: Any) -> None:
    for name in ("a", "b", "c"):
        tokens.create_token(owner=aya, name=name, scopes=["read"])
    tokens.revoke(Token.objects.get(name="a"))
    before = Token.objects.get(name="a").revoked
    assert tokens.revoke_all(aya) == 2
    assert Token.objects.get(name="a").revoked == before
