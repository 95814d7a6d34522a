"""Enqueues the dump of a month when the month is over."""

from __future__ import annotations

from typing import Final

from records.base import clock
from records.facts.refresh import find_due
from records.opendata.months import due, public
from records.work.enqueue import enqueue

#: The kind of the jobs; their subject is a month such as ``2026-10``.
DUMP: Final = "dump"


def enqueue_due(*, first: bool = False) -> None:
    """Enqueue the dump that is due, once the facts of 99 % of its games are written.

    With ``first``, an archive without any dump gets one of this month.
    """
    month = due(clock.now(), first=first)
    if month is not None and 100 * find_due().count() <= public(month).count():
        enqueue(DUMP, month)
