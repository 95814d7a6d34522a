"""Compaction: a player's or an event's months added up in one row, for questions about all of them.

The sums of months are updated with every game (`records.totals.sums_of_games`); the sum of all
months is made by a job, a turn at a time. Its ``version`` is the sum of the versions of its months:
these only grow, so it shows whether the row is up to date. If it is not, or is missing, the months
are read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any, Final

from django.core.cache import cache
from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet, Sum

from records.base.sums import Tally, add_tally
from records.models import Job, Rollup
from records.models.statistics import TOTAL, UNKNOWN
from records.totals.layout import games_and_deals
from records.totals.scopes import Scope
from records.work.enqueue import enqueue
from records.work.ledger import finish, hold, put_off

#: With fewer months the sums are added up when they are queried.
FEW: Final = 4
BATCH: Final = 200
#: The kind, and the subject, of the one job.
COMPACTION: Final = "compaction"
ALL: Final = "months"
#: How long the job goes on before other work is looked after.
TURN_SECONDS: Final = 0.5
#: Sums of all months that are made here; those of the archive are not.
FOLDED: Final = Q(month=TOTAL) & ~Q(player=None, event="")
_MONTHS: Final = Q(month__gte=UNKNOWN) & ~Q(player=None, event="")
_SCOPE: Final = ("ruleset", "profile", "options", "player", "event")
_DONE: Final = "statistics.compacted"


def schedule() -> None:
    """Enqueue the job where there is something to do."""
    if _is_due():
        enqueue(COMPACTION, ALL)


def run(job: Job) -> None:
    """Make what is due, for a turn. Raises :class:`records.work.ledger.LeaseLost`."""
    done = compact(TURN_SECONDS)
    with transaction.atomic():
        held = hold(job)
        held.progress += done
        if done and _is_due():
            put_off(held)
        else:
            finish(held)


def compact(seconds: float) -> int:
    """Make what is due, for so long, one row at least; returns how many were written."""
    newest = _newest()
    if not _is_due():
        return 0
    end, done = time.monotonic() + seconds, 0
    for scope in due():
        _compact(scope)
        done += 1
        if time.monotonic() >= end:
            return done
    cache.set(_DONE, newest, None)
    return done


def _newest() -> str | None:
    """When the sums of the archive changed last; None for an archive without games."""
    everything = Rollup.objects.filter(player=None, event="", month=TOTAL)
    newest = everything.aggregate(newest=Max("changed"))["newest"]
    return newest.isoformat() if newest is not None else None


def _is_due() -> bool:
    return _newest() not in (None, cache.get(_DONE))


def due() -> Iterator[Scope]:
    """The scopes with many months whose sum is not up to date."""
    months = Rollup.objects.order_by().filter(_MONTHS).values_list(*_SCOPE)
    many = months.annotate(count=Count("pk"), of=Sum("version")).filter(count__gte=FEW)
    rows = many.iterator(chunk_size=BATCH)
    while part := list(islice(rows, BATCH)):
        scopes = {_scope(row): row[-1] for row in part}
        keys = [scope.key for scope in scopes]
        kept = dict(Rollup.objects.filter(key__in=keys).values_list("key", "version"))
        yield from (scope for scope, version in scopes.items() if kept.get(scope.key) != version)


def _scope(row: Sequence[Any]) -> Scope:
    ruleset, profile, options, player, event = row[:5]
    return Scope(ruleset, profile, options, TOTAL, player or 0, event)


def _months_of(scope: Scope) -> QuerySet[Rollup]:
    house = {"ruleset": scope.ruleset, "profile": scope.profile, "options": scope.options}
    owner = {"player": scope.player or None, "event": scope.event}
    return Rollup.objects.filter(**house, **owner, month__gte=UNKNOWN)


def _compact(scope: Scope) -> None:
    whole, version, changed = _added_up(_months_of(scope))
    row = Rollup(key=scope.key, sums=whole, version=version, changed=changed, month=TOTAL)
    row.games, row.deals = games_and_deals(whole)
    row.ruleset, row.profile, row.options = scope[:3]
    row.player_id, row.event = scope.player or None, scope.event
    # Of two concurrent writers either may be the last: an outdated row is not taken for up to date.
    Rollup.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["key"],
        update_fields=["sums", "games", "deals", "version", "changed"],
    )


def _added_up(months: QuerySet[Rollup]) -> tuple[Tally, int, Any]:
    whole: Tally = {}
    # One statement: the sums are of one moment.
    rows = list(months.order_by("month").only("sums", "version", "changed"))
    for row in rows:
        add_tally(whole, row.sums)
    return whole, sum(row.version for row in rows), max((row.changed for row in rows), default=None)


def fewest(rows: QuerySet[Rollup]) -> list[int]:
    """The smallest set of a player's or of events' rows (primary keys) that covers all months."""
    read = rows.order_by(*_SCOPE, "month").values_list("pk", "month", "version", *_SCOPE)
    found: list[int] = []
    for _of, scope in groupby(read, key=lambda row: row[3:]):
        months = {month: (pk, version) for pk, month, version, *_ in scope}
        pk, version = months.pop(TOTAL, (0, -1))
        fresh = version == sum(version for _pk, version in months.values())
        found += [pk] if fresh else [pk for pk, _version in months.values()]
    return found


def differences(title: Callable[[Rollup], str]) -> Iterator[tuple[str, Tally, Tally]]:
    """Rows that count as up to date: their ``title``, what they hold and what they should hold."""
    for row in Rollup.objects.filter(FOLDED).order_by("pk").iterator(chunk_size=BATCH):
        scope = _scope([getattr(row, name) for name in (*_SCOPE[:3], "player_id", "event")])
        whole, version, _changed = _added_up(_months_of(scope))
        if row.version == version:
            yield title(row), row.sums, whole
