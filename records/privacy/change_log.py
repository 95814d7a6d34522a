"""The public log of changed games, ordered for readers who continue after the last number.

A transaction that changes records inserts a `GameChange` without a number. With a number or time
assigned in the same transaction, a change could become visible after a change with a higher number,
and readers would miss the change. Therefore `publish` assigns numbers to committed changes, in a
separate transaction and in a single process at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import Exists, Max, OuterRef, QuerySet

from records.base import clock
from records.base.bulk import update_rows
from records.models import GameChange, Line, Record, Visibility

#: Maximum number of changes numbered in one transaction, and searched for games in one sweep.
BATCH: Final = 1_000
#: Name of the row that is locked while numbers are assigned.
_LINE: Final = "numbers of changes"
_COLUMNS: Final = ("number", "made")
#: Cache key of the last number that `tidy` has searched.
_SEARCHED: Final = "changes-searched"


def begin() -> GameChange:
    """Insert a change for games inserted by the current transaction."""
    return GameChange.objects.create()


def of(records: Iterable[Record]) -> dict[int, GameChange]:
    """Insert a change for present or former public records. Return the change by primary key."""
    public = [row.pk for row in records if row.change_id or row.visibility == Visibility.PUBLIC]
    return dict.fromkeys(public, begin()) if public else {}


def mark(records: Iterable[Record]) -> None:
    """Mark locked records as publicly changed by the current transaction."""
    changed = of(records)
    for change in set(changed.values()):
        Record.objects.filter(pk__in=list(changed)).update(change=change)


def publish() -> bool:
    """Assign numbers to a batch of committed changes. Return whether all have a number now."""
    if not _pending().exists():
        return True
    with transaction.atomic():
        Line.objects.select_for_update(no_key=True).get_or_create(name=_LINE)
        last = GameChange.objects.aggregate(number=Max("number"), made=Max("made"))
        pks = list(_pending().values_list("pk", flat=True)[:BATCH])
        now = clock.now()
        made_at = max(now, last["made"] or now)
        at = connection.ops.adapt_datetimefield_value(made_at)
        rows = enumerate(pks, start=(last["number"] or 0) + 1)
        update_rows(GameChange, _COLUMNS, [(number, at, pk) for number, pk in rows])
    return len(pks) < BATCH


def tidy() -> int:
    """Assign pending numbers and delete changes without games, for the sweep.

    A change has no games left if all of them changed again. Readers do not notice the deletion,
    because a cursor may point between changes. The change with the last number stays, because the
    next number depends on it. Each sweep searches `BATCH` changes. Return the number of changes
    numbered or deleted.
    """
    pending = _pending().count()
    while not publish():
        pass
    last = GameChange.objects.aggregate(number=Max("number"))["number"]
    former = GameChange.objects.filter(number__gt=cache.get(_SEARCHED, 0), number__lt=last or 0)
    numbers = list(former.order_by("number").values_list("number", flat=True)[:BATCH])
    cache.set(_SEARCHED, numbers[-1] if len(numbers) == BATCH else 0, None)
    # ``records=None`` would be a join that reads all records.
    games = Record.objects.filter(change=OuterRef("pk"))
    empty = GameChange.objects.filter(~Exists(games), number__in=numbers)
    pks = list(empty.values_list("pk", flat=True))
    GameChange.objects.filter(pk__in=pks).delete()
    return pending + len(pks)


def _pending() -> QuerySet[GameChange]:
    return GameChange.objects.filter(number=None).order_by("pk")
