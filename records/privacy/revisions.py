"""The version of the public content: counts increased by each transaction with public changes.

Each changing transaction inserts a row, and the count is the number of rows. Transactions therefore
do not wait for each other, and a row counts from the commit, in any order of commits. (To increment
a shared number, transactions would have to wait for each other. The highest key or the newest time
could become visible before an older key or time.) The sweep merges rows into a row with a count.

A row names the ruleset whose lists and statistics changed, so that responses about other rulesets
stay cached. A row without a ruleset concerns all rulesets. Earlier releases know no rulesets and
merge all rows into the oldest row, which therefore has none.

New facts count from fixed moments, to keep cached statistics valid while games arrive. The version
includes the newest counted part of facts. The two numbers are not added up: the newest part may be
removed, and a version must not occur twice.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import groupby
from typing import Final

from django.conf import settings
from django.db import connections, router, transaction
from django.http import HttpRequest
from django.utils import timezone

from kafu.rules.rulesets import RULESETS
from records.models import FactPart, Revision

#: The ruleset of changes outside the lists and statistics of single rulesets. Unknown rulesets are
#: included, because senders could choose an unlimited number of names.
OTHER: Final = "-"
#: Maximum number of unmerged rows.
_MAX_ROWS: Final = 200
_VERSIONS: Final = "hana_versions"
#: Nearly every request runs this query. Plain text takes a third of the time.
_QUERY: Final = (
    f"SELECT (SELECT COALESCE(SUM(count), 0) FROM {Revision._meta.db_table}{{rows}}),"
    f" (SELECT COALESCE(MAX(id), 0) FROM {FactPart._meta.db_table} WHERE created < %s{{parts}})"
)
_QUERY_OF_ALL: Final = _QUERY.format(rows="", parts="")

#: The count of changes, and the primary key of the newest counted part of facts.
Version = tuple[int, int]


def current(*rulesets: str) -> Version:
    """Return the present version of the public content of rulesets, by default of everything."""
    connection = connections[router.db_for_read(Revision)]
    until = connection.ops.adapt_datetimefield_value(facts_until())
    query, names = _QUERY_OF_ALL, [_name(ruleset) for ruleset in rulesets]
    if names:
        places = ", ".join(["%s"] * len(names))
        query = _QUERY.format(
            rows=f" WHERE ruleset IN ('', {places})", parts=f" AND ruleset IN ({places})"
        )
    with connection.cursor() as cursor:
        cursor.execute(query, (*names, until, *names))
        count, newest = cursor.fetchone()
    return int(count), int(newest)


def _name(ruleset: str) -> str:
    return ruleset if ruleset in RULESETS else OTHER


def facts_until() -> datetime:
    """Return the time until which written parts of facts count now.

    The time advances every `settings.FACTS_SECONDS`, for all processes at the same moment.
    """
    now = timezone.now()
    if not settings.FACTS_SECONDS:
        return now + timedelta(days=1)
    seconds = int(now.timestamp()) // settings.FACTS_SECONDS * settings.FACTS_SECONDS
    return datetime.fromtimestamp(seconds, now.tzinfo)


def at(request: HttpRequest, *rulesets: str) -> Version:
    """Return the result of `current` for a request, the same for all reads of a database."""
    versions: dict[tuple[str, ...], Version] = request.__dict__.setdefault(_VERSIONS, {})
    key = router.db_for_read(Revision), *rulesets
    if key not in versions:
        versions[key] = current(*rulesets)
    return versions[key]


def advance(*rulesets: str) -> None:
    """Increase the version of rulesets, by default of all.

    Call inside a transaction that changes public content.
    """
    names = sorted({_name(ruleset) for ruleset in rulesets}) or [""]
    Revision.objects.bulk_create(Revision(ruleset=name) for name in names)


def tidy() -> int:
    """Merge more than `_MAX_ROWS` rows into a row for each ruleset.

    Return the number of deleted rows.
    """
    with transaction.atomic():
        rows = list(Revision.objects.select_for_update().order_by("ruleset", "pk"))
        if len(rows) <= _MAX_ROWS:
            return 0
        merged: list[int] = []
        for _ruleset, group in groupby(rows, key=lambda row: row.ruleset):
            first, *later = group
            first.count += sum(row.count for row in later)
            first.save(update_fields=["count"])
            merged += [row.pk for row in later]
        Revision.objects.filter(pk__in=merged).delete()
        return len(merged)
