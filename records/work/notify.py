"""Telling workers that there is work: a message to Celery, or a word over the database.

It is a hint; the rows are the work, and which of them is done next the ledger says. One that cannot
be sent costs some seconds, until the sweep finds the row waiting, or the embedded worker looks.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from kombu.exceptions import OperationalError

from records.work.ledger import Row

#: What an embedded worker listens to on PostgreSQL. (On SQLite it sees that the file has changed.)
CHANNEL: Final = "hana_work"

logger = logging.getLogger(__name__)


def wake(rows: Sequence[Row]) -> None:
    """On commit, tell workers of rows that are due. Never raises for a broker's sake: the rows are
    safe already.
    """
    if settings.REDIS_URL:
        transaction.on_commit(partial(send, len(rows)), robust=True)
    elif rows:
        ring()


def ring() -> None:
    """Tell the embedded worker, when this transaction is committed, that there is work."""
    if not settings.REDIS_URL and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"NOTIFY {CHANNEL}")


def send(count: int) -> int:
    """Enqueue so many messages at once, one a row; returns how many were sent.

    Stops at the first that cannot be: with the broker away each try would take seconds.
    """
    # The tasks import the stages, and these wake.
    from records.work import tasks

    for sent in range(count):
        try:
            tasks.work.apply_async(retry=False)
        except OperationalError as error:
            logger.warning("broker away, the sweep will enqueue what waits: %s", error)
            return sent
    return count
