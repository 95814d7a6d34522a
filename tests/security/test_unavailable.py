"""A locked database and a full disk: 503 with Retry-After, and nothing is lost."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore
from django.db import InterfaceError, OperationalError
from django.test import Client
from django.urls import reverse

from records.base.transient import RETRY_AFTER
from records.search import front_page
from tests.conftest import Environment, Hana
from tests.people.world import PASSWORD, session, user

#: What is asked of a database on disk, in a process of its own: its tables are not the tests'.
ASK = """
import sqlite3
from contextlib import contextmanager
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from people.tokens import make
from records.models import Upload
from tests.people.world import PASSWORD, user
from tests.records.makers import text

browser = Client(raise_request_exception=False)
owner = user("owner")
token = {"Authorization": "Bearer " + make(owner=owner, name="t", scopes=["upload"])[1]}
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
    said = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    return Client(raise_request_exception=False).post("/account/signup/", said)

def known(name):
    return get_user_model().objects.filter(username=name).exists()

def send(n, headers):
    body = "\\n".join(text(seed) for seed in range(n, n + 3))
    return browser.post("/api/v1/uploads", body, content_type="text/x-kafu", headers=headers)

with FAULT():
    # A full disk still has room in the pages that it has.
    for number in range(3000):
        answer = register(f"aya{number}")
        if answer.status_code != 302:
            break
    name = f"aya{number}"
    print("page", answer.status_code, answer.get("Retry-After"), answer.get("Cache-Control"))
    print("said", "Nothing is lost" in answer.content.decode(), known(name))
    for number in range(3000):
        answer = send(3 * number, token)
        if answer.status_code != 202:
            break
    said, kind = answer.json(), answer["Content-Type"]
    print("api", answer.status_code, answer.get("Retry-After"), said["code"], kind)
    count = Upload.objects.count()
print("again", register(name).status_code, known(name), send(1, token).status_code)
print("more", Upload.objects.count() - count)
"""


@pytest.mark.parametrize("fault", ["locked", "full"])
def test_it_happens(hana: Hana, hana_env: Callable[..., Environment], fault: str) -> None:
    rates = ",".join(f"{name}=100000/60" for name in ("register", "uploads", "read"))
    env = hana_env(ALLOWED_HOSTS="testserver", HANA_RATES=rates)
    said = hana("shell", "--command", ASK.replace("FAULT", fault), env=env).stdout
    lines = dict(line.split(" ", 1) for line in said.splitlines() if " " in line)
    assert lines["page"] == f"503 {RETRY_AFTER} private, no-store"
    assert lines["said"] == "True False"
    assert lines["api"] == f"503 {RETRY_AFTER} unavailable application/problem+json"
    assert lines["again"] == "302 True 202"
    assert lines["more"] == "1"


TRANSIENT = [
    OperationalError("the connection is lost"),
    InterfaceError("connection already closed"),
    OSError(errno.ENOSPC, "No space left on device"),
    OSError(errno.EDQUOT, "Disk quota exceeded"),
]


@pytest.mark.django_db
@pytest.mark.parametrize("error", TRANSIENT, ids=repr)
def test_a_page_in_the_reader_s_language(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(front_page, "figures", fail)
    answer = Client().get("/", headers={"Accept-Language": "ja"})
    assert (answer.status_code, answer["Retry-After"]) == (503, str(RETRY_AFTER))
    assert "ただいま利用できません" in answer.content.decode()
    assert "No space" not in answer.content.decode()


@pytest.mark.django_db
def test_other_errors_are_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError(errno.ENOENT, "its bytes are gone")

    monkeypatch.setattr(front_page, "figures", fail)
    answer = Client(raise_request_exception=False).get("/")
    assert answer.status_code == 500
    assert "Retry-After" not in answer


@pytest.mark.django_db
def test_a_session_that_cannot_be_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is saved after the view has ended, by middleware."""
    user("aya")

    def fail(*_: Any, **__: Any) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(SessionStore, "save", fail)
    said = {"login": "aya", "password": PASSWORD}
    answer = Client(raise_request_exception=False).post(reverse("account_login"), said)
    assert (answer.status_code, answer["Retry-After"]) == (503, str(RETRY_AFTER))


@pytest.mark.django_db
def test_a_session_that_was_ended_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: Any, **__: Any) -> None:
        raise UpdateError

    browser = session(user("aya"))
    monkeypatch.setattr(SessionStore, "save", gone)
    answer = browser.post(reverse("change_games"))  # leaves a message
    assert answer.status_code in (302, 400)
    assert "Retry-After" not in answer
