"""A process whose clock is hours ahead or behind neither stalls work nor takes it from others."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from records.base import clock
from records.work.heartbeats import HeartbeatWriter
from tests.conftest import Environment, Hana

#: In a process on PostgreSQL. What is written by one whose clock is wrong is judged by another's.
ASK = """
from contextlib import contextmanager
from datetime import timedelta
from unittest.mock import patch
from django.conf import settings
from django.utils import timezone
from records.work import heartbeats as beats
from records.base import clock
from records.intake import resumable as partials
from records.work import sweeping as sweeper
from records.work import tasks
from records.work.ledger import claim, fail, release, take
from records.models import Heartbeat, Job, PartialUpload
from records.intake.receiving import Part
from tests.records.makers import text, upload

right = timezone.now

@contextmanager
def off(hours):
    with patch.object(timezone, "now", lambda: right() + timedelta(hours=hours)):
        yield

def seconds(row):
    row.refresh_from_db()
    return round(((row.lease_until or row.due_at) - clock.now()).total_seconds())

with off(HOURS):
    sent = upload(text(1).encode())
    print("drift", round(clock.drift() / 3600))
job = claim(Job.objects.get().pk)
print("received", job is not None)
with off(HOURS):
    print("in work", take() is None, sweeper.resolve())
release(job)

with off(HOURS):
    job = take()
print("leased", abs(seconds(job) - settings.LEASE_SECONDS) < 60)
with off(HOURS):
    fail(job, "failed")
print("retried", seconds(job) < 60)
Job.objects.update(due_at=clock.now())
with off(HOURS):
    tasks.work()
    tasks.work()
print("done", sent.progress()["state"])

with off(HOURS):
    beats.HeartbeatWriter(Heartbeat.Kind.WORKER).write()
print("heard", beats.heard(Heartbeat.Kind.WORKER))
Heartbeat.objects.all().delete()
beats.HeartbeatWriter(Heartbeat.Kind.WORKER).write()
with off(HOURS):
    print("hears", beats.heard(Heartbeat.Kind.WORKER), beats.tidy())

partial = partials.begin(sender="a", name="x", metadata="", length=5)
PartialUpload.objects.update(expires=clock.now() + timedelta(minutes=30))
with off(HOURS):
    partials.tidy()
    print("kept", partials.find(partial.key) is not None)
"""


@pytest.mark.parametrize("hours", [2, -2])
def test_two_hours_off(hana: Hana, hana_env: Callable[..., Environment], hours: int) -> None:
    env = hana_env(postgres=True)
    said = hana("shell", "--command", ASK.replace("HOURS", str(hours)), env=env).stdout
    lines = dict(line.split(" ", 1) for line in said.splitlines() if " " in line)
    assert lines == lines | {
        "drift": str(hours),
        "received": "True",
        "in": "work True 0",
        "leased": "True",
        "retried": "True",
        "done": "done",
        "heard": "True",
        "hears": "True 0",
        "kept": "True",
    }


@pytest.mark.django_db
@pytest.mark.parametrize(("seconds", "said"), [(7200, "+7200"), (-7200, "-7200"), (20, "")])
def test_readiness_reports_it(monkeypatch: pytest.MonkeyPatch, seconds: int, said: str) -> None:
    HeartbeatWriter("worker").write()
    monkeypatch.setattr(clock, "drift", lambda: float(seconds))
    answer = Client().get("/health/ready")
    assert answer.status_code == (503 if said else 200)
    assert answer.json()["parts"]["clock"] == (f"{said} s off the database's" if said else "ok")
