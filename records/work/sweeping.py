"""The sweep: nothing that is due waits for ever, whatever happened to messages and workers."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Final

from amqp.exceptions import ChannelError
from celery import current_app
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from kombu.exceptions import OperationalError

from records.base import clock
from records.intake import idempotency, leftovers, quotas, resumable
from records.intake.cutting import halve
from records.models import Chunk, Work
from records.privacy import revisions
from records.serving import cache
from records.totals import compaction, ratings
from records.work import deferred, turns
from records.work.ledger import MAX_ATTEMPTS, MODELS, Row, ready
from records.work.notify import send, wake

#: A row due for longer than this has lost its message, or its worker.
PATIENCE_SECONDS: Final = 20
#: Messages that the sweep lets wait. What is beyond waits in the ledger, not in Redis:
#: rows that wait only because there is much to do are not enqueued over and over.
MAX_MESSAGES: Final = 500
#: Rows settled in one pass.
MAX_SETTLED: Final = 500

logger = logging.getLogger(__name__)


def sweep(*, patience: float = PATIENCE_SECONDS) -> int:
    """One pass: settle rows out of attempts, enqueue those waiting too long; returns how many.

    With the broker away, rows wait for the next pass; without one, the embedded worker finds them.
    """
    tidy()
    found = settle()
    if settings.REDIS_URL:
        found += _enqueue(clock.now() - timedelta(seconds=patience))
    found += deferred.run(deferred.SWEEP_SECONDS)
    ratings.run(ratings.SWEEP_SECONDS)
    compaction.run(compaction.SWEEP_SECONDS)
    return found


def tidy() -> int:
    """Finish or remove uploads in parts that nobody tends, forget old keys; returns how many.

    Sessions that are over go too, and what killed processes left, uncounted.
    """
    SessionStore.clear_expired()
    revisions.tidy()
    cache.tidy()
    quotas.tidy()
    turns.tidy()
    leftovers.tidy()
    return resumable.tidy() + idempotency.tidy()


def _enqueue(late: datetime) -> int:
    room = MAX_MESSAGES - messages()
    waiting = 0
    for model in MODELS:
        rows = model._default_manager.filter(
            state__in=Work.OPEN, ready_at__lte=late, attempts__lt=MAX_ATTEMPTS
        )
        waiting += rows.order_by()[: max(0, room - waiting)].count()
    return send(waiting)


def messages() -> int:
    """How many messages wait; as many as may where the broker cannot be asked."""
    try:
        with current_app.connection_for_read() as connection:
            return int(connection.SimpleQueue(settings.CELERY_TASK_DEFAULT_QUEUE).qsize())
    except ChannelError:
        return 0  # Redis knows a queue only while something is in it
    except OperationalError as error:
        logger.warning("broker away: %s", error)
        return MAX_MESSAGES


def settle() -> int:
    """Halve or set aside the rows that have used up their attempts; returns how many."""
    settled = 0
    for model in MODELS:
        spent = model._default_manager.filter(ready(), attempts__gte=MAX_ATTEMPTS)
        for pk in list(spent.values_list("pk", flat=True)[:MAX_SETTLED]):
            settled += _settle(model, pk)
    return settled


def _settle(model: type[Row], pk: int) -> bool:
    with transaction.atomic():
        row = (
            model._default_manager.select_for_update(no_key=True)
            .filter(ready(), pk=pk, attempts__gte=MAX_ATTEMPTS)
            .first()
        )
        if row is None:
            return False  # another sweep was quicker
        reason = row.reason or "its worker was ended, or ran out of time, at each attempt"
        if isinstance(row, Chunk) and row.games > 1:
            try:
                other = halve(row)
            except (OSError, ValueError) as error:
                reason = f"{reason}; and it cannot be cut again: {error}"
            else:
                _renew(row)
                row.save()
                other.save(force_insert=True)
                wake([row, other])
                return True
        row.state = Work.State.ASIDE
        row.reason = reason
        row.owner = ""
        row.done_at = clock.now()
        row.save()
        logger.error("%s %s set aside: %s", model.__name__, pk, reason)
        return True


def retry_aside() -> int:
    """Make all rows that were set aside due again (after a mended fault); returns how many."""
    count = 0
    for model in MODELS:
        for row in model._default_manager.filter(state=Work.State.ASIDE):
            with transaction.atomic():
                _renew(row)
                row.save()
                wake([row])
            count += 1
    return count


def _renew(row: Row) -> None:
    row.state = Work.State.DUE
    row.attempts = 0
    row.ready_at = clock.now()
    row.owner = row.reason = ""
    row.done_at = None
