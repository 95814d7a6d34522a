"""``/health/ready`` says no where work stands still, or nothing can be stored."""

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

from records.models import Job, Line, Upload
from records.operations import health
from records.work.heartbeats import HeartbeatWriter
from records.work.ledger import claim, take
from tests.records.makers import upload

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def worker() -> None:
    """One that was heard from, whatever it does."""
    HeartbeatWriter("worker").write()


def ready() -> tuple[int, list[str]]:
    """The status, and the parts that are not as they should be."""
    answer = Client().get("/health/ready")
    parts = answer.json()["parts"]
    return answer.status_code, [name for name, state in parts.items() if state != "ok"]


def age(seconds: float, **to: Any) -> None:
    """Let all work be due, or its lease be over, for so long."""
    since = timezone.now() - timedelta(seconds=seconds)
    Job.objects.update(due_at=since, lease_until=since, **to)


def test_work_that_nobody_takes(settings: Settings) -> None:
    upload(b"x")
    assert ready() == (200, [])
    age(settings.STUCK_SECONDS - 30)
    assert ready() == (200, [])
    age(settings.STUCK_SECONDS + 30)
    assert ready() == (503, ["work"])
    assert take() is not None
    assert ready() == (200, [])


def test_a_lease_that_ended_and_nobody_took(settings: Settings) -> None:
    assert claim(upload(b"x").files.get().pk)
    assert ready() == (200, [])
    age(settings.STUCK_SECONDS - 30)
    assert ready() == (200, [])
    age(settings.STUCK_SECONDS + 30)
    assert ready() == (503, ["work"])
    # Though others work: it is the first one's turn.
    Line.objects.update_or_create(name=Line.CLAIMED, defaults={"at": timezone.now()})
    assert ready() == (503, ["work"])


def test_work_that_waits_because_there_is_much(settings: Settings) -> None:
    """Hours, while rows of it are taken all the time, or a long one is at work."""
    for _ in range(3):
        upload(b"x")
    age(3 * 3600)
    first = take()
    assert first is not None
    assert ready() == (200, [])
    long_ago = timezone.now() - timedelta(seconds=settings.STUCK_SECONDS + 30)
    Line.objects.filter(name=Line.CLAIMED).update(at=long_ago)
    assert ready() == (200, []), "a lease that holds"
    Job.objects.filter(state="leased").update(state="done")
    assert ready() == (503, ["work"])


def test_what_was_given_up_or_waits_for_its_time_is_not_stuck() -> None:
    upload(b"x")
    age(3 * 3600, state="dead-letter")
    assert ready() == (200, [])
    age(-3600, state="waiting")
    assert ready() == (200, [])


@pytest.mark.parametrize("which", range(4))
def test_a_disk_without_room(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, which: int
) -> None:
    """Each directory may be a disk of its own."""
    for directory in health.directories():
        directory.mkdir(parents=True, exist_ok=True)
    full = list(health.directories())[which]
    usage = shutil.disk_usage
    least = settings.FREE_BYTES

    def asked(path: Path) -> Any:
        found = usage(path)
        return SimpleNamespace(total=found.total, free=least - (path == full))

    monkeypatch.setattr(shutil, "disk_usage", asked)
    assert ready() == (503, ["storage"])
    settings.FREE_BYTES -= 1
    assert ready() == (200, [])


def test_a_disk_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert ready() == (503, ["storage"])


def test_nothing_of_it_is_a_secret() -> None:
    upload(b"x")
    age(3 * 3600)
    text = Client().get("/health/ready").content.decode()
    assert Upload.objects.get().key not in text
