"""The version of the public content: a number increased by each transaction with public changes.

Each changing transaction inserts a row, and the version is the number of rows. Transactions
therefore do not wait for each other, and a row counts from the commit, in any order of commits. (To
increment a shared number, transactions would have to wait for each other. The highest key or the
newest time could become visible before an older key or time.) The sweep merges rows into a single
row with a count.

New facts count from fixed moments, to keep cached statistics valid while games arrive. The version
includes the newest counted part of facts.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from django.http import HttpRequest
from django.utils import timezone

from records.models import FactPart, Revision

#: Number of rows up to which they are not merged.
_MAX_ROWS: Final = 200
_VERSION: Final = "hana_version"
#: Nearly every request runs this query. As text it takes a third of the time.
_QUERY: Final = (
    f"SELECT (SELECT COALESCE(SUM(count), 0) FROM {Revision._meta.db_table})"
    f" + (SELECT COALESCE(MAX(id), 0) FROM {FactPart._meta.db_table} WHERE created < %s)"
)


def current() -> int:
    """Return the present version."""
    until = connection.ops.adapt_datetimefield_value(facts_until())
    with connection.cursor() as cursor:
        cursor.execute(_QUERY, (until,))
        return int(cursor.fetchone()[0])


def facts_until() -> datetime:
    """Return the time until which written parts of facts count now.

    The time advances every `settings.FACTS_SECONDS`, for all processes at the same moment.
    """
    now = timezone.now()
    if not settings.FACTS_SECONDS:
        return now + timedelta(days=1)
    seconds = int(now.timestamp()) // settings.FACTS_SECONDS * settings.FACTS_SECONDS
    return datetime.fromtimestamp(seconds, now.tzinfo)


def at(request: HttpRequest) -> int:
    """Return the version for a request, the same during the whole request."""
    version: int | None = getattr(request, _VERSION, None)
    if version is None:
        version = current()
        setattr(request, _VERSION, version)
    return version


def advance() -> None:
    """Increase the version. Call inside a transaction that changes public content."""
    Revision.objects.create()


def tidy() -> int:
    """Merge more than `_MAX_ROWS` rows into a single row. Return the number of deleted rows."""
    with transaction.atomic():
        rows = list(Revision.objects.select_for_update().order_by("pk"))
        if len(rows) <= _MAX_ROWS:
            return 0
        first, *merged = rows
        first.count += sum(row.count for row in merged)
        first.save(update_fields=["count"])
        Revision.objects.filter(pk__in=[row.pk for row in merged]).delete()
        return len(merged)
