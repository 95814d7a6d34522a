"""The schedule of dumps: the games of a month, and the time when its dump is due."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final

from django.db.models import QuerySet

from records.base import clock
from records.facts.refresh import find_due
from records.jobs.enqueue import enqueue
from records.models import Dump, Record, Visibility

#: The kind of the jobs; their subject is a month such as ``2026-10``.
DUMP: Final = "dump"


def month_end(month: str) -> datetime:
    """Return the first moment after a month ``2026-10``. Raises ValueError for an invalid month."""
    following = date.fromisoformat(f"{month}-01") + timedelta(days=31)
    return datetime(following.year, following.month, 1, tzinfo=UTC)


def month_of(moment: datetime) -> str:
    """Return the month of a moment, in UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m")


def find_due_month(now: datetime, *, first: bool = False) -> str | None:
    """Return the month whose dump is due, the last month, or None.

    None if the dump exists, or the month has no games. With ``first``, an archive without any dump
    gets a dump of the current month.
    """
    last = month_of(now.astimezone(UTC).replace(day=1) - timedelta(days=1))
    if not Dump.objects.filter(month=last, whole=True).exists() and find_games(last).exists():
        return last
    current = month_of(now)
    if first and not Dump.objects.exists() and find_games(current).exists():
        return current
    return None


def find_games(month: str) -> QuerySet[Record]:
    """Return the games in a month's dump, the oldest in the archive first."""
    public = Record.objects.filter(visibility=Visibility.PUBLIC, created__lt=month_end(month))
    return public.order_by("pk")


def enqueue_due(*, first: bool = False) -> None:
    """Enqueue the due dump, once the facts of 99 % of its games are written.

    ``first`` is passed to `find_due_month`.
    """
    month = find_due_month(clock.now(), first=first)
    if month is not None and 100 * find_due().count() <= find_games(month).count():
        enqueue(DUMP, month)
