"""Ratings and facts follow the games, regardless of the number of waiting uploads."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.utils import timezone

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.base import clock
from records.jobs import executor, sweeping
from records.jobs.executor import Worker
from records.jobs.kinds import BACKGROUND, kind_of
from records.models import Job, RatedGames
from records.statistics import ratings
from tests.records.facts.naive import find_differences
from tests.records.makers import do_idle, ingest, joined, upload

pytestmark = pytest.mark.django_db

DERIVED = {"ratings"}
GAMES = 3


class Clock:
    """A clock that moves by a fixed time with each job, and the jobs done in each minute."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.passed = 0.0
        self.idle_seconds = 1
        self.done: Counter[tuple[str, int]] = Counter()
        began = timezone.now()
        monkeypatch.setattr(clock, "now", lambda: began + timedelta(seconds=self.passed))
        monkeypatch.setattr(executor, "time", SimpleNamespace(monotonic=lambda: self.passed))
        self.really_do = executor.run_job
        monkeypatch.setattr(executor, "run_job", self.do)

    def do(self, job: Job, **more: Any) -> None:
        """Do an idle job in `idle_seconds`; let another job take six, and wait again."""
        self.done[job.kind, int(self.passed // 60)] += 1
        if kind_of(job.kind).queue is BACKGROUND:
            self.passed += self.idle_seconds
            self.really_do(job, **more)
        else:
            self.passed += 6
            Job.objects.filter(pk=job.pk).update(state=Job.State.WAITING, attempts=0)
            change()


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return an archive of three games with ratings due repeatedly, while an upload waits."""
    cache.clear()
    games = (write(simulate("koikoi", seed=n, options={"months": "1"})) for n in range(GAMES))
    ingest("\n".join(games).encode())
    monkeypatch.setattr(ratings, "WAIT", timedelta(seconds=5))
    upload(b"x")
    return Clock(monkeypatch)


def change() -> None:
    """Make ratings due, as each chunk does."""
    RatedGames.objects.filter(month=0).update(digest="other")


def assert_once_a_minute(jobs_by_minute: Counter[tuple[str, int]], minutes: int) -> None:
    """Check that every derived kind was done in every minute."""
    missing = [(kind, n) for kind in DERIVED for n in range(minutes) if not jobs_by_minute[kind, n]]
    assert not missing


def test_busy_worker_does_each_derived_job_once_a_minute(busy: Clock) -> None:
    active_worker = Worker()
    while busy.passed < 120:
        assert active_worker.step()
    assert_once_a_minute(busy.done, 2)
    uploads = sum(n for (kind, _), n in busy.done.items() if kind == "file")
    assert uploads * 6 >= 120 * 0.8, "uploads have most of the time"


def test_derived_jobs_between_chunks_give_the_same_as_a_rebuild(settings: LazySettings) -> None:
    settings.CHUNK_GAMES = 2
    games = [dated(n) for n in range(4)]
    upload(joined(*games))
    upload(joined(*map(with_other_score, games[:2]), *(dated(n) for n in range(4, 6))))
    while executor.run_next():
        sweeping.schedule()
        for _ in range(3):
            executor.run_next(BACKGROUND)
    do_idle()
    assert find_differences() == []
    assert not list(ratings.differences())


def dated(seed: int) -> str:
    """Return a game of one month with a date in one of three months."""
    text = write(simulate("koikoi", seed=seed, options={"months": "1"}))
    return text.replace("[Rules", f'[Date "2026-0{1 + seed % 3}-01"]\n[Rules', 1)


def with_other_score(game: str) -> str:
    """Return a game with a wrong claim: a duplicate, or a duplicate with another text."""
    return re.sub(r"^score 1 [+\d].*$", "score 1 +98 2 0", game, flags=re.MULTILINE)


def test_worker_of_one_upload_does_no_derived_job(busy: Clock) -> None:
    waiting = Job.objects.get(kind="file", state=Job.State.WAITING).upload
    active_worker = Worker(waiting)
    while busy.passed < 60:
        active_worker.step()
    assert {kind for kind, _ in busy.done} == {"file"}
