"""Registered kinds of jobs, and jobs of a new kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.db import OperationalError
from django.utils import timezone
from django.utils.module_loading import import_string

from records.facts.compaction import MERGE
from records.facts.refresh import FACTS
from records.jobs import executor, kinds, ledger, sweeping
from records.jobs.enqueue import enqueue
from records.jobs.kinds import BACKGROUND, PROCESS, WORK, JobKind
from records.jobs.processes import Runner
from records.models import Job
from records.models.jobs import CHUNK, CLAIM, FILE, VISIBILITY
from records.opendata.publication.job import PUBLISH
from records.opendata.schedule import DUMP
from records.services import removals
from records.services.analyses import ANALYSIS
from records.statistics.ratings import RATINGS
from tests.records.makers import hurry

pytestmark = pytest.mark.django_db

#: Records of the jobs of these tests.
done: list[str] = []


def run(job: Job) -> None:
    """Do one of three steps, each in a separate turn."""
    done.append(job.subject)
    held = ledger.hold(job)
    held.progress += 1
    if held.progress < 3:
        ledger.put_off(held)
    else:
        ledger.finish(held)


def breaks(job: Job) -> None:
    """Fail always."""
    raise ValueError("boom")


def split(job: Job) -> bool:
    """Split a job with several letters in two."""
    middle = len(job.subject) // 2
    if not middle:
        return False
    Job.objects.create(kind=job.kind, subject=job.subject[middle:])
    job.subject = job.subject[:middle]
    job.save()
    return True


def chore() -> None:
    """Record a call by the sweep."""
    done.append("chore")


def broken_chore() -> None:
    """Fail always."""
    raise ValueError("boom")


def away() -> None:
    """Fail for lack of a database."""
    raise OperationalError


@pytest.fixture(autouse=True)
def own() -> Iterator[None]:
    """Register a kind for these tests only."""
    done.clear()
    with patch.dict(kinds._KINDS), patch.object(kinds, "_CHORES", []):
        kinds.register(JobKind("own", "test", f"{__name__}.run"))
        yield


def test_registered_kinds_have_existing_functions() -> None:
    names = {
        FILE,
        CHUNK,
        VISIBILITY,
        CLAIM,
        *removals.KINDS,
        ANALYSIS,
        MERGE,
        RATINGS,
        FACTS,
        DUMP,
        PUBLISH,
    }
    assert set(kinds.names()) == names | {"own"}
    for kind in kinds.kinds():
        for name in filter(None, (kind.run, kind.split, kind.schedule)):
            assert callable(import_string(name)), name
        assert str(kind.label) and kind.seconds > 0


def test_registered_chores_are_callable() -> None:
    from records.apps import CHORES

    for name in (*CHORES, "people.accounts.sessions.tidy"):
        assert callable(import_string(name)), name


def test_package_of_jobs_imports_no_package_above_it() -> None:
    imports = re.compile(r"^\s*(?:from|import) records\.(\w+)", re.MULTILINE)
    rooms: set[str] = set()
    for path in Path(ledger.__file__).parent.glob("*.py"):
        rooms |= set(imports.findall(path.read_text(encoding="utf-8")))
    assert rooms == {"jobs", "models", "base"}


def test_enqueued_job_is_done_in_parts() -> None:
    job = enqueue("own", "a", params={"n": 1})
    assert enqueue("own", "a", params={"n": 2}).pk == job.pk
    for _ in range(3):
        assert executor.run_next()
    assert not executor.run_next()
    job.refresh_from_db()
    assert (job.state, job.progress, job.params, done) == ("done", 3, {"n": 1}, ["a"] * 3)
    again = enqueue("own", "a", params={"n": 3})
    assert (again.pk, again.state, again.progress, again.params) == (job.pk, "waiting", 0, {"n": 3})


def test_subjects_are_served_alternately() -> None:
    with patch.dict(kinds._KINDS, {"own": JobKind("own", "test", f"{__name__}.run", weight=10)}):
        for subject in "abc":
            enqueue("own", subject)
        while executor.run_next():
            pass
    assert done == list("abc" * 3)


def test_job_is_run_from_its_queue_only() -> None:
    for queue in (WORK, BACKGROUND, PROCESS):
        kinds.register(JobKind(queue.name, "test", f"{__name__}.run", queue=queue))
        enqueue(queue.name, queue.name)
    executor.run_next(BACKGROUND)
    assert done == ["background"]
    executor.run_next()
    assert done == ["background", "work"]
    assert Job.objects.get(kind=PROCESS.name).attempts == 0


@pytest.mark.long_only  # test_worker.py splits a chunk down to a game
def test_failing_job_is_split_down_to_its_cause() -> None:
    kinds.register(JobKind("own", "test", f"{__name__}.breaks", split=f"{__name__}.split"))
    enqueue("own", "abc")
    for _ in range(40):
        hurry()
        executor.run_next()
        sweeping.resolve()
    rows = Job.objects.order_by("subject").values_list("subject", "state", "reason")
    assert list(rows) == [(letter, "dead-letter", "ValueError: boom") for letter in "abc"]


def test_failed_job_is_enqueued_again_only_on_request() -> None:
    job = enqueue("own", "a")
    Job.objects.update(state="failed", due_at=timezone.now() + timedelta(hours=1))
    assert enqueue("own", "a").state == "failed"
    assert enqueue("own", "a", again=True).state == "waiting"
    ledger.give_up(job.pk, "by staff")
    assert enqueue("own", "a").state == "dead-letter"
    assert enqueue("own", "a", again=True).state == "waiting"


def test_job_of_an_unknown_kind_waits() -> None:
    Job.objects.create(kind="of a later release", subject="x")
    assert not executor.run_next()
    assert sweeping.resolve() == 0


def test_failing_chore_does_not_stop_others() -> None:
    kinds.register_chores(*(f"{__name__}.{name}" for name in ("broken_chore", "chore", "chore")))
    sweeping.tidy()
    assert done == ["chore"]
    kinds.register_chores(f"{__name__}.away")
    with pytest.raises(OperationalError):
        sweeping.tidy()


def test_process_is_started_for_jobs_of_its_queue_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[Any] = []
    monkeypatch.setattr(Runner, "start", lambda self, job: started.append(job))
    kinds.register(JobKind("own", "test", f"{__name__}.run", queue=PROCESS))
    Job.objects.create(kind="ratings", subject="koikoi")
    runner = Runner()
    runner.step()
    assert started == []
    job = enqueue("own", "a")
    runner.step()
    assert started == [job]
    assert ledger.claim(job.pk)
    runner.step()
    assert started == [job], "another process has it"
