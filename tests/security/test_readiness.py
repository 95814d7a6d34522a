"""``/health/ready`` is 503 if jobs stall, the clock is wrong, or nothing can be stored."""

from __future__ import annotations

import os
import shutil
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from records.base import clock
from records.jobs.ledger import claim, take
from records.jobs.processes import HeartbeatWriter
from records.models import Job, Line, Upload
from records.operations import health
from tests.records.makers import upload

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def worker() -> None:
    """Write the heartbeat of a worker."""
    HeartbeatWriter("worker").write()


def ready() -> tuple[int, list[str]]:
    """Return the status, and the names of the parts that are not ok."""
    response = Client().get("/health/ready")
    parts = response.json()["parts"]
    return response.status_code, [name for name, state in parts.items() if state != "ok"]


def age(seconds: float, **fields: Any) -> None:
    """Let all jobs be due, and all leases be over, for some seconds."""
    since = timezone.now() - timedelta(seconds=seconds)
    Job.objects.update(due_at=since, lease_until=since, **fields)


def test_due_job_that_nobody_takes_is_reported(settings: Settings) -> None:
    upload(b"x")
    assert ready() == (200, [])
    age(settings.STUCK_SECONDS - 30)
    assert ready() == (200, [])
    age(settings.STUCK_SECONDS + 30)
    assert ready() == (503, ["work"])
    assert take() is not None
    assert ready() == (200, [])


def test_ended_lease_that_nobody_takes_is_reported(settings: Settings) -> None:
    assert claim(upload(b"x").files.get().pk)
    assert ready() == (200, [])
    age(settings.STUCK_SECONDS - 30)
    assert ready() == (200, [])
    age(settings.STUCK_SECONDS + 30)
    assert ready() == (503, ["work"])
    # The workers claim jobs, but this job is first in line.
    Line.objects.update_or_create(name=Line.CLAIMED, defaults={"at": timezone.now()})
    assert ready() == (503, ["work"])


def test_long_queue_is_ready_while_jobs_are_claimed_or_leased(settings: Settings) -> None:
    for _ in range(3):
        upload(b"x")
    age(3 * 3600)
    assert take() is not None
    assert ready() == (200, [])
    long_ago = timezone.now() - timedelta(seconds=settings.STUCK_SECONDS + 30)
    Line.objects.filter(name=Line.CLAIMED).update(at=long_ago)
    assert ready() == (200, []), "a lease is valid"
    Job.objects.filter(state="leased").update(state="done")
    assert ready() == (503, ["work"])


def test_dead_letter_or_job_before_its_time_is_not_stuck() -> None:
    upload(b"x")
    age(3 * 3600, state="dead-letter")
    assert ready() == (200, [])
    age(-3600, state="waiting")
    assert ready() == (200, [])


@pytest.mark.parametrize("number", range(4))
def test_disk_without_room_is_reported(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Each directory may be on a separate disk."""
    for directory in health.directories():
        directory.mkdir(parents=True, exist_ok=True)
    full = list(health.directories())[number]
    usage = shutil.disk_usage
    least = settings.FREE_BYTES

    def fake_usage(path: Path) -> Any:
        return SimpleNamespace(total=usage(path).total, free=least - (path == full))

    monkeypatch.setattr(shutil, "disk_usage", fake_usage)
    assert ready() == (503, ["storage"])
    settings.FREE_BYTES -= 1
    assert ready() == (200, [])


def test_directory_without_write_permission_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert ready() == (503, ["storage"])


def test_response_has_no_key_of_an_upload() -> None:
    upload(b"x")
    age(3 * 3600)
    text = Client().get("/health/ready").content.decode()
    assert Upload.objects.get().key not in text


@pytest.mark.parametrize(("seconds", "shown"), [(7200, "+7200"), (-7200, "-7200"), (20, "")])
def test_clock_off_the_database_s_is_reported(
    monkeypatch: pytest.MonkeyPatch, seconds: int, shown: str
) -> None:
    monkeypatch.setattr(clock, "drift", lambda: float(seconds))
    response = Client().get("/health/ready")
    assert response.status_code == (503 if shown else 200)
    state = f"{shown} s off the database's" if shown else "ok"
    assert response.json()["parts"]["clock"] == state
