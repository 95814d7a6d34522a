"""E-mail addresses: used once confirmed, with notices to owners about changes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from people.accounts import lifecycle
from tests.people.mail import sent
from tests.people.world import PASSWORD, confirmed, reauthenticate, session, user

pytestmark = pytest.mark.django_db(transaction=True)


def register(name: str, address: str) -> Client:
    """Register a user, and return the logged-in browser."""
    browser = Client()
    fields = {"username": name, "email": address, "password1": PASSWORD, "password2": PASSWORD}
    assert browser.post(reverse("account_signup"), fields).status_code == 302
    return browser


def link() -> str:
    """Return the link in the last mail."""
    match = re.search(r"http://testserver(\S+)", str(sent()[-1].body))
    assert match is not None
    return match[1]


def count_reset_mails(address: str) -> int:
    """Return the number of mails that an address gets for forgotten passwords."""
    before = len(sent())
    Client().post(reverse("account_reset_password"), {"email": address})
    return len(sent()) - before


def change(browser: Client, address: str) -> Any:
    """Request another address for the account."""
    return browser.post(reverse("account_email"), {"email": address, "action_add": "1"})


def test_address_is_used_only_after_it_is_confirmed() -> None:
    browser = register("aya", "Aya@example.org")
    assert [message.to for message in sent()] == [["aya@example.org"]]
    assert count_reset_mails("aya@example.org") == 0
    assert lifecycle.get_confirmed_address(get_user_model().objects.get()) == ""
    assert "not confirmed yet" in browser.get(reverse("account")).content.decode()
    address = (browser.get(link()), link())[1]
    assert count_reset_mails("aya@example.org") == 0, "it is confirmed by the button, not by a look"
    # In any browser: mails are often read elsewhere.
    assert Client().post(address).status_code == 302
    assert "not confirmed yet" not in browser.get(reverse("account")).content.decode()
    assert count_reset_mails("aya@example.org") == 1
    assert lifecycle.get_confirmed_address(get_user_model().objects.get()) == "aya@example.org"
    assert "no longer valid" in Client().get(address).content.decode()


def test_new_address_replaces_the_old_one_when_it_is_confirmed() -> None:
    browser = session(confirmed("aya", "aya@example.org"))
    reauthenticate(browser)
    assert change(browser, "new@example.org").status_code == 302
    assert sent()[-1].to == ["new@example.org"]
    confirm = link()
    assert count_reset_mails("aya@example.org") == 1
    assert count_reset_mails("new@example.org") == 0
    browser.post(confirm)
    assert sent()[-1].to == ["aya@example.org"], "the old one is told"
    assert "was changed to new@example.org" in str(sent()[-1].body)
    assert link() == reverse("account_reset_password")
    assert count_reset_mails("aya@example.org") == 0
    assert count_reset_mails("new@example.org") == 1
    account = get_user_model().objects.get()
    assert account.email == "new@example.org"


def test_change_of_an_address_requires_the_password() -> None:
    browser = session(confirmed("aya", "aya@example.org"))
    removal = {"email": "aya@example.org", "action_remove": "1"}
    for fields in ({"email": "evil@example.org", "action_add": "1"}, removal):
        led = browser.post(reverse("account_email"), fields)
        assert led["Location"].partition("?")[0] == reverse("account_reauthenticate")
    assert EmailAddress.objects.get().email == "aya@example.org"
    assert sent() == []
    reauthenticate(browser)
    browser.post(reverse("account_email"), removal)
    assert not EmailAddress.objects.exists()
    assert sent()[-1].to == ["aya@example.org"]
    assert "removed" in str(sent()[-1].body)


def test_requested_change_is_made_after_the_password_is_entered() -> None:
    browser = session(user("aya"))
    response = browser.post(
        reverse("account_email"), {"email": "aya@example.org", "action_add": "1"}
    )
    browser.post(response["Location"], {"password": PASSWORD})
    assert sent()[-1].to == ["aya@example.org"]


def test_unconfirmed_former_address_gets_no_mail() -> None:
    browser = register("aya", "stranger@example.org")
    reauthenticate(browser)
    change(browser, "aya@example.org")
    browser.post(link())
    assert [message.to[0] for message in sent()] == ["stranger@example.org", "aya@example.org"]


def test_pages_do_not_reveal_which_addresses_are_known() -> None:
    confirmed("aya", "aya@example.org")
    browser = register("ben", "aya@example.org")
    assert sent()[-1].to == ["aya@example.org"]
    address = link()
    other_browser = register("cho", "cho@example.org")
    pages = [
        re.sub(
            r'value="[^"]*"|(aya|cho)@example|ben|cho',
            "",
            client.get(reverse("account_email")).content.decode(),
        )
        for client in (browser, other_browser)
    ]
    assert pages[0] == pages[1]
    # Only the owner of the mailbox learns of the account, and one account keeps the address.
    content = browser.post(address, follow=True).content.decode()
    assert "already confirmed by another account" in content
    assert EmailAddress.objects.filter(email="aya@example.org", verified=True).count() == 1
    assert count_reset_mails("aya@example.org") == 1


def test_links_to_one_address_are_limited(settings: Any) -> None:
    settings.RATES = settings.RATES | {"mails": (2, 3600)}
    for number in range(4):
        register(f"user{number}", "aya@example.org")
    assert len(sent()) == 2


def test_mails_by_one_account_are_limited(settings: Any) -> None:
    settings.RATES = settings.RATES | {"reset": (2, 3600)}
    browser = session(user("aya"))
    reauthenticate(browser)
    statuses = [change(browser, f"a{number}@example.org").status_code for number in range(3)]
    assert statuses == [302, 302, 429]
    assert len(sent()) == 2


def test_address_set_by_the_staff_is_used_only_after_it_is_confirmed() -> None:
    aya = user("aya")
    aya.email = "aya@example.org"
    aya.save()
    assert count_reset_mails("aya@example.org") == 0
    browser = session(aya)
    assert "Waiting for confirmation" in browser.get(reverse("account_email")).content.decode()
    browser.post(reverse("account_email"), {"email": "aya@example.org", "action_send": "1"})
    browser.post(link())
    assert count_reset_mails("aya@example.org") == 1


def test_archive_without_mail_offers_no_reset_by_mail(settings: Any) -> None:
    settings.MAIL = False
    register("aya", "aya@example.org")
    assert sent() == []
    page = Client().get(reverse("account_reset_password")).content.decode()
    assert "sends no mail" in page
    assert 'name="email"' not in page
