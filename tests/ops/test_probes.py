"""Health and metrics as addresses: reported values, and access to them."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.utils import load_backend
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from records.jobs.processes import HeartbeatWriter
from records.models import FactPart, Job
from records.operations import health
from tests.services import free_port

#: A prober knows the address of a machine, not the archive's name.
PROBER = {"Host": "10.0.0.1"}


def test_liveness_needs_neither_database_nor_host_name_nor_https() -> None:
    """The test has no database, and sends neither our host name nor HTTPS."""
    response = Client().get("/health/live", headers=PROBER)
    assert (response.status_code, response.json()) == (200, {"status": "live"})
    assert response["Cache-Control"] == "no-store"


def test_liveness_is_not_redirected_to_https(settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get("/health/live", headers=PROBER).status_code == 200
    assert Client().get("/games/").status_code == 301


def test_readiness_reports_missing_parts(db: None) -> None:
    parts = {"storage": "ok", "database": "ok", "clock": "ok", "migrations": "ok", "work": "ok"}
    parts["facts"] = "ok"
    response = Client().get("/health/ready", headers=PROBER)
    assert response.status_code == 503
    assert response.json() == {"status": "not ready", "parts": {**parts, "worker": "away"}}
    HeartbeatWriter("worker").write()
    response = Client().get("/health/ready")
    assert response.status_code == 200
    assert response.json() == {"status": "ready", "parts": {**parts, "worker": "ok"}}


def test_unavailable_broker_is_not_ready(db: None, settings: Settings) -> None:
    HeartbeatWriter("worker").write()
    HeartbeatWriter("sweep").write()
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    response = Client().get("/health/ready")
    assert response.status_code == 503
    assert response.json()["parts"]["broker"] == "away"
    assert response.json()["parts"]["sweep"] == "ok"


@pytest.fixture
def silent_postgres(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the probes use a PostgreSQL that accepts connections and does not respond."""
    backend = load_backend("django.db.backends.postgresql")
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = {"HOST": "127.0.0.1", "PORT": server.getsockname()[1], "NAME": "hana"}
        database = backend.DatabaseWrapper({**connection.settings_dict, **address, "OPTIONS": {}})
        monkeypatch.setattr(health, "connection", database)
        yield


def test_database_that_does_not_respond_is_away_after_the_timeout(silent_postgres: None) -> None:
    began = time.monotonic()
    response = Client().get("/health/ready")
    assert response.json()["parts"] == {"storage": "ok", "database": "away"}
    assert time.monotonic() - began < 60, "a probe without a timeout would wait for minutes"
    assert "hana_database_up 0.0" in Client().get("/metrics").content.decode()


def test_facts_that_nobody_writes_are_behind(db: None) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    job = Job.objects.create(kind="facts", subject="0", created=long_ago)
    assert health.parts()["facts"] == "behind"
    part = FactPart.objects.create(
        ruleset="koikoi", name="a", engine="1", form=1, games=1, first_game=1, last_game=1
    )
    assert health.parts()["facts"] == "ok", "some were written lately"
    part.delete()
    Job.objects.filter(pk=job.pk).update(state="done")
    assert health.parts()["facts"] == "ok"


def test_unavailable_database_is_not_ready_and_shows_no_detail(
    monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    def away() -> None:
        raise OperationalError("password of hana at 10.0.0.2")

    with monkeypatch.context() as patch:
        patch.setattr(connection, "ensure_connection", away)
        response = Client().get("/health/ready")
    assert response.status_code == 503
    assert response.json()["parts"] == {"storage": "ok", "database": "away"}
    assert b"password" not in response.content


def test_unapplied_migrations_are_reported(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    monkeypatch.setattr(health._Memory, "migrated", False)
    monkeypatch.setattr(
        "django.db.migrations.executor.MigrationExecutor.migration_plan", lambda *_: ["one"]
    )
    assert Client().get("/health/ready").json()["parts"]["migrations"] == "not applied"


def test_probe_by_post_is_refused() -> None:
    response = Client().post("/health/live")
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    ("token", "production", "authorization", "status"),
    [
        ("", False, "", 200),
        ("", True, "", 404),
        ("secret", True, "", 401),
        ("secret", True, "Bearer wrong", 401),
        ("secret", True, "Bearer säcret", 401),
        ("secret", True, "secret", 401),
        ("secret", True, "Bearer secret", 200),
        ("secret", False, "", 401),
    ],
)
def test_metrics_are_shown_to_holders_of_the_token_only(
    db: None, settings: Settings, token: str, production: bool, authorization: str, status: int
) -> None:
    settings.METRICS_TOKEN, settings.PRODUCTION = token, production
    response = Client().get("/metrics", headers={"Authorization": authorization})
    assert response.status_code == status
    assert (b"hana_" in response.content) == (status == 200)
    assert ("WWW-Authenticate" in response) == (status == 401)


def test_health_command_fails_and_names_what_is_away(
    db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CommandError):
        call_command("health", "--here", "worker")
    HeartbeatWriter("worker").write()
    call_command("health", "--here", "worker")
    call_command("health")
    assert capsys.readouterr().out.startswith("worker: away\nworker: ok\nstorage: ok\n")
