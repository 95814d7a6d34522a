"""Messages that wake a Celery worker early. Without Redis there are none: the worker polls.

A message is a hint; the row it names is the work. A message that cannot be sent costs some seconds,
until the sweep finds the row waiting.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from functools import partial

from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from records.leases import Row

logger = logging.getLogger(__name__)


def wake(rows: Sequence[Row]) -> None:
    """On commit, tell workers of rows that are due. Never raises: the rows are safe already."""
    if settings.REDIS_URL:
        transaction.on_commit(partial(send, rows), robust=True)


def send(rows: Iterable[Row]) -> int:
    """Enqueue the rows' tasks at once; returns how many were sent.

    Stops at the first that cannot be: with the broker away each try would take seconds.
    """
    # The tasks import the stages, and these wake.
    from records import tasks

    sent = 0
    for row in rows:
        try:
            tasks.TASKS[type(row)].apply_async((row.pk,), queue=queue_of(row), retry=False)
        except OperationalError as error:
            logger.warning("broker away, the sweep will enqueue what waits: %s", error)
            break
        sent += 1
    return sent


def queue_of(row: Row) -> str:
    """The queue of a row: large uploads wait in one of their own."""
    return "bulk" if row.upload.bulk else "interactive"
