"""Heartbeats of processes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from records.jobs import processes
from records.jobs.processes import GONE, SILENCE, HeartbeatWriter, has_heartbeat, tidy
from records.models import Heartbeat

pytestmark = pytest.mark.django_db


def test_heartbeat_of_a_process_is_one_row_updated_at_intervals() -> None:
    pulse = HeartbeatWriter("worker", "bulk")
    pulse.write()
    first = Heartbeat.objects.get()
    pulse.write()
    assert Heartbeat.objects.get().seen == first.seen, "it was there a moment ago"
    pulse.last = None
    pulse.write()
    again = Heartbeat.objects.get()
    assert again.seen > first.seen and again.started == first.started
    pulse.end()
    assert not Heartbeat.objects.exists()


def test_process_that_was_silent_is_not_heard_and_later_deleted() -> None:
    HeartbeatWriter("worker").write()
    assert (
        has_heartbeat("worker")
        and has_heartbeat("worker", here=True)
        and not has_heartbeat("sweep")
    )
    Heartbeat.objects.update(host="another")
    assert has_heartbeat("worker") and not has_heartbeat("worker", here=True)
    Heartbeat.objects.update(seen=timezone.now() - SILENCE)
    assert not has_heartbeat("worker") and tidy() == 0
    Heartbeat.objects.update(seen=timezone.now() - GONE - timedelta(seconds=1))
    assert tidy() == 1


def test_unavailable_database_does_not_stop_a_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(**_: object) -> None:
        raise OperationalError

    monkeypatch.setattr(Heartbeat.objects, "update_or_create", away)
    monkeypatch.setattr(processes.connections, "close_all", lambda: None)  # SQLite in memory
    HeartbeatWriter("worker").write()
