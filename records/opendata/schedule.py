"""The dump of a month is enqueued when the month is over. Knows nothing of how one is made."""

from __future__ import annotations

from typing import Final

from records.base import clock
from records.opendata.months import due
from records.work.enqueue import enqueue

#: The kind of the jobs; their subject is a month such as ``2026-10``.
DUMP: Final = "dump"


def enqueue_due(*, first: bool = False) -> None:
    """Enqueue the dump that is due. ``first``: an archive without any has one of this month."""
    month = due(clock.now(), first=first)
    if month is not None:
        enqueue(DUMP, month)
