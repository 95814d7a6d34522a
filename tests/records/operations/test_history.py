"""A database that this version cannot migrate is refused with advice, not with a traceback."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from records.operations import health
from records.operations.history import refuse_unknown

pytestmark = pytest.mark.django_db


def record_applied(*names: str) -> None:
    """Record migrations (``records.0099_later``) as applied."""
    for name in names:
        MigrationRecorder(connection).record_applied(*name.split(".", 1))


def refusal() -> str:
    """Return the message with which `migrate` refuses the database."""
    with pytest.raises(CommandError) as error:
        call_command("migrate", verbosity=0)
    return str(error.value)


def test_database_of_this_version_is_migrated() -> None:
    call_command("migrate", verbosity=0)


@pytest.mark.parametrize("has_account", [True, False])
def test_newer_database_is_refused_without_advice_to_empty_it(has_account: bool) -> None:
    if has_account:
        get_user_model().objects.create_user("owner")
    record_applied("records.0099_later", "people.0098_later")
    message = refusal()
    assert "newer than this program" in message and "Rolling back" in message
    assert "people.0098_later, records.0099_later" in message
    assert "empty" not in message and "rebuild" not in message


def test_newer_database_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health._Memory, "migrated", False)
    record_applied("people.0098_later")
    response = Client().get("/health/ready")
    assert response.status_code == 503
    assert response.json()["parts"]["migrations"] == "newer than this program"


def test_serve_names_the_unknown_migrations_of_a_newer_database() -> None:
    record_applied("records.0099_later")
    with pytest.raises(CommandError, match=r"records\.0099_later"):
        call_command("serve", "--port=0")


@pytest.mark.parametrize(
    ("command", "next_name"),
    [
        ("worker", "HeartbeatWriter"),
        ("sweep", "Event"),
        ("web", "listen"),
    ],
)
def test_process_warns_at_its_start_that_the_database_is_newer(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    command: str,
    next_name: str,
) -> None:
    record_applied("records.0099_later")
    module = importlib.import_module(f"hanaarchive.management.commands.{command}")
    monkeypatch.setattr(module, next_name, _stop)
    with pytest.raises(_Stopped):
        call_command(command)
    assert "newer than this program" in caplog.text and "records.0099_later" in caplog.text


class _Stopped(Exception):
    """The process was about to run."""


def _stop(*_arguments: object) -> None:
    raise _Stopped


def test_empty_database_of_before_the_release_may_be_replaced() -> None:
    record_applied("records.0002_listings", "records.0019_turns")
    message = refusal()
    assert "before the first release" in message and "make an empty one" in message


def test_used_database_of_before_the_release_is_kept() -> None:
    get_user_model().objects.create_user("owner")
    record_applied("records.0002_listings", "records.0019_turns")
    message = refusal()
    assert "before the first release" in message and "keep it" in message
    assert "empty" not in message


def test_unknown_migrations_of_other_applications_do_not_matter() -> None:
    record_applied("another.0001_initial")
    refuse_unknown(apps.get_app_config("records"), "default")
