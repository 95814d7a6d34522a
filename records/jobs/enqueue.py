"""New jobs: rows with turns, and messages that wake workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from django.db import transaction

from records.base import clock
from records.base.tracing import request_id
from records.jobs import holders, ledger
from records.jobs.kinds import kind_of
from records.jobs.wakeups import notify
from records.models import Job, Upload

BATCH: Final = 500
Result = TypeVar("Result")


class BeingMade(Exception):
    """Another process runs the job; the message names the process."""


def add(jobs: Sequence[Job], weights: Sequence[int], upload: Upload) -> None:
    """Write new jobs of one kind, for an upload, in the transaction of the upload's rows.

    ``weights`` are the weights of `records.jobs.ledger`. A finished job gets no turn.
    """
    waiting = [pair for pair in zip(jobs, weights, strict=True) if pair[0].state in Job.OPEN]
    for job in jobs:
        job.upload, job.request_id = upload, upload.request_id
    ledger.line_up([job for job, _weight in waiting], [weight for _job, weight in waiting], upload)
    Job.objects.bulk_create(jobs, batch_size=BATCH)
    notify(len(waiting))


@transaction.atomic
def enqueue(
    kind: str,
    subject: str,
    *,
    params: Mapping[str, Any] | None = None,
    upload: Upload | None = None,
    again: bool = False,
) -> Job:
    """Return the job of a kind about a subject, which is unique: a new job, or the existing job.

    A finished job waits again, with new ``params``. A job that was given up waits again only if
    ``again``. An open job is not changed, except that with ``again`` a failed job may be claimed
    immediately.
    """
    values = {
        "params": dict(params or {}),
        "upload": upload,
        "request_id": request_id(),
        "created": clock.now(),
    }
    job, is_new = Job.objects.select_for_update(no_key=True).get_or_create(
        kind=kind, subject=subject, defaults=values
    )
    over = {Job.State.DONE, Job.State.FAILED, Job.State.DEAD_LETTER} if again else {Job.State.DONE}
    if not is_new and job.state not in over:
        return job
    if not is_new and job.state not in Job.OPEN:
        for name, value in values.items():
            setattr(job, name, value)
    job.state, job.attempts, job.reason, job.done_at = Job.State.WAITING, 0, "", None
    job.progress, job.total = 0, None
    ledger.line_up([job], [kind_of(kind).weight], upload)
    job.save()
    notify(1)
    return job


def run_now(kind: str, subject: str, run: Callable[[Job], Result]) -> Result:
    """Run a job in this process and return the result of ``run``, which gets the leased job.

    Raises :class:`BeingMade`, and the exceptions of ``run``, which the job records.
    """
    waiting = enqueue(kind, subject, again=True)
    ledger.end_leases(clock.now())
    job = ledger.claim(waiting.pk)
    if job is None:
        waiting.refresh_from_db()
        host, pid = holders.holder(waiting.lease)
        raise BeingMade(f"{subject} is being made by process {pid} of {host}")
    try:
        return run(job)
    except BaseException as error:
        ledger.fail(job, f"{type(error).__name__}: {error}")
        raise
