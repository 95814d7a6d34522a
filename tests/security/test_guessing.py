"""Guesses of passwords and codes are limited, but lock no owner out."""

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

from people.accounts.limits import LIMITS
from people.accounts.sessions import AGE, COOKIE, PATH
from people.urls import urlpatterns
from records.serving.limits import GROUPS
from tests.people.mail import sent
from tests.people.totp import STEP, code, turn_on
from tests.people.world import PASSWORD, confirmed, reauthenticate, session, user
from tests.security.addresses import patterns

pytestmark = pytest.mark.django_db
#: Mails are sent after the end of a transaction.
WITH_MAIL = pytest.mark.django_db(transaction=True)

OTHER = "another of seven slips"
#: Numbers of tries in production; the tests use smaller numbers.
SHIPPED = {"login": 10, "logins": 100, "account": 20, "account-day": 100, "codes": 10}
LOGIN, LOGINS, ACCOUNT, DAY, CODES = 3, 7, 5, 8, 3


@pytest.fixture(autouse=True)
def few_tries(settings: Any) -> None:
    """Lower the limits of tries, with unchanged windows."""
    limits = {"login": LOGIN, "logins": LOGINS, "account": ACCOUNT, "account-day": DAY}
    limits["codes"] = CODES
    settings.RATES = {name: (limit, GROUPS[name].seconds) for name, limit in limits.items()}


def log_in(browser: Client, name: str = "aya", password: str = PASSWORD) -> Any:
    """Post a name and a password."""
    return browser.post(reverse("account_login"), {"login": name, "password": password})


def strangers(count: int) -> list[Client]:
    """Return clients, each at a separate address."""
    return [Client(REMOTE_ADDR=f"192.0.2.{number}") for number in range(count)]


def attack(count: int = ACCOUNT + 1, name: str = "aya") -> list[int]:
    """Send wrong passwords, each from a separate address. Return the statuses."""
    return [log_in(stranger, name, "wrong").status_code for stranger in strangers(count)]


def test_limits_of_tries_are_those_of_the_documentation() -> None:
    assert {name: GROUPS[name].requests for name in SHIPPED} == SHIPPED


@pytest.mark.parametrize(
    "name", ["Ａya", pytest.param("aya", marks=pytest.mark.long_only), "nobody"]
)
def test_tries_for_an_account_from_many_addresses_are_limited(name: str) -> None:
    """Spell the name in several ways, for an existing and a missing account."""
    user("aya")
    spellings = [name, name.upper(), name.title(), f" {name}", f"{name}\u3000", f"{name}\n"]
    statuses = [
        log_in(stranger, spellings[number % len(spellings)], "wrong").status_code
        for number, stranger in enumerate(strangers(2 * len(spellings)))
    ]
    assert statuses == [200] * ACCOUNT + [429] * (2 * len(spellings) - ACCOUNT)
    # The right password is not checked either.
    response = log_in(Client(REMOTE_ADDR="198.51.100.1"), name)
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 3600
    assert response["Cache-Control"] == "private, no-store"


def test_addresses_of_one_network_share_a_limit() -> None:
    user("aya")
    statuses = [
        log_in(Client(REMOTE_ADDR=f"2001:db8:1:2::{number:x}"), "aya", "wrong").status_code
        for number in range(LOGIN + 1)
    ]
    assert statuses == [200] * LOGIN + [429]


def test_tries_for_many_accounts_from_one_address_are_limited() -> None:
    stranger = Client(REMOTE_ADDR="192.0.2.1")
    names = [f"name{number}" for number in range(LOGINS + 1)]
    statuses = [log_in(stranger, name, "wrong").status_code for name in names]
    assert statuses == [200] * LOGINS + [429]


def test_tries_for_an_account_are_limited_by_the_day_too(settings: Any) -> None:
    settings.RATES = settings.RATES | {"account": (1000, 3600)}
    user("aya")
    assert attack(DAY + 3) == [200] * DAY + [429] * 3


def test_refused_tries_do_not_count_for_the_account() -> None:
    """A stranger uses up the limit of the address, not of the name."""
    user("aya")
    stranger = Client(REMOTE_ADDR="192.0.2.1")
    statuses = [log_in(stranger, "aya", "wrong").status_code for _ in range(3 * ACCOUNT)]
    assert statuses.count(200) == LOGIN
    assert log_in(Client(REMOTE_ADDR="198.51.100.1")).status_code == 302


def test_owner_logs_in_during_an_attack_in_a_known_browser() -> None:
    user("aya")
    owner = Client(REMOTE_ADDR="198.51.100.1")
    assert log_in(owner).status_code == 302
    owner.post(reverse("account_logout"))
    attack()
    # Strangers at the same address use up its limit too.
    for _ in range(LOGINS + 1):
        log_in(Client(REMOTE_ADDR="198.51.100.1"), "aya", "wrong")
    assert log_in(Client(REMOTE_ADDR="198.51.100.1")).status_code == 429
    assert log_in(owner).status_code == 302


def test_session_is_valid_during_an_attack() -> None:
    browser = session(user("aya"))
    attack()
    assert browser.get(reverse("me")).status_code == 200
    reauthenticate(browser)


@WITH_MAIL
def test_owner_logs_in_during_an_attack_by_the_link_of_a_mail() -> None:
    confirmed("aya", "aya@example.org")
    attack()
    fresh = Client(REMOTE_ADDR="198.51.100.1")
    fresh.post(reverse("account_reset_password"), {"email": "aya@example.org"})
    link = re.search(r"http://testserver(\S+)", str(sent()[-1].body))
    assert link is not None
    form = fresh.get(link[1], follow=True).redirect_chain[-1][0]
    assert fresh.post(form, {"password1": OTHER, "password2": OTHER}).status_code == 302
    assert fresh.get(reverse("me")).status_code == 200
    # The browser is known from then on.
    fresh.post(reverse("account_logout"))
    attack()
    assert log_in(fresh, password=OTHER).status_code == 302


def test_tries_in_a_known_browser_are_limited() -> None:
    user("aya")
    browser = Client()
    log_in(browser)
    browser.post(reverse("account_logout"))
    statuses = [log_in(browser, "aya", "wrong").status_code for _ in range(LOGIN + 2)]
    assert statuses == [200] * LOGIN + [429] * 2


@pytest.mark.parametrize("fault", ["of another", "forged", "old", "before a new password"])
def test_invalid_cookie_does_not_make_a_browser_known(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    aya = user("aya")
    user("ben")
    browser = Client(REMOTE_ADDR="198.51.100.1")
    log_in(browser, "ben" if fault == "of another" else "aya")
    browser.post(reverse("account_logout"))
    if fault == "forged":
        value = browser.cookies[COOKIE].value
        browser.cookies[COOKIE] = value[:-2] + ("AA" if value[-2:] != "AA" else "BB")
    elif fault == "old":
        later = time.time() + AGE + 10
        monkeypatch.setattr("django.core.signing.time.time", lambda: later)
    elif fault == "before a new password":
        aya.set_password(OTHER)
        aya.save()
    attack()
    assert log_in(browser, password=PASSWORD).status_code == 429


def test_malformed_cookie_is_ignored() -> None:
    user("aya")
    for value in ("", "x", "é", "W10:x:y", "\x00", "x" * 5000):
        cache.clear()
        browser = Client()
        browser.cookies[COOKIE] = value
        assert log_in(browser).status_code == 302, value


def test_cookie_opens_no_session_and_is_sent_to_the_log_in_alone() -> None:
    user("aya")
    browser = Client()
    log_in(browser)
    cookie = browser.cookies[COOKIE]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (PATH, True, "Lax")
    del browser.cookies[django_settings.SESSION_COOKIE_NAME]
    assert browser.get(reverse("account")).status_code == 302


@pytest.fixture
def guarded() -> tuple[Client, str]:
    """Return a client of aya, who has a second factor, and the secret of the factor."""
    browser = session(confirmed("aya", "aya@example.org"))
    secret = turn_on(browser)
    cache.clear()
    return browser, secret


def test_codes_for_an_account_from_many_addresses_are_limited(
    guarded: tuple[Client, str],
) -> None:
    _browser, secret = guarded
    statuses = []
    for stranger in strangers(CODES + 2):
        assert log_in(stranger)["Location"] == reverse("mfa_authenticate")
        response = stranger.post(reverse("mfa_authenticate"), {"code": "000000"})
        statuses.append(response.status_code)
    assert statuses == [200] * CODES + [429] * 2
    assert stranger.post(reverse("mfa_authenticate"), {"code": code(secret)}).status_code == 429
    assert stranger.get(reverse("me")).status_code == 302


def test_new_password_gives_new_tries_for_codes(guarded: tuple[Client, str]) -> None:
    """A stranger who knew the old password no longer delays the owner."""
    browser, secret = guarded
    stranger = Client(REMOTE_ADDR="192.0.2.1")
    log_in(stranger)
    for _ in range(CODES + 2):
        response = stranger.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert response.status_code == 429
    form = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    assert browser.post(reverse("account_change_password"), form).status_code == 302
    fresh = Client(REMOTE_ADDR="198.51.100.1")
    log_in(fresh, password=OTHER)
    response = fresh.post(reverse("mfa_authenticate"), {"code": code(secret)})
    assert response["Location"] == reverse("me")


@pytest.mark.parametrize("late", [pytest.param(0, marks=pytest.mark.long_only), 2 * STEP - 1])
def test_code_is_accepted_once(
    guarded: tuple[Client, str], late: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The code is refused a second time while it is still valid."""
    _browser, secret = guarded
    start = time.time() // STEP * STEP
    monkeypatch.setattr(time, "time", lambda: start)
    digits = code(secret, start)
    for at, status in ((start, 302), (start + late, 200)):
        monkeypatch.setattr(time, "time", lambda at=at: at)
        browser = Client()
        assert log_in(browser)["Location"] == reverse("mfa_authenticate")
        response = browser.post(
            reverse("mfa_authenticate"), {"code": f" {digits[:3]} {digits[3:]}"}
        )
        assert response.status_code == status
        assert browser.get(reverse("me")).status_code == (200 if status == 302 else 302)


@WITH_MAIL
def test_password_without_the_second_factor_opens_no_session(guarded: tuple[Client, str]) -> None:
    """Try the link of a mail, and another address than the next."""
    fresh = Client()
    log_in(fresh)
    assert fresh.get(reverse("me")).status_code == 302
    fresh.post(reverse("account_reset_password"), {"email": "aya@example.org"})
    link = re.search(r"http://testserver(\S+)", str(sent()[-1].body))
    assert link is not None
    other_client = Client()
    form = other_client.get(link[1], follow=True).redirect_chain[-1][0]
    response = other_client.post(form, {"password1": OTHER, "password2": OTHER})
    assert response["Location"] == reverse("mfa_authenticate")
    assert other_client.get(reverse("me")).status_code == 302
    assert EmailAddress.objects.get().verified


#: Forms that open no access or require a secret.
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
        for name, pattern, _parameters in patterns(urlpatterns)
        if pattern.lookup_str.startswith(("allauth.", "people.accounts.", "people.views.account"))
        or name == "connect_device"
    }
    assert names == set(LIMITS) | UNLIMITED | PLAIN
