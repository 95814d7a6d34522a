"""With a locked database or a full disk, responses are 503, and no data is lost."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore
from django.db import InterfaceError, OperationalError
from django.test import Client
from django.urls import reverse

from records.base.transient import RETRY_AFTER
from records.search import games
from tests.conftest import Environment, Hana
from tests.people.world import PASSWORD, session, user

#: Writes the results of requests to an archive on a database file, by fault.
SCRIPT = """
import json, sqlite3
from contextlib import contextmanager
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import OperationalError, connection
from django.test import Client
from people.tokens import create_token
from records.models import Upload
from tests.people.world import PASSWORD, user
from tests.records.makers import text

settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # 0.3 s less each
browser = Client(raise_request_exception=False)
owner = user("owner")
token = {"Authorization": "Bearer " + create_token(owner=owner, name="t", scopes=["upload"])[1]}
connection.cursor().execute("PRAGMA busy_timeout = 100")

@contextmanager
def locked():
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()

@contextmanager
def full():
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
    yield
    connection.cursor().execute("PRAGMA max_page_count = 1000000")

def register(name):
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    return Client(raise_request_exception=False).post("/account/signup/", form)

def has_account(name):
    return get_user_model().objects.filter(username=name).exists()

def send(headers):
    body = text(1) + "; a comment of many pages" * 2000
    return browser.post("/api/v1/uploads", body, content_type="text/x-kafu", headers=headers)

results = {}
for fault in (locked, full):
    with fault():
        # A full disk still has room in the pages that it has: names as long as permitted fill them.
        for number in range(3000):
            name = f"{fault.__name__}{number}".ljust(150, "x")
            try:
                get_user_model().objects.create(username=name, password="x" * 100)
            except OperationalError:
                break
        page = register(name)
        had_account = has_account(name)
        for number in range(3000):
            problem = send(token)
            if problem.status_code != 202:
                break
        count = Upload.objects.count()
    results[fault.__name__] = {
        "page": [page.status_code, page.get("Retry-After"), page.get("Cache-Control")],
        "says so": "Nothing is lost" in page.content.decode(),
        "account": had_account,
        "api": [problem.status_code, problem.get("Retry-After"), problem["Content-Type"]],
        "code": problem.json()["code"],
        "afterwards": [register(name).status_code, has_account(name), send(token).status_code],
        "uploads": Upload.objects.count() - count,
    }
(settings.VAR_DIR / "results.json").write_text(json.dumps(results))
"""


def test_locked_database_or_full_disk_is_503_and_stores_nothing(
    hana: Hana, hana_env: Callable[..., Environment]
) -> None:
    rates = ",".join(f"{name}=100000/60" for name in ("register", "uploads", "read"))
    env = hana_env(ALLOWED_HOSTS="testserver", HANA_RATES=rates)
    hana("shell", "--command", SCRIPT, env=env)
    results = json.loads((Path(env["HANA_VAR"]) / "results.json").read_text())
    expected = {
        "page": [503, str(RETRY_AFTER), "private, no-store"],
        "says so": True,
        "account": False,
        "api": [503, str(RETRY_AFTER), "application/problem+json"],
        "code": "unavailable",
        "afterwards": [302, True, 202],
        "uploads": 1,
    }
    assert results == {"locked": expected, "full": expected}


TRANSIENT = [
    OperationalError("the connection is lost"),
    InterfaceError("connection already closed"),
    OSError(errno.ENOSPC, "No space left on device"),
    OSError(errno.EDQUOT, "Disk quota exceeded"),
]


@pytest.mark.django_db
@pytest.mark.parametrize("error", TRANSIENT, ids=repr)
def test_transient_error_of_a_page_is_503_in_the_reader_s_language(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(games, "figures", fail)
    response = Client().get("/", headers={"Accept-Language": "ja"})
    assert (response.status_code, response["Retry-After"]) == (503, str(RETRY_AFTER))
    assert "ただいま利用できません" in response.content.decode()
    assert "No space" not in response.content.decode()


@pytest.mark.django_db
def test_other_error_of_a_page_is_500(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError(errno.ENOENT, "its bytes are gone")

    monkeypatch.setattr(games, "figures", fail)
    response = Client(raise_request_exception=False).get("/")
    assert response.status_code == 500
    assert "Retry-After" not in response


@pytest.mark.django_db
def test_session_that_cannot_be_saved_is_503(monkeypatch: pytest.MonkeyPatch) -> None:
    """Middleware saves the session after the view has ended."""
    user("aya")

    def fail(*_: Any, **__: Any) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(SessionStore, "save", fail)
    form = {"login": "aya", "password": PASSWORD}
    response = Client(raise_request_exception=False).post(reverse("account_login"), form)
    assert (response.status_code, response["Retry-After"]) == (503, str(RETRY_AFTER))


@pytest.mark.django_db
def test_session_that_was_ended_meanwhile_is_no_503(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_update_error(*_: Any, **__: Any) -> None:
        raise UpdateError

    browser = session(user("aya"))
    monkeypatch.setattr(SessionStore, "save", raise_update_error)
    response = browser.post(reverse("change_games"))  # leaves a message
    assert response.status_code in (302, 400)
    assert "Retry-After" not in response
