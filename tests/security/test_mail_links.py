"""Links in mails lead to our own address, whatever a request says of its host."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.people.mail import sent
from tests.people.world import PASSWORD, confirmed, reauthenticate, session

pytestmark = pytest.mark.django_db(transaction=True)

FORGED: dict[str, Any] = {
    "HTTP_HOST": "testserver:4444",
    "HTTP_X_FORWARDED_HOST": "evil.test",
    "HTTP_X_FORWARDED_PORT": "4444",
    "HTTP_X_FORWARDED_PROTO": "gopher",
}


def links() -> set[str]:
    """All addresses in all mails."""
    found: set[str] = set()
    for mail in sent():
        text = mail.message().as_string()
        assert "4444" not in text and "evil.test" not in text and "gopher" not in text
        found |= set(re.findall(r"https?://[^/\s]+", str(mail.body)))
    return found


def test_of_a_reset() -> None:
    confirmed("aya", "aya@example.org")
    Client(**FORGED).post(reverse("account_reset_password"), {"email": "aya@example.org"})
    assert len(sent()) == 1
    assert links() == {settings.SITE_URL}


def test_of_a_registration() -> None:
    said = {"username": "aya", "password1": PASSWORD, "password2": PASSWORD}
    Client(**FORGED).post(reverse("account_signup"), said | {"email": "aya@example.org"})
    assert len(sent()) == 1
    assert links() == {settings.SITE_URL}


def test_of_changes() -> None:
    browser = session(confirmed("aya", "aya@example.org"))
    reauthenticate(browser)
    new = {"email": "new@example.org", "action_add": "1"}
    browser.post(reverse("account_email"), new, **FORGED)
    found = re.search(rf"{settings.SITE_URL}(\S+)", str(sent()[-1].body))
    assert found is not None
    browser.post(found[1], **FORGED)
    other = "another of seven slips"
    said = {"oldpassword": PASSWORD, "password1": other, "password2": other}
    browser.post(reverse("account_change_password"), said, **FORGED)
    assert len(sent()) == 3
    assert links() == {settings.SITE_URL}
