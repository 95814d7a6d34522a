"""New jobs: written with their turns; the workers are notified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction

from records.base import clock
from records.base.tracing import request_id
from records.models import Job, Upload
from records.work import turns
from records.work.kinds import kind_of
from records.work.notify import notify

BATCH: Final = 500


def add(jobs: Sequence[Job], costs: Sequence[int], upload: Upload) -> None:
    """Write new jobs of one kind, for an upload; part of the transaction that writes their rows.

    ``costs`` are those of `records.work.turns`. Jobs that are over already get no turn.
    """
    waiting = [(job, cost) for job, cost in zip(jobs, costs, strict=True) if job.state in Job.OPEN]
    for job in jobs:
        job.upload, job.request_id = upload, upload.request_id
    turns.line_up([job for job, _cost in waiting], [cost for _job, cost in waiting], upload)
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
    """The one job of a kind about a subject: a new one, or the existing one.

    One that is done waits again, with new ``params``. One that is given up stays as it is, or with
    ``again`` waits again in the same way. One that is open stays as it is, except that ``again``
    lets a failed one be tried at once.
    """
    values = {"params": dict(params or {}), "upload": upload, "request_id": request_id()}
    job, made = Job.objects.select_for_update(no_key=True).get_or_create(
        kind=kind, subject=subject, defaults=values
    )
    over = {Job.State.DONE, Job.State.FAILED, Job.State.DEAD_LETTER} if again else {Job.State.DONE}
    if not made and job.state not in over:
        return job
    if not made and job.state not in Job.OPEN:
        for name, value in values.items():
            setattr(job, name, value)
        job.created = clock.now()
    job.state, job.attempts, job.reason, job.done_at = Job.State.WAITING, 0, "", None
    job.progress, job.total = 0, None
    turns.line_up([job], [kind_of(kind).cost], upload)
    job.save()
    notify(1)
    return job
