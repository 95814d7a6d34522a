"""Every move of a job, alone, in any order, and many at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
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

from lengths import examples
from records.models import Job
from records.work import ledger
from records.work.kinds import MAX_ATTEMPTS
from records.work.ledger import EMBEDDED, LeaseLost, claim, fail, finish, heartbeat, hold
from records.work.sweeping import resolve
from tests.conftest import Environment, Hana

pytestmark = pytest.mark.django_db


@pytest.fixture
def job() -> Job:
    """One that is given up when its attempts are used up."""
    return Job.objects.create(kind="visibility", subject="a")


def expire(job: Job) -> None:
    """Let a pause, or a lease, be over."""
    past = timezone.now() - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk).update(due_at=past)
    Job.objects.filter(pk=job.pk, state="leased").update(lease_until=past)


def claimed(job: Job) -> Job:
    """The job, claimed."""
    found = claim(job.pk)
    assert found is not None
    return found


def test_a_job_is_claimed_once(job: Job) -> None:
    held = claimed(job)
    assert claim(job.pk) is None
    assert (held.state, held.attempts) == ("leased", 1)
    assert held.lease and held.lease_until is not None
    assert hold(held) == held


def test_after_its_time_a_lease_is_another_s(job: Job) -> None:
    first = claimed(job)
    expire(job)
    second = claimed(job)
    with pytest.raises(LeaseLost):
        hold(first)
    with pytest.raises(LeaseLost):
        heartbeat(first)
    fail(first, "too late")
    ledger.release(first)
    assert hold(second).attempts == 2


def test_a_heartbeat_keeps_the_lease_and_tells_the_progress(job: Job) -> None:
    held = claimed(job)
    soon = timezone.now() + timedelta(seconds=1)
    Job.objects.update(lease_until=soon)
    heartbeat(held, 5, 9)
    job.refresh_from_db()
    assert job.lease_until is not None and job.lease_until > soon
    assert (job.progress, job.total) == (5, 9)
    heartbeat(held)
    job.refresh_from_db()
    assert (job.progress, job.total) == (5, 9)


def test_what_failed_waits_longer_each_time(job: Job) -> None:
    pauses = []
    for _ in range(MAX_ATTEMPTS):
        fail(claimed(job), "x" * 9999)
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


def test_done_is_done(job: Job) -> None:
    finish(hold(claimed(job)))
    expire(job)
    assert claim(job.pk) is None
    assert not ledger.give_up(job.pk, "") and not ledger.try_again(job.pk)
    job.refresh_from_db()
    assert (job.state, job.lease, job.lease_until) == ("done", "", None)
    assert job.done_at is not None


def test_what_is_put_off_is_no_failure(job: Job) -> None:
    fail(claimed(job), "once")
    expire(job)
    before = timezone.now()
    ledger.put_off(hold(claimed(job)), 30)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.reason) == ("waiting", 0, "")
    assert job.due_at > before + timedelta(seconds=29)


def test_what_is_released_has_its_attempt_back(job: Job) -> None:
    ledger.release(claimed(job), "disk full", 5)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.reason) == ("waiting", 0, "disk full")
    assert claim(job.pk) is None
    expire(job)
    assert claimed(job).attempts == 1


def test_given_up_and_tried_again(job: Job) -> None:
    held = claimed(job)
    assert ledger.give_up(job.pk, "by staff")
    assert not ledger.give_up(job.pk, "again")
    with pytest.raises(LeaseLost):
        hold(held)
    assert claim(job.pk) is None
    assert ledger.try_again(job.pk)
    assert claimed(job).attempts == 1


def test_a_new_embedded_worker_ends_the_leases_of_the_dead_one(job: Job) -> None:
    other = Job.objects.create(kind="visibility", subject="b")
    assert claim(job.pk, prefix=EMBEDDED)
    assert claim(other.pk)
    assert ledger.end_embedded_leases() == 1
    assert claim(job.pk)
    assert claim(other.pk) is None


def test_a_job_that_is_gone_is_not_claimed() -> None:
    assert claim(999) is None


def test_without_end_where_the_kind_has_no_bound() -> None:
    job = Job.objects.create(kind="leave", subject="1", attempts=30_000)
    fail(claimed(job), "no")
    job.refresh_from_db()
    wait = (job.due_at - timezone.now()).total_seconds()
    assert 0 < wait <= ledger.MAX_RETRY_SECONDS
    assert resolve() == 0
    expire(job)
    assert claim(job.pk)


class Moves(RuleBasedStateMachine):
    """Any moves by any workers, against what the picture in `Job` says."""

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
        found = claim(self.pk)
        claimable = self.state in ("waiting", "failed", "leased") and self.ready
        assert (found is not None) == (claimable and self.attempts < MAX_ATTEMPTS)
        if found is None:
            return Job(pk=self.pk, kind="visibility", lease="nobody's")
        self.state, self.ready, self.holder = "leased", False, found.lease
        self.attempts += 1
        return found

    def is_holder(self, worker: Job) -> bool:
        return self.state == "leased" and worker.lease == self.holder

    @rule(worker=workers, how=st.sampled_from(["finish", "put off", "heartbeat"]))
    def go_on(self, worker: Job, how: str) -> None:
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
    def time_goes_by(self) -> None:
        expire(Job(pk=self.pk))
        self.ready = True

    @rule()
    def leases_end(self) -> None:
        ledger.end_leases(timezone.now())
        if self.state == "leased" and self.ready:
            self.state = "waiting"

    @rule()
    def resolve(self) -> None:
        spent = self.ready and self.attempts >= MAX_ATTEMPTS
        spent = spent and self.state in ("waiting", "failed", "leased")
        assert resolve() == spent
        if spent:
            self.state = "dead-letter"

    @rule()
    def try_again(self) -> None:
        over = self.state in ("failed", "dead-letter")
        assert ledger.try_again(self.pk) == over
        if over:
            self.state, self.attempts, self.ready = "waiting", 0, True

    @rule()
    def give_up(self) -> None:
        is_open = self.state in ("waiting", "failed", "leased")
        assert ledger.give_up(self.pk, "by staff") == is_open
        if is_open:
            self.state = "dead-letter"

    @invariant()
    def it_is_as_drawn(self) -> None:
        job = Job.objects.get(pk=self.pk)
        assert (job.state, job.attempts) == (self.state, self.attempts)
        assert bool(job.lease) == (job.lease_until is not None) == (self.state == "leased")
        assert (job.done_at is not None) == (self.state in ("done", "dead-letter"))


@pytest.mark.long
def test_any_moves_in_any_order() -> None:
    run_state_machine_as_test(
        Moves, settings=settings(max_examples=examples(20), stateful_step_count=30)
    )


#: Eight workers on PostgreSQL at twenty jobs; some fail, some die with a lease that is over.
RACE = """
import random, threading
from datetime import timedelta
from django.db import connection, transaction
from django.utils import timezone
from records.models import Job
from records.work import ledger
from records.work.ledger import LeaseLost, claim, fail, finish, hold, release
pks = [Job.objects.create(kind="leave", subject=str(n)).pk for n in range(20)]
done, start = [], threading.Barrier(8)

def one(number):
    chance = random.Random(number)
    start.wait()
    while Job.objects.exclude(state="done").exists():
        pk = chance.choice(pks)
        job = claim(pk)
        if job is None:
            continue
        what = chance.randrange(5)
        if what == 0:
            fail(job, "no")
        elif what == 1:
            release(job)
        elif what == 2:
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

threads = [threading.Thread(target=one, args=(n,)) for n in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("once", sorted(done) == pks)
"""


def test_workers_at_the_same_moment(hana: Hana, hana_env: Callable[..., Environment]) -> None:
    """However they come in each other's way, each job is done once."""
    env = hana_env(postgres=True)
    assert "once True" in hana("shell", "--command", RACE, env=env).stdout
