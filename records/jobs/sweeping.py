"""The parts of the sweep, which rescues due jobs after the loss of messages or workers."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction

from records.base import clock
from records.jobs import kinds, ledger, wakeups
from records.jobs.kinds import kind_of
from records.models import Job

#: Seconds until the sweep assumes that the message or the worker of a due job is lost.
MAX_WAIT_SECONDS: Final = 20
#: Maximum number of jobs announced in one pass; a message wakes a process for all due jobs.
MAX_ANNOUNCED: Final = 100
#: Jobs without attempts resolved in one pass.
MAX_RESOLVED: Final = 500

logger = logging.getLogger(__name__)


def sweep(*, max_wait: float = MAX_WAIT_SECONDS) -> int:
    """Make one pass: chores, recurring jobs, jobs without attempts, and overdue jobs.

    A job without a sign of life wakes a worker too: the message of a killed worker may be lost.
    Return the number of jobs resolved or announced. If the broker is unavailable, jobs wait for the
    next pass; without a broker, the embedded worker finds overdue jobs.
    """
    tidy()
    schedule()
    count = resolve()
    if settings.REDIS_URL:
        late = clock.now() - timedelta(seconds=max_wait)
        overdue = ledger.find_waiting(late)[:MAX_ANNOUNCED].count()
        if not overdue and ledger.find_silent(late).exists():
            overdue = 1  # A worker that is woken releases the jobs of killed processes.
        count += wakeups.send(overdue) if overdue else 0
    return count


def tidy() -> None:
    """Call the registered chores. A failing chore does not stop the others."""
    for name, chore in kinds.chores():
        try:
            chore()
        except (InterfaceError, OperationalError):
            raise
        except Exception:
            logger.exception("%s failed; it will be called again", name)


def schedule() -> None:
    """Enqueue the recurring jobs that are due now."""
    for kind in kinds.kinds():
        if kind.schedule:
            kind.call(kind.schedule)


def resolve() -> int:
    """Split or give up the jobs without attempts left. Return the number of jobs."""
    pks = ledger.find_used_up(clock.now()).values_list("pk", flat=True)[:MAX_RESOLVED]
    return sum(_resolve(pk) for pk in list(pks))


def _resolve(pk: int) -> bool:
    with transaction.atomic():
        jobs = ledger.find_used_up(clock.now()).select_for_update(no_key=True)
        job = jobs.filter(pk=pk).first()
        if job is None:
            return False  # another process was quicker
        reason = job.reason or "its worker was ended, or ran out of time, at each attempt"
        kind = kind_of(job.kind)
        try:
            is_split = bool(kind.split) and kind.call(kind.split, job)
        except (OSError, ValueError) as error:
            is_split, reason = False, f"{reason}; and it cannot be cut again: {error}"
        if is_split:
            ledger.restart(job)
            wakeups.notify(2)
        else:
            ledger.give_up(pk, reason)
            logger.error("%s given up: %s", job, reason)
        return True


def retry_dead_letters() -> int:
    """Retry all dead letters, to be used after a fix. Return their number."""
    dead = Job.objects.filter(state=Job.State.DEAD_LETTER).values_list("pk", flat=True)
    count = sum(ledger.try_again(pk) for pk in list(dead))
    wakeups.notify(count)
    return count
