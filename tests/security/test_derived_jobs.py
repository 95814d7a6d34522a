"""Ratings, sums, situations and insights follow the games however many uploads wait."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.db.models import Sum
from django.test import Client
from django.utils import timezone

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.base import clock
from records.explorer import following as situations
from records.insights import following as insights
from records.models import Job, Rollup, SituationPart
from records.operations import totals_check
from records.totals import compaction, ratings
from records.work import sweeping, tasks, worker
from records.work.kinds import Lane, kind_of
from records.work.worker import Worker
from tests.records.makers import do_idle, ingest, joined, upload

pytestmark = pytest.mark.django_db

DERIVED = {"ratings", "compaction", "situations", "insights"}
GAMES = 12


class Clock:
    """A clock that stands still while nothing moves it, and the jobs done by it, by minute."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.passed = 0.0
        self.done: Counter[tuple[str, int]] = Counter()
        began = timezone.now()
        monkeypatch.setattr(clock, "now", lambda: began + timedelta(seconds=self.passed))
        for module in (worker, sweeping):
            monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: self.passed))
        self.really_do = tasks.do
        monkeypatch.setattr(tasks, "do", self.do)

    def do(self, job: Job, **more: Any) -> None:
        """Do a job: an idle one takes a second, another one six, and it waits then as before."""
        self.done[job.kind, int(self.passed // 60)] += 1
        if kind_of(job.kind).lane is Lane.IDLE:
            self.passed += 1
            self.really_do(job, **more)
        else:
            self.passed += 6
            Job.objects.filter(pk=job.pk).update(state=Job.State.WAITING, attempts=0)
            change()


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """An archive of which every derived job is behind, one game a turn, and an upload waits."""
    cache.clear()
    games = (write(simulate("koikoi", seed=n, options={"months": "1"})) for n in range(GAMES))
    ingest("\n".join(games).encode())
    for module in (situations, insights):
        monkeypatch.setattr(module, "BATCH", 1)
    upload(b"x")
    return Clock(monkeypatch)


def change() -> None:
    """Change sums and ratings, as each chunk does."""
    Rollup.objects.update(changed=clock.now())
    ratings.changed({"koikoi": 202001})


def assert_once_a_minute(done: Counter[tuple[str, int]], minutes: int) -> None:
    """Check that every derived kind was done in every minute."""
    missing = [(kind, n) for kind in DERIVED for n in range(minutes) if not done[kind, n]]
    assert not missing


def test_busy_worker_does_each_derived_job_once_a_minute(busy: Clock) -> None:
    running = Worker()
    while busy.passed < 180:
        assert running.step()
    assert_once_a_minute(busy.done, 3)
    uploads = sum(n for (kind, _), n in busy.done.items() if kind == "file")
    assert uploads * 6 >= 180 * 0.8, "uploads have most of the time"


def test_sweep_does_each_derived_job_once_a_minute(busy: Clock) -> None:
    while busy.passed < 120:
        sweeping.sweep()
        busy.passed += 10
        change()
    assert_once_a_minute(busy.done, 2)


def test_derived_jobs_between_chunks_give_the_same_as_a_rebuild(
    monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    settings.CHUNK_GAMES = 2
    monkeypatch.setattr(compaction, "FEW", 1)
    for module in (situations, insights):
        monkeypatch.setattr(module, "BATCH", 3)
    games = [dated(n) for n in range(4)]
    upload(joined(*games))
    upload(joined(*map(with_other_score, games[:2]), *(dated(n) for n in range(4, 6))))
    while tasks.do_next():
        sweeping.schedule()
        for _ in range(3):
            tasks.do_next(Lane.IDLE)
    do_idle()
    do_idle()
    assert situations.is_complete() and insights.is_complete()
    assert not list(totals_check.differences())
    assert not list(ratings.differences())
    followed = shelves(), counted()
    monkeypatch.setattr(situations, "VERSION", "another")
    monkeypatch.setattr(insights, "VERSION", "another")
    do_idle()
    do_idle()
    assert (shelves(), counted()) == followed


def dated(seed: int) -> str:
    """A game of one month, played in one of three months of the calendar."""
    text = write(simulate("koikoi", seed=seed, options={"months": "1"}))
    return text.replace("[Rules", f'[Date "2026-0{1 + seed % 3}-01"]\n[Rules', 1)


def with_other_score(game: str) -> str:
    """The same game with a wrong claim: it is in the archive already, or its text changes."""
    return re.sub(r"^score 1 [+\d].*$", "score 1 +98 2 0", game, flags=re.MULTILINE)


def shelves() -> list[tuple[int, int]]:
    """How many places of situations each shelf of the index has."""
    rows = SituationPart.objects.values_list("shelf").annotate(Sum("size"))
    return sorted(rows)


def counted() -> list[Any]:
    """What insights tell of deals by player and by their rating."""
    rows = []
    for by in ("month", "rating"):
        query = f"ruleset=koikoi&metric=score&by={by}"
        rows.append(Client().get(f"/api/v1/statistics/insights?{query}").json()["rows"])
    return rows


def test_busy_worker_of_one_upload_does_nothing_else(busy: Clock) -> None:
    waiting = Job.objects.get(kind="file", state=Job.State.WAITING).upload
    running = Worker(waiting)
    while busy.passed < 120:
        running.step()
    assert {kind for kind, _ in busy.done} == {"file"}
