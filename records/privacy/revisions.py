"""The version of what everybody may see: another number after each transaction that changed it.

Each such transaction adds a row, so that none waits for another, and the version is how many there
are: a row counts from the moment at which the change can be seen, whatever the order of the ends.
(A number that each raises would make them wait for one another; the highest key of a row, or the
newest time, can be seen before an older one is.) Now and then many rows become one.

New facts count from fixed moments on, so that statistics can be cached while games keep coming in.
The version contains the newest part that counts.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from django.http import HttpRequest
from django.utils import timezone

from records.models import FactPart, Revision

#: Rows that are left alone: to add them up is quicker than to make one of them.
_FEW: Final = 200
_SEEN: Final = "hana_version"
#: Asked by nearly every request: as text, it takes a third of the time.
_CURRENT: Final = (
    f"SELECT (SELECT COALESCE(SUM(count), 0) FROM {Revision._meta.db_table})"
    f" + (SELECT COALESCE(MAX(id), 0) FROM {FactPart._meta.db_table} WHERE created < %s)"
)


def current() -> int:
    """Return the version at this moment."""
    until = connection.ops.adapt_datetimefield_value(facts_until())
    with connection.cursor() as cursor:
        cursor.execute(_CURRENT, (until,))
        return int(cursor.fetchone()[0])


def facts_until() -> datetime:
    """Return the time before which parts of facts must have been written to count now.

    It advances every `settings.FACTS_SECONDS`, for all processes at the same moment.
    """
    now = timezone.now()
    if not settings.FACTS_SECONDS:
        return now + timedelta(days=1)
    seconds = int(now.timestamp()) // settings.FACTS_SECONDS * settings.FACTS_SECONDS
    return datetime.fromtimestamp(seconds, now.tzinfo)


def at(request: HttpRequest) -> int:
    """The version at the moment at which a request was first asked for it."""
    found: int | None = getattr(request, _SEEN, None)
    if found is None:
        found = current()
        setattr(request, _SEEN, found)
    return found


def advance() -> None:
    """Part of a transaction that changes what everybody may see: afterwards it is another one."""
    Revision.objects.create()


def tidy() -> int:
    """Make one row of many; returns how many went."""
    with transaction.atomic():
        rows = list(Revision.objects.select_for_update().order_by("pk"))
        if len(rows) <= _FEW:
            return 0
        first, *rest = rows
        first.count += sum(one.count for one in rest)
        first.save(update_fields=["count"])
        Revision.objects.filter(pk__in=[one.pk for one in rest]).delete()
        return len(rest)
