"""The user's sessions: description, and end on the server."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people import signals
from people.accounts import lifecycle
from people.accounts.sessions import describe_browser
from people.views import me
from tests.people.world import PASSWORD, session, user

pytestmark = pytest.mark.django_db

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)


def log_in(**options: Any) -> Client:
    """Return a browser in which aya has logged in."""
    browser = Client(**options)
    fields = {"login": "aya", "password": PASSWORD}
    assert browser.post(reverse("account_login"), fields).status_code == 302
    return browser


def is_logged_in(browser: Client) -> bool:
    """Return whether a browser is logged in."""
    return browser.get(reverse("me")).status_code == 200


def test_session_is_described_by_browser_and_network() -> None:
    user("aya")
    here = log_in(REMOTE_ADDR="203.0.113.77", headers={"User-Agent": FIREFOX})
    log_in(REMOTE_ADDR="2001:db8:1:2:3:4:5:6", headers={"User-Agent": PHONE})
    page = here.get(reverse("usersessions_list")).content.decode()
    assert "Firefox, Linux" in page and "Safari, iPhone" in page
    assert "203.0.113.…" in page and "2001:db8:1:…" in page
    assert set(UserSession.objects.values_list("ip", flat=True)) == {"203.0.113.0", "2001:db8:1::"}
    assert page.count("this browser") == 1


@pytest.mark.parametrize(
    ("agent", "description"),
    [
        (FIREFOX, "Firefox, Linux"),
        (PHONE, "Safari, iPhone"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge, Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/140.0 Mobile Safari/537.36",
            "Chrome, Android",
        ),
        ("curl/8.0", "another program"),
        ("", "another program"),
    ],
)
def test_user_agent_is_described_by_browser_and_system(agent: str, description: str) -> None:
    assert describe_browser(agent) == description


def test_one_or_all_other_sessions_are_ended() -> None:
    user("aya")
    here, second, third = log_in(), log_in(), log_in()
    row = UserSession.objects.get(session_key=second.session.session_key)
    assert here.post(reverse("end_session", args=[row.pk])).status_code == 302
    assert (is_logged_in(here), is_logged_in(second), is_logged_in(third)) == (True, False, True)
    fourth = log_in()
    here.post(reverse("usersessions_list"))
    assert (is_logged_in(here), is_logged_in(third), is_logged_in(fourth)) == (True, False, False)
    assert UserSession.objects.count() == 1


def test_ending_the_current_session_logs_out() -> None:
    user("aya")
    here = log_in()
    row = UserSession.objects.get()
    assert here.post(reverse("end_session", args=[row.pk]))["Location"] == reverse("home")
    assert not is_logged_in(here)


def test_ended_session_is_not_saved_again_by_a_running_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A running request that ends after the session does not save the session again."""
    aya = user("aya")
    here = log_in()
    key = here.cookies[settings.SESSION_COOKIE_NAME].value

    def ended_meanwhile(*arguments: Any, **options: Any) -> Any:
        lifecycle.end_sessions(aya)
        arguments[0].session["x"] = 1
        return real(*arguments, **options)

    real = me.render
    monkeypatch.setattr(me, "render", ended_meanwhile)
    assert here.get(reverse("my_names")).status_code == 400
    monkeypatch.undo()
    here.cookies[settings.SESSION_COOKIE_NAME] = key
    assert not is_logged_in(here)


def test_sessions_of_a_former_password_are_not_listed() -> None:
    user("aya")
    here = log_in()
    log_in()
    new = "another of seven slips"
    fields = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert here.post(reverse("account_change_password"), fields).status_code == 302
    assert here.get(reverse("usersessions_list")).context["session_count"] == 1


def test_session_opened_elsewhere_is_listed_once_it_is_seen() -> None:
    browser = session(user("aya"))
    assert is_logged_in(browser)
    assert UserSession.objects.count() == 1


def test_last_time_of_a_session_is_stored_at_intervals() -> None:
    user("aya")
    here = log_in()
    old = timezone.now() - timedelta(days=1)
    UserSession.objects.update(last_seen_at=old)
    cache.clear()
    assert is_logged_in(here)
    last_seen = UserSession.objects.get().last_seen_at
    assert last_seen > old
    assert is_logged_in(here)
    assert UserSession.objects.get().last_seen_at == last_seen
    cache.clear()
    assert is_logged_in(here)
    assert UserSession.objects.get().last_seen_at > last_seen


def test_page_is_shown_while_the_session_cannot_be_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    browser = session(user("aya"))

    def locked(*_: Any) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(type(UserSession.objects), "create_from_request", locked)
    assert is_logged_in(browser)


def test_oldest_session_over_the_limit_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signals, "MAX_SESSIONS", 2)
    user("aya")
    browsers = [log_in() for _ in range(3)]
    assert [is_logged_in(browser) for browser in browsers] == [False, True, True]


def test_sessions_of_a_closed_account_are_ended() -> None:
    aya = user("aya")
    here = log_in()
    lifecycle.close(aya, withdraw=False)
    assert not UserSession.objects.exists()
    assert not is_logged_in(here)
