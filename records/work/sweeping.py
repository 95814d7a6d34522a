"""The sweep: nothing that is due waits for ever, whatever happened to messages and workers."""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction

from records.base import clock
from records.models import Job
from records.work import kinds, ledger
from records.work.kinds import Lane, kind_of
from records.work.notify import notify
from records.work.tasks import do_next

#: A job due for longer than this has lost its message, or its worker.
MAX_WAIT_SECONDS: Final = 20
#: Maximum number of waiting messages of the sweep. The rest waits in the ledger, not in Redis: jobs
#: that wait only because there is much to do are not announced over and over.
MAX_MESSAGES: Final = 500
#: Jobs without attempts resolved in one pass.
MAX_RESOLVED: Final = 500
#: Seconds that a sweep does jobs of its own before other work.
IDLE_SECONDS: Final = 5.0

logger = logging.getLogger(__name__)


def sweep(*, max_wait: float = MAX_WAIT_SECONDS) -> int:
    """One pass: chores, recurring jobs, jobs out of attempts, and those waiting too long.

    Returns how many jobs were resolved, announced or done. If the broker is unavailable, jobs wait
    for the next pass; without one, the embedded worker finds them.
    """
    tidy()
    schedule()
    found = resolve()
    if settings.REDIS_URL:
        found += _announce(clock.now() - timedelta(seconds=max_wait))
    return found + do_idle(IDLE_SECONDS)


def tidy() -> None:
    """Call the registered chores. One that fails does not stop the others."""
    for name, chore in kinds.chores():
        try:
            chore()
        except (InterfaceError, OperationalError):
            raise
        except Exception:
            logger.exception("%s failed; it is called again", name)


def schedule() -> None:
    """Enqueue the recurring jobs that are due by now."""
    for kind in kinds.kinds():
        if kind.schedule:
            kind.call(kind.schedule)


def do_idle(seconds: float) -> int:
    """Do idle jobs for so many seconds, each once while other work waits; returns how many."""
    began, done = time.monotonic(), 0
    is_busy = ledger.waiting_since(clock.now()).exists()
    while (passed := time.monotonic() - began) < seconds:
        if not do_next(Lane.IDLE, waited=passed if is_busy else 0):
            break
        done += 1
    return done


def _announce(late: datetime) -> int:
    from records.work import messages  # noqa: PLC0415 - it loads Celery

    room = max(0, MAX_MESSAGES - messages.count_waiting(MAX_MESSAGES))
    return messages.send(ledger.waiting_since(late)[:room].count())


def resolve() -> int:
    """Cut jobs that have used up their attempts in two, or give them up; returns how many."""
    found = ledger.used_up(clock.now()).values_list("pk", flat=True)
    return sum(_resolve(pk) for pk in list(found[:MAX_RESOLVED]))


def _resolve(pk: int) -> bool:
    with transaction.atomic():
        rows = ledger.used_up(clock.now()).select_for_update(no_key=True)
        job = rows.filter(pk=pk).first()
        if job is None:
            return False  # another sweep was quicker
        reason = job.reason or "its worker was ended, or ran out of time, at each attempt"
        kind = kind_of(job.kind)
        try:
            split = bool(kind.split) and kind.call(kind.split, job)
        except (OSError, ValueError) as error:
            split, reason = False, f"{reason}; and it cannot be cut again: {error}"
        if split:
            ledger.restart(job)
            notify(2)
        else:
            ledger.give_up(pk, reason)
            logger.error("%s given up: %s", job, reason)
        return True


def retry_dead_letters() -> int:
    """Let all jobs that were given up be tried again (after a fix); returns how many."""
    dead = Job.objects.filter(state=Job.State.DEAD_LETTER).values_list("pk", flat=True)
    count = sum(ledger.try_again(pk) for pk in list(dead))
    notify(count)
    return count
