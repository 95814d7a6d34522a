"""The moves of a job: claim, hold, finish, put off, fail, give up. Drawn in `records.models.Job`.

Every move is a compare-and-set: an update that names the state it starts from, and counts only if
it changed the row. So any number of workers may try, on any database, without a lock held between.
All times are the database's (`records.base.clock`).
"""

from __future__ import annotations

import os
import secrets
import socket
from datetime import datetime, timedelta
from typing import Final

from django.db import models, transaction
from django.db.models import Q

from records.base import clock
from records.models import Job, Upload
from records.models.jobs import CHUNK, FILE
from records.work import kinds, turns
from records.work.kinds import MAX_ATTEMPTS, Lane, kind_of

#: Pause before a failed job is tried again; doubled with each attempt, up to the longest.
RETRY_SECONDS: Final = 2
MAX_RETRY_SECONDS: Final = 600
REASON_LENGTH: Final = 2000
#: The prefix of leases of the embedded worker.
EMBEDDED: Final = "embedded:"
HOST_LENGTH: Final = 30
_FREE: Final = {"lease": "", "lease_until": None}


class LeaseLost(Exception):
    """The lease ended and another worker has the job: nothing may be written under it."""


def take(
    lane: Lane = Lane.WORKER,
    *,
    prefix: str = "",
    upload: Upload | None = None,
    waited: float = 0,
) -> Job | None:
    """Claim the job of a lane whose turn it is; None if none is due.

    Idle jobs are claimed in the order in which they became due: each that is put off waits for all
    others. With ``upload``, only its jobs are considered; with ``waited``, only those that have
    been due for so many seconds. Leases that expired, and those of processes of
    this machine that are gone, are ended first: a job that kills its worker is thus detected after
    seconds, not at the end of three leases.
    """
    moment = clock.now()
    end_leases(moment)
    due = _due(moment - timedelta(seconds=waited)).filter(kind__in=kinds.names(lane))
    if upload is not None:
        due = due.filter(upload=upload)
    # One index serves both states; it has the turns of each in order. Idle jobs are few.
    order = "due_at" if lane is Lane.IDLE else "turn"
    heads = {state: due.filter(state=state).order_by(order, "pk") for state in Job.CLAIMABLE}
    found = {state: rows.values_list(order, flat=True)[:1] for state, rows in heads.items()}
    first = {state: place for state, rows in found.items() for place in rows}
    for state in sorted(first, key=first.__getitem__):
        with transaction.atomic():
            # Another worker may have claimed the first one, or be about to.
            rows = heads[state].select_for_update(no_key=True, skip_locked=True)
            for pk, turn in rows.values_list("pk", "turn")[:1]:
                job = claim(pk, prefix=prefix)
                if job is not None:
                    if lane is Lane.WORKER:
                        turns.advance(turn, moment)
                    return job
    return None


def _due(moment: datetime) -> models.QuerySet[Job]:
    """Jobs that may be claimed and have attempts left."""
    due = Job.objects.filter(state__in=Job.CLAIMABLE, due_at__lte=moment)
    return due.filter(_has_attempts())


def _has_attempts() -> Q:
    return Q(attempts__lt=MAX_ATTEMPTS) | Q(kind__in=kinds.tireless())


def used_up(moment: datetime) -> models.QuerySet[Job]:
    """Jobs that are not leased, and that may not be tried again."""
    free = Q(state__in=Job.CLAIMABLE, due_at__lte=moment)
    free |= Q(state=Job.State.LEASED, lease_until__lte=moment)
    return Job.objects.filter(free, attempts__gte=MAX_ATTEMPTS).exclude(kind__in=kinds.tireless())


def waiting_since(moment: datetime, lane: Lane = Lane.WORKER) -> models.QuerySet[Job]:
    """Jobs of a lane that could have been claimed at a moment, and were not, or whose worker died
    since.
    """
    free = Q(state__in=Job.CLAIMABLE, due_at__lte=moment)
    free |= Q(state=Job.State.LEASED, lease_until__lte=moment)
    return Job.objects.filter(free, _has_attempts(), kind__in=kinds.names(lane)).order_by()


def uploads_are_open() -> bool:
    """Whether any upload is still to be read."""
    return Job.objects.filter(kind__in=(FILE, CHUNK), state__in=Job.OPEN).exists()


def claim(pk: int, *, prefix: str = "") -> Job | None:
    """Claim a job if it is free and due: returns it with the token of the lease, else None.

    The attempt is counted, and committed, before any work is done: a job that kills its worker is
    known by its attempts. ``prefix`` marks the tokens of the embedded worker.
    """
    kind = Job.objects.filter(pk=pk).values_list("kind", flat=True).first()
    if kind is None:
        return None
    moment = clock.now()
    free = Q(state__in=Job.CLAIMABLE, due_at__lte=moment)
    free |= Q(state=Job.State.LEASED, lease_until__lte=moment)
    token = f"{prefix}{_process()}:{secrets.token_hex(8)}"
    claimed = Job.objects.filter(free, _has_attempts(), pk=pk).update(
        state=Job.State.LEASED,
        attempts=models.F("attempts") + 1,
        lease=token,
        lease_until=moment + timedelta(seconds=kind_of(kind).seconds),
    )
    if not claimed:
        return None
    return Job.objects.select_related("upload").filter(pk=pk, lease=token).first()


def hold(job: Job) -> Job:
    """Inside a transaction: lock the row and check that the lease is still valid.

    Returns the current row. Raises :class:`LeaseLost` if another worker has claimed it. (SQLite has
    no row locks and needs none: a transaction is alone, see the settings.)
    """
    held = _leased(job).select_for_update(no_key=True).first()
    if held is None:
        raise LeaseLost(str(job))
    return held


def _leased(job: Job) -> models.QuerySet[Job]:
    return Job.objects.filter(pk=job.pk, lease=job.lease, state=Job.State.LEASED)


def heartbeat(job: Job, progress: int | None = None, total: int | None = None) -> None:
    """Extend the lease, and record the progress. Raises :class:`LeaseLost`."""
    values: dict[str, object] = {
        "lease_until": clock.now() + timedelta(seconds=kind_of(job.kind).seconds)
    }
    if progress is not None:
        values["progress"] = progress
    if total is not None:
        values["total"] = total
    if not _leased(job).update(**values):
        raise LeaseLost(str(job))


def finish(held: Job) -> None:
    """Mark a held job done; part of the transaction that writes its results."""
    held.state = Job.State.DONE
    held.done_at = clock.now()
    held.lease, held.lease_until, held.reason = "", None, ""
    held.save()


def put_off(held: Job, seconds: float = 0) -> None:
    """Return a held job to the queue after a part of it is done; this is no failure."""
    held.state = Job.State.WAITING
    held.attempts = 0
    held.lease, held.lease_until, held.reason = "", None, ""
    turns.line_up([held], [kind_of(held.kind).cost], held.upload)
    held.due_at += timedelta(seconds=seconds)
    held.save()


def fail(job: Job, reason: str) -> None:
    """After an error: retry after a pause, with the reason. Nothing if the lease was lost.

    Attempts that are used up are handled by `records.work.sweeping.resolve`.
    """
    attempts = _leased(job).values_list("attempts", flat=True).first()
    if attempts is None:
        return
    pause = min(MAX_RETRY_SECONDS, RETRY_SECONDS * 2 ** min(attempts - 1, 20))
    _leased(job).update(
        state=Job.State.FAILED,
        due_at=clock.now() + timedelta(seconds=pause),
        reason=reason[:REASON_LENGTH],
        **_FREE,
    )


def release(job: Job, reason: str = "", pause: float = 0) -> None:
    """Return a job as if it had not been claimed: it is not to blame. Due again after ``pause``
    seconds.
    """
    _leased(job).update(
        state=Job.State.WAITING,
        attempts=models.F("attempts") - 1,
        due_at=clock.now() + timedelta(seconds=pause),
        reason=reason[:REASON_LENGTH],
        **_FREE,
    )


def give_up(pk: int, reason: str) -> bool:
    """Make a job a dead letter, unless it is over; a worker that holds it writes nothing any
    more.
    """
    return bool(
        Job.objects.filter(pk=pk, state__in=Job.OPEN).update(
            state=Job.State.DEAD_LETTER,
            done_at=clock.now(),
            reason=reason[:REASON_LENGTH],
            **_FREE,
        )
    )


def try_again(pk: int) -> bool:
    """Let a job that failed or was given up be claimed at once, with all its attempts."""
    over = (Job.State.FAILED, Job.State.DEAD_LETTER)
    return bool(
        Job.objects.filter(pk=pk, state__in=over).update(
            state=Job.State.WAITING,
            attempts=0,
            due_at=clock.now(),
            done_at=None,
            reason="",
            **_FREE,
        )
    )


def restart(held: Job) -> None:
    """Let a locked job, whose work was cut down, wait with all its attempts."""
    held.state = Job.State.WAITING
    held.attempts, held.due_at = 0, clock.now()
    held.lease, held.lease_until, held.reason = "", None, ""
    held.save()


def next_due(most: float, lanes: tuple[Lane, ...] = (Lane.WORKER, Lane.IDLE)) -> float:
    """Seconds until a job of these lanes is due, or a lease ends; at most so many."""
    moment = clock.now()
    soon = moment + timedelta(seconds=most)
    mine = Job.objects.filter(kind__in=[name for lane in lanes for name in kinds.names(lane)])
    due = mine.filter(state__in=Job.CLAIMABLE, due_at__lt=soon).order_by()
    leased = mine.filter(state=Job.State.LEASED, lease_until__lt=soon).order_by()
    found = (
        due.aggregate(first=models.Min("due_at"))["first"],
        leased.aggregate(first=models.Min("lease_until"))["first"],
    )
    soon = min([soon, *(one for one in found if one is not None)])
    return max(0.0, (soon - moment).total_seconds())


def end_leases(moment: datetime) -> None:
    """Release jobs whose lease is over, or whose worker is known to be gone."""
    leased = Job.objects.filter(state=Job.State.LEASED).order_by()
    for pk, token, until in list(leased.values_list("pk", "lease", "lease_until")):
        if until is None or until <= moment or _is_gone(token):
            leased.filter(pk=pk, lease=token, lease_until=until).update(
                state=Job.State.WAITING, due_at=moment, **_FREE
            )


def end_embedded_leases() -> int:
    """End the leases of an embedded worker that is gone; returns how many.

    To be called by the embedded worker when it starts: it is the only one, so every lease of an
    embedded worker is then one of a dead worker.
    """
    leased = Job.objects.filter(state=Job.State.LEASED, lease__startswith=EMBEDDED)
    return leased.update(state=Job.State.WAITING, due_at=clock.now(), **_FREE)


class _Self:
    """A random word of this process, so that another process with the same number is not taken for
    it.
    """

    pid = 0
    word = ""


def _process() -> str:
    """Machine, number and word of this process; a fork has its own."""
    if _Self.pid != os.getpid():
        _Self.pid, _Self.word = os.getpid(), secrets.token_hex(4)
    return f"{_host()}:{_Self.pid}:{_Self.word}"


def _host() -> str:
    return socket.gethostname()[:HOST_LENGTH]


def holder(token: str) -> tuple[str, int]:
    """Machine and process of a lease; no machine if there is none."""
    host, pid, _word, _secret = [*token.removeprefix(EMBEDDED).rsplit(":", 3), "", "", ""][:4]
    return host, int(pid or 0)


def _is_gone(token: str) -> bool:
    """Whether the process of a lease belongs to this machine, and is gone.

    Another process may have got its number: then only the end of the lease shows it.
    """
    host, pid = holder(token)
    if host != _host():
        return False
    if pid == os.getpid():
        return f"{_process()}:" not in token
    return not _is_alive(pid)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # another user's
    return True
