"""Mails have no link to another host and no header from a request."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from lengths import part
from tests.people.mail import discard_earlier, sent
from tests.people.world import PASSWORD, confirmed, reauthenticate, session

pytestmark = pytest.mark.django_db(transaction=True)

FORGED: dict[str, Any] = {
    "HTTP_HOST": "testserver:4444",
    "HTTP_X_FORWARDED_HOST": "evil.test",
    "HTTP_X_FORWARDED_PORT": "4444",
    "HTTP_X_FORWARDED_PROTO": "gopher",
}


@pytest.fixture(autouse=True)
def empty_outbox() -> None:
    """Begin without mails."""
    discard_earlier()


def read_links() -> set[str]:
    """Return the origins of all links in all mails."""
    origins: set[str] = set()
    for mail in sent():
        text = mail.message().as_string()
        assert ":4444" not in text and "evil.test" not in text and "gopher" not in text
        origins |= set(re.findall(r"https?://[^/\s]+", str(mail.body)))
    return origins


def test_link_of_a_reset_leads_to_the_site() -> None:
    confirmed("aya", "aya@example.org")
    Client(**FORGED).post(reverse("account_reset_password"), {"email": "aya@example.org"})
    assert len(sent()) == 1
    assert read_links() == {settings.SITE_URL}


def test_link_of_a_registration_leads_to_the_site() -> None:
    form = {"username": "aya", "password1": PASSWORD, "password2": PASSWORD}
    Client(**FORGED).post(reverse("account_signup"), form | {"email": "aya@example.org"})
    assert len(sent()) == 1
    assert read_links() == {settings.SITE_URL}


def test_links_of_changed_addresses_and_passwords_lead_to_the_site() -> None:
    browser = session(confirmed("aya", "aya@example.org"))
    reauthenticate(browser)
    new = {"email": "new@example.org", "action_add": "1"}
    browser.post(reverse("account_email"), new, **FORGED)
    link = re.search(rf"{settings.SITE_URL}(\S+)", str(sent()[-1].body))
    assert link is not None
    browser.post(link[1], **FORGED)
    new_password = "another of seven slips"
    form = {"oldpassword": PASSWORD, "password1": new_password, "password2": new_password}
    browser.post(reverse("account_change_password"), form, **FORGED)
    assert len(sent()) == 3
    assert read_links() == {settings.SITE_URL}


@pytest.mark.parametrize("header", part(["Bcc: x@evil.test", "Subject: paid", "\r\n\r\nbody"]))
def test_header_in_a_name_or_address_is_not_written_into_a_mail(header: str) -> None:
    for end in ("\n", "\r\n", "\r", "%0a", "\u2028"):
        for field in ("username", "email"):
            form = {"username": "aya", "email": "aya@house.test", "password1": PASSWORD}
            form |= {"password2": PASSWORD, field: f"aya@house.test{end}{header}"}
            Client().post(reverse("account_signup"), form)
        address = {"email": f"aya@house.test{end}{header}"}
        Client().post(reverse("account_reset_password"), address)
    get_user_model()._default_manager.filter(username="aya").delete()
    user = confirmed("aya", "aya@house.test")
    Client().post(reverse("account_reset_password"), {"email": user.email})
    mails = sent()
    assert [mail.to for mail in mails][-1:] == [[user.email]]
    for mail in mails:
        assert "evil.test" not in mail.message().as_string()
        assert "\n" not in mail.subject
