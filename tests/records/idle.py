"""Running idle jobs of chosen kinds only."""

from __future__ import annotations

from records.base import clock
from records.jobs import executor
from records.jobs.kinds import kind_of
from records.jobs.ledger import claim
from records.models import Job


def do_idle_jobs(*kinds: str) -> None:
    """Schedule and do the idle jobs of each kind, as often as they are put off."""
    for name in kinds:
        kind = kind_of(name)
        if kind.schedule:
            kind.call(kind.schedule)
        for _ in range(500):
            due = Job.objects.filter(kind=name, state__in=Job.CLAIMABLE, due_at__lte=clock.now())
            waiting = due.order_by("due_at").first()
            job = claim(waiting.pk) if waiting is not None else None
            if job is None:
                break
            executor.run_job(job)
        else:
            raise AssertionError(f"{name} without end")
