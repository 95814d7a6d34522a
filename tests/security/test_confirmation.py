"""A stolen session gives no permanent access: forms that give access ask for the password."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from people import tokens
from people.models import Token
from tests.people.world import PASSWORD, reauthenticate, session

pytestmark = pytest.mark.django_db
TOKEN = {"name": "laptop", "scopes": ["read"], "days": "365"}
PASSWORDS = {"password1": "another hand of slips", "password2": "another hand of slips"}
#: Forms that give access: the address and the fields.
FORMS = [
    ("tokens", TOKEN),
    ("delete_account", {"games": "leave"}),
    ("account_email", {"email": "thief@house.test", "action_add": ""}),
]


@pytest.fixture
def elsewhere(aya: Any) -> Any:
    """Return an account without a password, which logs in through another site."""
    aya.set_unusable_password()
    aya.save()
    SocialAccount.objects.create(user=aya, provider="site", uid="1")
    return aya


def log_in_elsewhere(browser: Client, account: Any) -> None:
    """Record in the session that it was opened now, through the other site."""
    request: Any = RequestFactory().get("/")
    request.session = browser.session
    record_authentication(request, account, "socialaccount", provider="site")
    request.session.save()


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_form_that_gives_access_asks_for_the_password(
    aya: Any, name: str, form: dict[str, Any]
) -> None:
    response = session(aya).post(reverse(name), form)
    assert response.status_code == 302
    assert response["Location"].startswith(reverse("account_reauthenticate"))
    aya.refresh_from_db()
    assert aya.is_active and not Token.objects.exists()


def test_token_is_made_after_the_password(aya: Any) -> None:
    """The first form is carried out after the password is entered."""
    browser = session(aya)
    page = browser.post(reverse("tokens"), TOKEN, follow=True)
    assert page.redirect_chain and not Token.objects.exists()
    response = browser.post(
        page.request["PATH_INFO"], {"password": PASSWORD, "next": reverse("tokens")}
    )
    assert "hana_" in response.content.decode()
    assert f'action="{reverse("tokens")}"' in response.content.decode()
    token = Token.objects.get()
    assert token.expires is not None


def test_token_is_valid_for_a_year_unless_its_owner_says_otherwise(aya: Any) -> None:
    page = session(aya).get(reverse("tokens")).content.decode()
    assert '<option value="365" selected>' in page
    token, _text = tokens.create_token(owner=aya, name="t", scopes=["read"])
    assert token.expires is not None
    assert timedelta(days=364) < token.expires - timezone.now() <= timedelta(days=365)
    browser = session(aya)
    reauthenticate(browser)
    browser.post(reverse("tokens"), TOKEN | {"days": "0"})
    assert Token.objects.latest("pk").expires is None


@pytest.mark.parametrize(
    ("name", "form"),
    [*FORMS, ("account_set_password", PASSWORDS), ("mfa_activate_totp", {"code": "1"})],
)
def test_form_that_gives_access_asks_for_a_new_log_in_elsewhere(
    elsewhere: Any, name: str, form: dict[str, Any]
) -> None:
    browser = session(elsewhere)
    response = browser.post(reverse(name), form)
    assert response.status_code == 403
    assert "Confirm that it is you" in response.content.decode()
    elsewhere.refresh_from_db()
    assert elsewhere.is_active and not elsewhere.has_usable_password()
    assert not Token.objects.exists()
    log_in_elsewhere(browser, elsewhere)
    assert browser.post(reverse(name), form).status_code in (200, 302)


def test_log_in_elsewhere_is_fresh_for_some_minutes(
    elsewhere: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = session(elsewhere)
    log_in_elsewhere(browser, elsewhere)
    later = time.time() + 301
    monkeypatch.setattr("people.accounts.sessions.time.time", lambda: later)
    assert browser.post(reverse("tokens"), TOKEN).status_code == 403


def test_first_password_needs_the_second_factor(elsewhere: Any) -> None:
    """django-allauth does not require the second factor here."""
    TOTP.activate(elsewhere, generate_totp_secret())
    response = session(elsewhere).post(reverse("account_set_password"), PASSWORDS)
    assert response.status_code == 302
    assert response["Location"].startswith(reverse("mfa_reauthenticate"))
    elsewhere.refresh_from_db()
    assert not elsewhere.has_usable_password()
