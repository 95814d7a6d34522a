"""Every transition of a job: alone, in any order, and by many workers at the same time."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.utils import timezone
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from lengths import LONG, examples
from records.jobs import holders, ledger, sweeping, wakeups
from records.jobs.kinds import MAX_ATTEMPTS
from records.jobs.ledger import LeaseLost, claim, fail, finish, heartbeat, hold
from records.jobs.sweeping import resolve
from records.models import Job
from tests.conftest import Environment, Hana

pytestmark = pytest.mark.django_db


@pytest.fixture
def job() -> Job:
    """Return a job of a kind with a limited number of attempts."""
    return Job.objects.create(kind="visibility", subject="a")


def expire(job: Job) -> None:
    """Set the end of a pause, or of a lease, to the past."""
    past = timezone.now() - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk).update(due_at=past)
    Job.objects.filter(pk=job.pk, state="leased").update(lease_until=past)


def claim_due(job: Job) -> Job:
    """Claim a due job."""
    claimed = claim(job.pk)
    assert claimed is not None
    return claimed


def test_expired_lease_is_lost_to_the_next_worker(job: Job) -> None:
    first = claim_due(job)
    expire(job)
    second = claim_due(job)
    with pytest.raises(LeaseLost):
        hold(first)
    with pytest.raises(LeaseLost):
        heartbeat(first)
    fail(first, "too late")
    ledger.release(first)
    assert hold(second).attempts == 2


def test_heartbeat_extends_the_lease_and_stores_progress(job: Job) -> None:
    held = claim_due(job)
    soon = timezone.now() + timedelta(seconds=1)
    Job.objects.update(lease_until=soon)
    heartbeat(held, 5, 9)
    job.refresh_from_db()
    assert job.lease_until is not None and job.lease_until > soon
    assert (job.progress, job.total) == (5, 9)
    heartbeat(held)
    job.refresh_from_db()
    assert (job.progress, job.total) == (5, 9)


def test_failed_job_waits_longer_after_each_attempt(job: Job) -> None:
    pauses = []
    for _ in range(MAX_ATTEMPTS):
        fail(claim_due(job), "x" * 9999)
        job.refresh_from_db()
        assert (job.state, job.lease, len(job.reason)) == ("failed", "", ledger.REASON_LENGTH)
        assert claim(job.pk) is None
        pauses.append((job.due_at - timezone.now()).total_seconds())
        expire(job)
    assert pauses == sorted(pauses) and pauses[-1] > pauses[0]
    assert claim(job.pk) is None, "no attempt is left"
    assert resolve() == 1
    job.refresh_from_db()
    assert (job.state, job.reason[:3]) == ("dead-letter", "xxx")


def test_postponed_job_has_all_its_attempts(job: Job) -> None:
    fail(claim_due(job), "once")
    expire(job)
    before = timezone.now()
    ledger.put_off(hold(claim_due(job)), 30)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.reason) == ("waiting", 0, "")
    assert job.due_at > before + timedelta(seconds=29)


def test_released_job_has_its_attempt_back(job: Job) -> None:
    ledger.release(claim_due(job), "disk full", 5)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.reason) == ("waiting", 0, "disk full")
    assert claim(job.pk) is None
    expire(job)
    assert claim_due(job).attempts == 1


def test_job_that_was_given_up_is_tried_again_on_demand(job: Job) -> None:
    held = claim_due(job)
    assert ledger.give_up(job.pk, "by staff")
    assert not ledger.give_up(job.pk, "again")
    with pytest.raises(LeaseLost):
        hold(held)
    assert claim(job.pk) is None
    assert ledger.try_again(job.pk)
    assert claim_due(job).attempts == 1


def test_lease_of_a_process_that_is_gone_ends_only_on_its_own_machine(job: Job) -> None:
    own_host, _pid = holders.holder(claim_due(job).lease)
    for host, state in (("otherhost", "leased"), (own_host, "waiting")):
        # No process has this number: Linux allows less than 2**22.
        Job.objects.update(lease=f"{host}:{2**30}:word:secret")
        ledger.end_leases(timezone.now())
        job.refresh_from_db()
        assert job.state == state


def test_lease_ends_when_its_process_is_killed_or_another_has_its_number(job: Job) -> None:
    claimed = claim_due(job).lease
    own_host, _pid = holders.holder(claimed)
    child = subprocess.Popen(["sleep", "60"])
    try:
        word = f"t{holders._read_start(child.pid)}"
        expected = {word: "leased", "0fae21": "leased", f"{word}1": "waiting"}
        assert {word: state_of(job, f"{own_host}:{child.pid}:{word}:x") for word in expected} == (
            expected
        )
        child.kill()
        # The ended child is not reaped, so the process number stays in use.
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert state_of(job, f"{own_host}:{child.pid}:{word}:x") == "waiting"
    finally:
        child.kill()
        child.wait()


def state_of(job: Job, lease: str) -> str:
    """Return the state of a job with a lease, after the leases of killed processes were ended."""
    until = timezone.now() + timedelta(minutes=5)
    Job.objects.filter(pk=job.pk).update(state="leased", lease=lease, lease_until=until)
    ledger.end_leases(timezone.now())
    job.refresh_from_db()
    return str(job.state)


def test_sweep_wakes_a_worker_for_a_job_without_a_sign_of_life(
    job: Job, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = "redis://nowhere"
    messages: list[int] = []

    def send(count: int) -> int:
        messages.append(count)
        return count

    monkeypatch.setattr(wakeups, "send", send)
    claim_due(job)
    sweeping.sweep()
    assert messages == []
    begun = timezone.now() - timedelta(seconds=sweeping.MAX_WAIT_SECONDS)
    until = begun + timedelta(seconds=settings.LEASE_SECONDS)
    Job.objects.filter(pk=job.pk).update(lease_until=until)
    sweeping.sweep()
    assert messages == [1]


def test_removed_job_is_not_claimed() -> None:
    assert claim(999) is None


def test_job_of_a_kind_without_bound_is_retried_forever() -> None:
    job = Job.objects.create(kind="leave", subject="1", attempts=30_000)
    fail(claim_due(job), "no")
    job.refresh_from_db()
    wait = (job.due_at - timezone.now()).total_seconds()
    assert 0 < wait <= ledger.MAX_RETRY_SECONDS
    assert resolve() == 0
    expire(job)
    assert claim(job.pk)


class Moves(RuleBasedStateMachine):
    """Any transitions by any workers, against the diagram in the docstring of `Job`."""

    workers = Bundle("workers")

    @initialize(target=workers)
    def begin(self) -> Job:
        Job.objects.all().delete()
        self.pk = Job.objects.create(kind="visibility", subject="x").pk
        self.state, self.attempts = "waiting", 0
        self.holder = ""
        self.ready = True
        return Job(pk=self.pk, kind="visibility", lease="nobody's")

    @rule(target=workers)
    def claim(self) -> Job:
        claimed = claim(self.pk)
        claimable = self.state in ("waiting", "failed", "leased") and self.ready
        assert (claimed is not None) == (claimable and self.attempts < MAX_ATTEMPTS)
        if claimed is None:
            return Job(pk=self.pk, kind="visibility", lease="nobody's")
        self.state, self.ready, self.holder = "leased", False, claimed.lease
        self.attempts += 1
        return claimed

    def is_holder(self, worker: Job) -> bool:
        return self.state == "leased" and worker.lease == self.holder

    @rule(worker=workers, how=st.sampled_from(["finish", "put off", "heartbeat"]))
    def proceed(self, worker: Job, how: str) -> None:
        if not self.is_holder(worker):
            with pytest.raises(LeaseLost):
                hold(worker)
            with pytest.raises(LeaseLost):
                heartbeat(worker)
        elif how == "finish":
            finish(hold(worker))
            self.state = "done"
        elif how == "put off":
            ledger.put_off(hold(worker))
            self.state, self.attempts, self.ready = "waiting", 0, True
        else:
            heartbeat(worker)
            self.ready = False

    @rule(worker=workers)
    def fail(self, worker: Job) -> None:
        fail(worker, "no")
        if self.is_holder(worker):
            self.state, self.ready = "failed", False

    @rule(worker=workers)
    def release(self, worker: Job) -> None:
        ledger.release(worker)
        if self.is_holder(worker):
            self.state, self.ready, self.attempts = "waiting", True, self.attempts - 1

    @precondition(lambda self: self.state in ("leased", "failed"))
    @rule()
    def expire(self) -> None:
        expire(Job(pk=self.pk))
        self.ready = True

    @rule()
    def end_leases(self) -> None:
        ledger.end_leases(timezone.now())
        if self.state == "leased" and self.ready:
            self.state = "waiting"

    @rule()
    def resolve(self) -> None:
        has_attempts = self.attempts < MAX_ATTEMPTS
        is_open = self.state in ("waiting", "failed", "leased")
        is_spent = self.ready and is_open and not has_attempts
        assert resolve() == is_spent
        if is_spent:
            self.state = "dead-letter"

    @rule()
    def try_again(self) -> None:
        has_failed = self.state in ("failed", "dead-letter")
        assert ledger.try_again(self.pk) == has_failed
        if has_failed:
            self.state, self.attempts, self.ready = "waiting", 0, True

    @rule()
    def give_up(self) -> None:
        is_open = self.state in ("waiting", "failed", "leased")
        assert ledger.give_up(self.pk, "by staff") == is_open
        if is_open:
            self.state = "dead-letter"

    @invariant()
    def row_is_in_expected_state(self) -> None:
        job = Job.objects.get(pk=self.pk)
        assert (job.state, job.attempts) == (self.state, self.attempts)
        assert bool(job.lease) == (job.lease_until is not None) == (self.state == "leased")
        assert (job.done_at is not None) == (self.state in ("done", "dead-letter"))


@pytest.mark.long
def test_transitions_in_any_order_follow_the_diagram() -> None:
    run_state_machine_as_test(
        Moves, settings=settings(max_examples=examples(20), stateful_step_count=30)
    )


#: Workers on PostgreSQL with shared jobs: random workers fail or die, and their leases expire.
RACE = """
import random, threading
from datetime import timedelta
from django.db import connection, transaction
from django.utils import timezone
from records.models import Job
from records.jobs import holders, ledger, sweeping, wakeups
from records.jobs.ledger import LeaseLost, claim, fail, finish, hold, release
pks = [Job.objects.create(kind="leave", subject=str(n)).pk for n in range(JOBS)]
done, start = [], threading.Barrier(WORKERS)

def work(number):
    chance = random.Random(number)
    start.wait()
    while Job.objects.exclude(state="done").exists():
        pk = chance.choice(pks)
        job = claim(pk)
        if job is None:
            continue
        outcome = chance.randrange(5)
        if outcome == 0:
            fail(job, "no")
        elif outcome == 1:
            release(job)
        elif outcome == 2:
            Job.objects.filter(pk=pk, lease=job.lease).update(lease_until=timezone.now())
            try:
                with transaction.atomic():
                    finish(hold(job))
                done.append(pk)
            except LeaseLost:
                pass
        else:
            with transaction.atomic():
                finish(hold(job))
            done.append(pk)
        Job.objects.filter(state="failed").update(due_at=timezone.now())
    connection.close()

threads = [threading.Thread(target=work, args=(n,)) for n in range(WORKERS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("once", sorted(done) == pks)
"""


@pytest.mark.long_only  # tests/security/test_postgres.py has simultaneous work
def test_job_is_done_once_by_workers_at_the_same_time(
    hana: Hana, hana_env: Callable[..., Environment]
) -> None:
    env = hana_env(postgres=True)
    sizes = "WORKERS, JOBS = 8, 20" if LONG else "WORKERS, JOBS = 5, 8"
    code = f"{sizes}\n{RACE}"
    assert "once True" in hana("shell", "--no-imports", "--command", code, env=env).stdout
