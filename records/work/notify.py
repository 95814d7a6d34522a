"""Notifies workers that there is work: a message to Celery, or a notification by the database.

It is only a hint; the jobs are rows, and the ledger decides which one is next. A message that
cannot be sent costs some seconds, until the sweep finds the job waiting, or the embedded worker
polls.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from django.conf import settings
from django.db import connection, transaction

#: The channel of an embedded worker on PostgreSQL. (On SQLite it sees that the file has changed.)
CHANNEL: Final = "hana_work"


def notify(count: int) -> None:
    """Notify workers on commit of so many jobs.

    An error of the broker raises nothing, because the rows are written.
    """
    if count and settings.REDIS_URL:
        transaction.on_commit(partial(_send, count), robust=True)
    elif count and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"NOTIFY {CHANNEL}")


def _send(count: int) -> None:
    from records.work import messages  # noqa: PLC0415 - it loads Celery

    messages.send(count)
