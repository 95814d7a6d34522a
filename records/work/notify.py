"""Notifies workers that there is work: a message to Celery, or a notification by the database.

It is only a hint; the jobs are rows, and the ledger decides which one is next. A message that
cannot be sent costs some seconds, until the sweep finds the job waiting, or the embedded worker
polls.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from kombu.exceptions import OperationalError

from records.work import tasks

#: The channel of an embedded worker on PostgreSQL. (On SQLite it sees that the file has changed.)
CHANNEL: Final = "hana_work"

logger = logging.getLogger(__name__)


def notify(count: int) -> None:
    """On commit, notify workers of so many jobs. Never raises for errors of the broker: the rows
    are written.
    """
    if count and settings.REDIS_URL:
        transaction.on_commit(partial(send, count), robust=True)
    elif count and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"NOTIFY {CHANNEL}")


def send(count: int) -> int:
    """Send so many messages at once, one a job; returns how many were sent.

    Stops at the first failure: without a broker each try would take seconds.
    """
    for sent in range(count):
        try:
            tasks.work.apply_async(retry=False)
        except OperationalError as error:
            logger.warning("broker away, the sweep will send for what waits: %s", error)
            return sent
    return count
