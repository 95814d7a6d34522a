"""Guessing passwords and codes: from many addresses too, and without locking the owner out."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as django_settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from people.accounts.browsers import AGE, COOKIE, PATH
from people.accounts.limits import LIMITS
from people.urls import urlpatterns
from tests.people.mail import sent
from tests.people.totp import STEP, code, turn_on
from tests.people.world import PASSWORD, confirmed, reauthenticate, session, user
from tests.security.addresses import patterns

pytestmark = pytest.mark.django_db(transaction=True)

OTHER = "another of seven slips"
#: Wrong passwords after which no more are looked at.
ENOUGH = 21


def log_in(browser: Client, name: str = "aya", password: str = PASSWORD) -> Any:
    """A try."""
    return browser.post(reverse("account_login"), {"login": name, "password": password})


def strangers(first: int, last: int) -> list[Client]:
    """Browsers at as many addresses."""
    return [Client(REMOTE_ADDR=f"192.0.2.{number}") for number in range(first, last)]


def attack(count: int, name: str = "aya") -> list[int]:
    """Wrong passwords, each from an address of its own: the statuses."""
    return [log_in(one, name, "wrong").status_code for one in strangers(0, count)]


@pytest.mark.parametrize("name", ["aya", "Ａya", "nobody"])
def test_forty_tries_from_forty_addresses_do_not_all_pass(name: str) -> None:
    """By any spelling of the name, and whether there is such an account or not."""
    user("aya")
    spellings = [name, name.upper(), name.title(), f" {name}", f"{name}\u3000", f"{name}\n"]
    found = [
        log_in(one, spellings[number % len(spellings)], "wrong").status_code
        for number, one in enumerate(strangers(0, 40))
    ]
    assert found == [200] * 20 + [429] * 20
    # The right password is not even looked at.
    answer = log_in(Client(REMOTE_ADDR="198.51.100.1"), name)
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 3600
    assert answer["Cache-Control"] == "private, no-store"


def test_addresses_of_one_network_are_one() -> None:
    user("aya")
    found = [
        log_in(Client(REMOTE_ADDR=f"2001:db8:1:2::{number:x}"), "aya", "wrong").status_code
        for number in range(11)
    ]
    assert found == [200] * 10 + [429]


def test_the_day_has_a_limit_too(settings: Any) -> None:
    settings.RATES = settings.RATES | {"account": (1000, 3600)}
    user("aya")
    assert attack(103) == [200] * 100 + [429] * 3


def test_what_is_refused_does_not_count_for_the_account() -> None:
    """One stranger at one address uses up what is for that address, not what is for the name."""
    user("aya")
    stranger = Client(REMOTE_ADDR="192.0.2.1")
    assert [log_in(stranger, "aya", "wrong").status_code for _ in range(60)].count(200) == 10
    assert log_in(Client(REMOTE_ADDR="198.51.100.1")).status_code == 302


def test_the_owner_comes_in_by_a_browser_that_is_known() -> None:
    user("aya")
    known = Client(REMOTE_ADDR="198.51.100.1")
    assert log_in(known).status_code == 302
    known.post(reverse("account_logout"))
    attack(ENOUGH)
    # Also where somebody at the same address tries.
    for _ in range(110):
        log_in(Client(REMOTE_ADDR="198.51.100.1"), "aya", "wrong")
    assert log_in(Client(REMOTE_ADDR="198.51.100.1")).status_code == 429
    assert log_in(known).status_code == 302


def test_a_session_goes_on() -> None:
    browser = session(user("aya"))
    attack(ENOUGH)
    assert browser.get(reverse("me")).status_code == 200
    reauthenticate(browser)


def test_the_owner_comes_in_by_the_link_of_a_mail() -> None:
    confirmed("aya", "aya@example.org")
    attack(ENOUGH)
    fresh = Client(REMOTE_ADDR="198.51.100.1")
    fresh.post(reverse("account_reset_password"), {"email": "aya@example.org"})
    found = re.search(r"http://testserver(\S+)", str(sent()[-1].body))
    assert found is not None
    form = fresh.get(found[1], follow=True).redirect_chain[-1][0]
    assert fresh.post(form, {"password1": OTHER, "password2": OTHER}).status_code == 302
    assert fresh.get(reverse("me")).status_code == 200
    # And from then on by the password, as the browser is known.
    fresh.post(reverse("account_logout"))
    attack(ENOUGH)
    assert log_in(fresh, password=OTHER).status_code == 302


def test_a_known_browser_is_no_place_to_guess() -> None:
    user("aya")
    known = Client()
    log_in(known)
    known.post(reverse("account_logout"))
    found = [log_in(known, "aya", "wrong").status_code for _ in range(12)]
    assert found == [200] * 10 + [429] * 2


@pytest.mark.parametrize("what", ["of another", "forged", "old", "before a new password"])
def test_a_browser_that_is_not_known(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    aya = user("aya")
    user("ben")
    browser = Client(REMOTE_ADDR="198.51.100.1")
    log_in(browser, "ben" if what == "of another" else "aya")
    browser.post(reverse("account_logout"))
    if what == "forged":
        value = browser.cookies[COOKIE].value
        browser.cookies[COOKIE] = value[:-2] + ("AA" if value[-2:] != "AA" else "BB")
    elif what == "old":
        later = time.time() + AGE + 10
        monkeypatch.setattr("django.core.signing.time.time", lambda: later)
    elif what == "before a new password":
        aya.set_password(OTHER)
        aya.save()
    attack(ENOUGH)
    assert log_in(browser, password=PASSWORD).status_code == 429


@pytest.mark.parametrize("value", ["", "x", "é", "W10:x:y", "\x00", "x" * 5000])
def test_a_cookie_that_is_none(value: str) -> None:
    user("aya")
    browser = Client()
    browser.cookies[COOKIE] = value
    assert log_in(browser).status_code == 302


def test_the_cookie_lets_nobody_in_and_goes_nowhere_else() -> None:
    user("aya")
    known = Client()
    log_in(known)
    cookie = known.cookies[COOKIE]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (PATH, True, "Lax")
    del known.cookies[django_settings.SESSION_COOKIE_NAME]
    assert known.get(reverse("account")).status_code == 302


@pytest.fixture
def guarded() -> tuple[Client, str]:
    """The browser of aya, who has a second factor, and its secret."""
    browser = session(confirmed("aya", "aya@example.org"))
    secret = turn_on(browser)
    cache.clear()
    return browser, secret


def test_codes_are_few(guarded: tuple[Client, str]) -> None:
    """Of one account, from wherever they come."""
    _browser, secret = guarded
    statuses = []
    for one in strangers(0, 12):
        assert log_in(one)["Location"] == reverse("mfa_authenticate")
        statuses.append(one.post(reverse("mfa_authenticate"), {"code": "000000"}).status_code)
    assert statuses == [200] * 10 + [429] * 2
    assert one.post(reverse("mfa_authenticate"), {"code": code(secret)}).status_code == 429
    assert one.get(reverse("me")).status_code == 302


def test_a_new_password_gives_new_tries_for_codes(guarded: tuple[Client, str]) -> None:
    """Whoever knew the old one does not hold its owner up any more."""
    browser, secret = guarded
    stranger = Client(REMOTE_ADDR="192.0.2.1")
    log_in(stranger)
    for _ in range(12):
        answer = stranger.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert answer.status_code == 429
    said = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    assert browser.post(reverse("account_change_password"), said).status_code == 302
    fresh = Client(REMOTE_ADDR="198.51.100.1")
    log_in(fresh, password=OTHER)
    done = fresh.post(reverse("mfa_authenticate"), {"code": code(secret)})
    assert done["Location"] == reverse("me")


@pytest.mark.parametrize("late", [0, STEP, 2 * STEP - 1])
def test_a_code_is_good_once(
    guarded: tuple[Client, str], late: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when it is a little old, which codes may be."""
    _browser, secret = guarded
    start = time.time() // STEP * STEP
    monkeypatch.setattr(time, "time", lambda: start)
    word = code(secret, start)
    for at, status in ((start, 302), (start + late, 200)):
        monkeypatch.setattr(time, "time", lambda at=at: at)
        browser = Client()
        assert log_in(browser)["Location"] == reverse("mfa_authenticate")
        answer = browser.post(reverse("mfa_authenticate"), {"code": f" {word[:3]} {word[3:]}"})
        assert answer.status_code == status
        assert browser.get(reverse("me")).status_code == (200 if status == 302 else 302)


def test_a_password_alone_opens_nothing(guarded: tuple[Client, str]) -> None:
    """Not by a reset either, nor by skipping the step."""
    fresh = Client()
    log_in(fresh)
    assert fresh.get(reverse("me")).status_code == 302
    fresh.post(reverse("account_reset_password"), {"email": "aya@example.org"})
    found = re.search(r"http://testserver(\S+)", str(sent()[-1].body))
    assert found is not None
    other = Client()
    form = other.get(found[1], follow=True).redirect_chain[-1][0]
    led = other.post(form, {"password1": OTHER, "password2": OTHER})
    assert led["Location"] == reverse("mfa_authenticate")
    assert other.get(reverse("me")).status_code == 302
    assert EmailAddress.objects.get().verified


#: Forms that open nothing, or that nobody can send without a secret.
UNLIMITED = {
    *("account_logout", "account_confirm_email", "account_reset_password_from_key"),
    *("account_confirm_login_code", "account_set_password", "mfa_deactivate_totp"),
    *("mfa_generate_recovery_codes", "usersessions_list", "end_session", "delete_account"),
    "socialaccount_connections",
}
#: Pages without a form.
PLAIN = {
    *("account", "account_inactive", "account_email_verification_sent", "mfa_index"),
    *("account_reset_password_done", "account_reset_password_from_key_done"),
    *("mfa_view_recovery_codes", "mfa_download_recovery_codes", "socialaccount_login_cancelled"),
    "openid_connect_callback",
}


def test_every_form_has_a_limit_or_a_reason() -> None:
    names = {
        name
        for name, pattern, _wanted in patterns(urlpatterns)
        if pattern.lookup_str.startswith(
            ("allauth.", "people.views.account", "people.views.elsewhere")
        )
    }
    assert names == set(LIMITS) | UNLIMITED | PLAIN
