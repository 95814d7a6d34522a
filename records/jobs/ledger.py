"""The transitions of a job: claim, hold, finish, put off, fail, give up. See `records.models.Job`.

Every transition is a compare-and-set: an update that names the previous state, and counts only if
it changed the row. Thus any number of workers may compete, on any database, and no lock is held
between two transitions. All times are the database's (`records.base.clock`).

Fair turns: the jobs of one sender do not delay the jobs of others.

Each job has a turn, assigned when it is enqueued, and workers claim the job with the lowest turn
(:func:`records.jobs.ledger.take`). Turns count work: the turn of a job is the turn of the sender's
previous job, or the turn reached by claimed jobs if that is later, plus the weight of the job
(self-clocked fair queueing). Claimed jobs reach the middle of their work, not its end: the short
job of a new sender thus comes before the long jobs of others that wait already. The jobs of a huge
upload are far apart, and several waiting senders get equal shares.

A sender has two lines, for small and for large uploads, so that a large upload does not delay a
small one of the same sender. Jobs without an upload are lined up by kind, and by the sender in
the parameters.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Min, Q
from django.db.models.functions import Greatest

from records.base import clock
from records.jobs import kinds
from records.jobs.holders import is_dead, process_name
from records.jobs.kinds import BACKGROUND, MAX_ATTEMPTS, WORK, Queue, kind_of
from records.models import Job, Line, Upload
from records.models.jobs import CHUNK, FILE

#: The suffix of names of lines of large uploads.
BULK: Final = " bulk"
#: The parameter for the sender (`records.serving.senders.hashed`) of a job without an upload.
SENDER: Final = "sender"
#: Pause before a failed job is tried again; doubled with each attempt, up to the maximum.
RETRY_SECONDS: Final = 2
MAX_RETRY_SECONDS: Final = 600
REASON_LENGTH: Final = 2000


def line_up(jobs: Sequence[Job], weights: Sequence[int], upload: Upload | None = None) -> None:
    """Assign turns to new jobs of one kind, due now.

    Call it in the transaction that writes the jobs. Other jobs of the sender wait until its end.
    ``weights``: the approximate work of each job; 1 is a game of usual length.
    """
    if not jobs:
        return
    name = _name_line(jobs[0], upload)
    line, _is_new = Line.objects.select_for_update(no_key=True).get_or_create(name=name)
    turn, moment = max(line.last, current()), clock.now()
    for job, weight in zip(jobs, weights, strict=True):
        turn += weight
        job.turn, job.weight, job.due_at = turn, weight, moment
    line.last = turn
    line.save(update_fields=["last"])


@transaction.atomic
def charge(job: Job, weight: int) -> None:
    """Move a leased job and the waiting jobs of its line back by work beyond their weights.

    The job itself gets the later turn too, in memory and in the database.
    """
    name = _name_line(job, job.upload)
    line, _is_new = Line.objects.select_for_update(no_key=True).get_or_create(name=name)
    line.last = max(line.last, job.turn) + weight
    line.save(update_fields=["last"])
    if job.upload is not None:
        waiting = Job.objects.filter(
            upload__sender=job.upload.sender,
            upload__bulk=job.upload.bulk,
            kind__in=[kind.name for kind in kinds.kinds(WORK) if kind.bulk],
            state__in=Job.CLAIMABLE,
        )
        # Skip locked jobs: another process is about to claim or end them.
        unlocked = waiting.order_by().select_for_update(no_key=True, skip_locked=True, of=("self",))
        pks = list(unlocked.values_list("pk", flat=True))
        Job.objects.filter(pk__in=pks).update(turn=F("turn") + weight)
    job.turn += weight
    Job.objects.filter(pk=job.pk).update(turn=job.turn)


def _name_line(job: Job, upload: Upload | None) -> str:
    if upload is None:
        return f"{job.params.get(SENDER, '')} {job.kind} jobs".lstrip()
    return f"{upload.sender}{BULK if upload.bulk and kind_of(job.kind).bulk else ''}"


def current() -> int:
    """Return the turn reached by the claimed jobs."""
    return Line.objects.filter(name=Line.CLAIMED).values_list("last", flat=True).first() or 0


def advance(turn: int, moment: datetime) -> None:
    """Record a turn reached by a claimed job, inside the claiming transaction."""
    claimed = Line.objects.filter(name=Line.CLAIMED)
    if not claimed.update(last=Greatest("last", turn), at=moment):
        Line.objects.get_or_create(name=Line.CLAIMED, defaults={"last": turn, "at": moment})


def claimed_since(moment: datetime) -> bool:
    """Return whether any worker claimed a job after a moment."""
    return Line.objects.filter(name=Line.CLAIMED, at__gt=moment).exists()


def tidy() -> int:
    """Remove lines whose turns are all over. Return the number of lines."""
    idle = Line.objects.filter(last__lte=current()).exclude(name=Line.CLAIMED)
    return idle.delete()[0]


def forget() -> None:
    """Reset all turns, after all jobs were removed."""
    Line.objects.exclude(name=Line.CLAIMED).delete()


class LeaseLost(Exception):
    """Another worker has the job, since the lease ended: nothing may be written under the lease."""


# --- selections of jobs


def _has_attempts() -> Q:
    return Q(attempts__lt=MAX_ATTEMPTS) | Q(kind__in=kinds.tireless())


def _is_free(moment: datetime) -> Q:
    expired = Q(state=Job.State.LEASED, lease_until__lte=moment)
    return Q(state__in=Job.CLAIMABLE, due_at__lte=moment) | expired


def find_waiting(moment: datetime, queue: Queue = WORK) -> models.QuerySet[Job]:
    """Return the jobs of a queue that could be claimed at a moment and are not leased now."""
    names = kinds.names(queue)
    return Job.objects.filter(_is_free(moment), _has_attempts(), kind__in=names).order_by()


def find_silent(moment: datetime) -> models.QuerySet[Job]:
    """Return the leased jobs of workers without a sign of life since a moment."""
    until = moment + timedelta(seconds=settings.LEASE_SECONDS)
    leased = Job.objects.filter(state=Job.State.LEASED, lease_until__lte=until).order_by()
    return leased.filter(kind__in=kinds.names(WORK))


def is_awaited(job: Job, turn: int) -> bool:
    """Return whether another sender's job of the workers is due whose turn is before ``turn``."""
    waiting = find_waiting(clock.now()).filter(turn__lt=turn)
    if job.upload is not None:
        waiting = waiting.exclude(upload__sender=job.upload.sender)
    return waiting.exists()


def find_used_up(moment: datetime) -> models.QuerySet[Job]:
    """Return the jobs that are not leased and have no attempt left."""
    return Job.objects.filter(_is_free(moment)).exclude(_has_attempts())


def uploads_are_open() -> bool:
    """Return whether any upload is still to be read."""
    return Job.objects.filter(kind__in=(FILE, CHUNK), state__in=Job.OPEN).exists()


def next_due(most: float) -> float:
    """Return the seconds until a worker may claim a job or a lease ends, at most ``most``."""
    moment = clock.now()
    soon = moment + timedelta(seconds=most)
    jobs = Job.objects.filter(kind__in=kinds.names(WORK) + kinds.names(BACKGROUND)).order_by()
    due = jobs.filter(state__in=Job.CLAIMABLE, due_at__lt=soon).aggregate(at=Min("due_at"))
    leased = jobs.filter(state=Job.State.LEASED, lease_until__lt=soon)
    times = (soon, due["at"], leased.aggregate(at=Min("lease_until"))["at"])
    return max(0.0, (min(time for time in times if time is not None) - moment).total_seconds())


def _filter_leased(job: Job) -> models.QuerySet[Job]:
    return Job.objects.filter(pk=job.pk, lease=job.lease, state=Job.State.LEASED)


# --- the moves


def take(
    queue: Queue = WORK,
    *,
    upload: Upload | None = None,
    waited: float = 0,
    before: int | None = None,
) -> Job | None:
    """Claim the first due job of a queue. Return None if no job is due.

    Considers only jobs of ``upload`` and turns earlier than ``before``, if given, and only jobs
    that have been due for ``waited`` seconds. First ends expired leases, and leases of dead
    processes of the same machine. Thus a job that kills its worker is detected after seconds, not
    after three leases.
    """
    moment = clock.now()
    end_leases(moment)
    due = Job.objects.filter(_has_attempts(), kind__in=kinds.names(queue))
    due = due.filter(due_at__lte=moment - timedelta(seconds=waited))
    if upload is not None:
        due = due.filter(upload=upload)
    if before is not None:
        due = due.filter(turn__lt=before)
    # An index has the jobs of each state in order: two short queries are faster than a sort.
    heads = {state: due.filter(state=state).order_by(queue.order, "pk") for state in Job.CLAIMABLE}
    places = {state: jobs.values_list(queue.order, "pk").first() for state, jobs in heads.items()}
    for _place, state in sorted((place, state) for state, place in places.items() if place):
        with transaction.atomic():
            # Another worker may have claimed the first job meanwhile.
            unlocked = heads[state].select_for_update(no_key=True, skip_locked=True, of=("self",))
            head = unlocked.select_related("upload").first()
            job = _lease(head) if head is not None else None
            if job is not None:
                if queue is WORK:
                    advance(job.turn - job.weight // 2, moment)
                return job
    return None


def claim(pk: int) -> Job | None:
    """Claim a job and return it with the token of its lease; None unless it is free and due.

    The attempt is counted, and committed, before the work begins: a job that kills
    the worker uses up the attempts too.
    """
    job = Job.objects.select_related("upload").filter(pk=pk).first()
    return _lease(job) if job is not None else None


def _lease(job: Job) -> Job | None:
    moment = clock.now()
    lease = {
        "state": Job.State.LEASED,
        "attempts": job.attempts + 1,
        "lease": f"{process_name()}:{secrets.token_hex(8)}",
        "lease_until": moment + timedelta(seconds=kind_of(job.kind).seconds),
    }
    unchanged = Job.objects.filter(pk=job.pk, attempts=job.attempts, lease=job.lease)
    if not unchanged.filter(_is_free(moment), _has_attempts()).update(**lease):
        return None
    for name, value in lease.items():
        setattr(job, name, value)
    return job


def hold(job: Job) -> Job:
    """Lock the row of a job, inside a transaction, and return its current state.

    Raises :class:`LeaseLost` if another worker has claimed the job. (SQLite needs no row locks:
    transactions never overlap, see the settings.)
    """
    held = _filter_leased(job).select_for_update(no_key=True).first()
    if held is None:
        raise LeaseLost(str(job))
    return held


def heartbeat(job: Job, progress: int | None = None, total: int | None = None) -> None:
    """Extend the lease, and record the progress. Raises :class:`LeaseLost`."""
    until = clock.now() + timedelta(seconds=kind_of(job.kind).seconds)
    values = {"lease_until": until, "progress": progress, "total": total}
    if not _filter_leased(job).update(
        **{key: value for key, value in values.items() if value is not None}
    ):
        raise LeaseLost(str(job))


def finish(held: Job) -> None:
    """Mark a held job done, inside the transaction of its results."""
    held.done_at = clock.now()
    _free(held, Job.State.DONE)
    held.save()


def put_off(held: Job, seconds: float = 0) -> None:
    """Return a held job to the queue after a part of it is done; the attempt is no failure."""
    held.attempts = 0
    _free(held, Job.State.WAITING)
    line_up([held], [kind_of(held.kind).weight], held.upload)
    held.due_at += timedelta(seconds=seconds)
    held.save()


def restart(held: Job) -> None:
    """Return a locked job to the queue with all attempts, after the work was split."""
    held.attempts, held.due_at = 0, clock.now()
    _free(held, Job.State.WAITING)
    held.save()


def _free(held: Job, state: str) -> None:
    held.state, held.lease, held.lease_until, held.reason = state, "", None, ""


def _move(jobs: models.QuerySet[Job], state: str, *, reason: str = "", **values: Any) -> bool:
    """Change the state of the selected jobs and end their leases. Return whether any changed."""
    values |= {"state": state, "reason": reason[:REASON_LENGTH], "lease": "", "lease_until": None}
    return bool(jobs.update(**values))


def fail(job: Job, reason: str) -> None:
    """Schedule another attempt of a job after a pause; do nothing if the lease was lost.

    `records.jobs.sweeping.resolve` handles jobs without attempts left.
    """
    attempts = _filter_leased(job).values_list("attempts", flat=True).first() or 1
    pause = timedelta(seconds=min(MAX_RETRY_SECONDS, RETRY_SECONDS * 2 ** min(attempts - 1, 20)))
    _move(_filter_leased(job), Job.State.FAILED, due_at=clock.now() + pause, reason=reason)


def release(job: Job, reason: str = "", pause: float = 0) -> None:
    """Return a job to the queue after a pause, without counting the attempt."""
    due_at = clock.now() + timedelta(seconds=pause)
    attempts = F("attempts") - 1
    _move(_filter_leased(job), Job.State.WAITING, attempts=attempts, due_at=due_at, reason=reason)


def give_up(pk: int, reason: str) -> bool:
    """Make an open job a dead letter; a worker with a lease of the job can no longer write."""
    jobs = Job.objects.filter(pk=pk, state__in=Job.OPEN)
    return _move(jobs, Job.State.DEAD_LETTER, done_at=clock.now(), reason=reason)


def try_again(pk: int) -> bool:
    """Make a failed job or a dead letter claimable immediately, with all attempts."""
    jobs = Job.objects.filter(pk=pk, state__in=(Job.State.FAILED, Job.State.DEAD_LETTER))
    return _move(jobs, Job.State.WAITING, attempts=0, due_at=clock.now(), done_at=None)


def end_leases(moment: datetime) -> None:
    """Release jobs with an expired lease or a dead process."""
    leased = Job.objects.filter(state=Job.State.LEASED).order_by()
    for pk, token, until in list(leased.values_list("pk", "lease", "lease_until")):
        if until is None or until <= moment or is_dead(token):
            leased.filter(pk=pk, lease=token, lease_until=until).update(
                state=Job.State.WAITING, due_at=moment, lease="", lease_until=None
            )
