"""Two-factor authentication: set up, required, lost, removed, and required by the admin."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from hanaarchive.http.security import POLICY
from tests.people.mail import sent
from tests.people.totp import code, turn_on
from tests.people.world import PASSWORD, confirmed, reauthenticate, session, user

pytestmark = pytest.mark.django_db(transaction=True)

OTHER = "another of seven slips"


def enter_password(name: str = "aya") -> Client:
    """Return a browser after the right password, before the code."""
    browser = Client()
    led = browser.post(reverse("account_login"), {"login": name, "password": PASSWORD})
    assert led["Location"] == reverse("mfa_authenticate")
    return browser


def is_accepted(browser: Client, word: str) -> bool:
    """Return whether a code logs a browser in."""
    browser.post(reverse("mfa_authenticate"), {"code": word})
    return browser.get(reverse("me")).status_code == 200


def test_second_factor_is_required_until_it_is_turned_off() -> None:
    here = session(confirmed("aya", "aya@example.org"))
    secret = turn_on(here)
    assert "turned on" in str(sent()[-1].body)
    assert not is_accepted(enter_password(), "000000")
    assert is_accepted(enter_password(), code(secret))
    assert reverse("mfa_deactivate_totp") in here.get(reverse("mfa_index")).content.decode()
    cache.clear()
    assert here.post(reverse("mfa_deactivate_totp")).status_code == 302
    assert not Authenticator.objects.exists()
    assert "turned off" in str(sent()[-1].body)
    fields = {"login": "aya", "password": PASSWORD}
    assert Client().post(reverse("account_login"), fields)["Location"] == reverse("me")


@pytest.mark.parametrize("name", ["mfa_activate_totp", "mfa_deactivate_totp"])
def test_change_of_the_second_factor_requires_the_password(name: str) -> None:
    aya = user("aya")
    secret = turn_on(session(aya)) if name == "mfa_deactivate_totp" else ""
    stolen = session(aya)
    for request in (stolen.get, stolen.post):
        answer = request(reverse(name), {"code": code(secret) if secret else "1"})
        assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert Authenticator.objects.exists() == bool(secret)
    for url_name in ("mfa_view_recovery_codes", "mfa_generate_recovery_codes"):
        assert stolen.get(reverse(url_name)).status_code in (302, 404)
    assert stolen.get(reverse("mfa_download_recovery_codes")).status_code in (302, 404)


def test_qr_code_is_embedded_within_the_content_policy() -> None:
    browser = session(user("aya"))
    reauthenticate(browser)
    page = browser.get(reverse("mfa_activate_totp"))
    assert page["Content-Security-Policy"].startswith(POLICY)
    assert page["Cache-Control"] == "private, no-store"
    body = page.content.decode()
    drawn = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', body)
    assert drawn is not None
    assert b"<svg" in base64.b64decode(drawn[1])
    assert "<script>" not in body and "style=" not in body
    assert page.context["totp_url"].startswith("otpauth://totp/aya?secret=")
    assert "issuer=HanaArchive" in page.context["totp_url"]


def test_sessions_opened_without_a_second_factor_end() -> None:
    aya = user("aya")
    here, elsewhere = session(aya), session(aya)
    assert elsewhere.get(reverse("me")).status_code == 200
    turn_on(here)
    assert here.get(reverse("me")).status_code == 200
    assert elsewhere.get(reverse("me")).status_code == 302


def test_malformed_code_does_not_log_in() -> None:
    turn_on(session(user("aya")))
    browser = enter_password()
    for word in ("", "\0", "１２３４５６", "x" * 4000, "0" * 41):
        cache.clear()
        assert browser.post(reverse("mfa_authenticate"), {"code": word}).status_code == 200, word
        assert browser.get(reverse("me")).status_code == 302, word


def test_admin_requires_a_second_factor(settings: Any) -> None:
    settings.STAFF_MFA = True
    browser = session(user("staff", staff=True))
    for name in ("admin:index", "admin:auth_user_changelist"):
        page = browser.get(reverse(name), follow=True)
        assert page.redirect_chain[-1][0] == reverse("mfa_index")
        assert "requires two-step log-in" in page.content.decode()
    turn_on(browser)
    assert browser.get(reverse("admin:index")).status_code == 200


def test_admin_requires_no_second_factor_by_setting(settings: Any) -> None:
    settings.STAFF_MFA = False
    assert session(user("staff", staff=True)).get(reverse("admin:index")).status_code == 200


def test_staff_without_a_second_factor_is_told_to_turn_it_on() -> None:
    user("staff", staff=True)
    user("aya")
    is_told_by_name = {
        name: "please turn on two-step"
        in Client()
        .post(reverse("account_login"), {"login": name, "password": PASSWORD}, follow=True)
        .content.decode()
        for name in ("staff", "aya")
    }
    assert is_told_by_name == {"staff": True, "aya": False}


def test_admin_shows_no_secret_of_a_second_factor() -> None:
    aya = confirmed("aya", "aya@example.org")
    secret = turn_on(session(aya))
    staff = session(user("staff", staff=True))
    index = staff.get(reverse("admin:index")).content.decode()
    assert "authenticator" not in index.lower() and "usersession" not in index.lower()
    page = staff.get(reverse("admin:auth_user_change", args=[aya.pk])).content.decode()
    assert secret not in page


def act(staff: Client, action: str, row: Any) -> str:
    """Run an action of the list of accounts."""
    fields = {"action": action, "_selected_action": [row.pk]}
    page = staff.post(reverse("admin:auth_user_changelist"), fields, follow=True)
    return str(page.content.decode())


def test_staff_removes_a_lost_second_factor() -> None:
    aya = confirmed("aya", "aya@example.org")
    turn_on(session(aya))
    act(session(user("staff", staff=True)), "remove_second_factor", aya)
    assert not Authenticator.objects.exists()
    assert "turned off" in str(sent()[-1].body)
    assert LogEntry.objects.get().object_id == str(aya.pk)


def test_staff_creates_a_reset_link() -> None:
    aya = user("aya")
    page = act(session(user("staff", staff=True)), "reset_link", aya)
    match = re.search(r"http://testserver(/account/password/reset/key/[^<\s]+/)", page)
    assert match is not None
    assert LogEntry.objects.get().object_id == str(aya.pk)
    assert match[1] not in str(LogEntry.objects.values())
    browser = Client()
    form = browser.get(match[1], follow=True).redirect_chain[-1][0]
    browser.post(form, {"password1": OTHER, "password2": OTHER})
    assert browser.get(reverse("me")).status_code == 200


def test_account_command_removes_a_second_factor(capsys: pytest.CaptureFixture[str]) -> None:
    """The command serves staff, whom nobody else could help."""
    staff = user("staff", staff=True)
    turn_on(session(staff))
    call_command("account", "staff", "--remove-second-factor")
    assert not Authenticator.objects.exists()
    with pytest.raises(CommandError, match="no second factor"):
        call_command("account", "staff", "--remove-second-factor")
    with pytest.raises(CommandError, match="no account 'nobody'"):
        call_command("account", "nobody", "--reset-link")
    call_command("account", "staff", "--reset-link")
    address = capsys.readouterr().out.strip().removeprefix("http://testserver")
    assert Client().get(address)["Location"].endswith("-set-password/")
