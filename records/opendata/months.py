"""Which months have a dump, and which is due next. Does not know how one is made."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db.models import QuerySet

from records.models import Dump, Record, Visibility


def month_end(month: str) -> datetime:
    """The first moment after a month ``2026-10``. Raises ValueError if it is invalid."""
    year, number = month.split("-")
    if len(year) != 4 or len(number) != 2:
        raise ValueError(month)
    first = datetime(int(year), int(number), 1, tzinfo=UTC)
    return (first + timedelta(days=31)).replace(day=1)


def month_of(moment: datetime) -> str:
    """The month of a moment, in UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m")


def due(now: datetime, *, first: bool = False) -> str | None:
    """The month of which a dump is due: the last one, once it is over.

    None if there is one, or nothing to put into it. With ``first``, an archive without any dump
    gets one of the current month.
    """
    last = month_of(now.astimezone(UTC).replace(day=1) - timedelta(days=1))
    if not Dump.objects.filter(month=last, whole=True).exists() and public(last).exists():
        return last
    this = month_of(now)
    if first and not Dump.objects.exists() and public(this).exists():
        return this
    return None


def public(month: str) -> QuerySet[Record]:
    """The games in a month's dump, the oldest in the archive first."""
    shown = Record.objects.filter(visibility=Visibility.PUBLIC, created__lt=month_end(month))
    return shown.order_by("pk")
