"""Which games changed for everybody, in an order in which no change can be missed.

In: records that a transaction changes. Out: a `GameChange` as part of it, and the number of that
afterwards.

Who follows the archive reads changes by number and remembers the last. A number given within the
transaction, or a time, could be seen after a later one was, and would be missed. So it is given
when the change can be seen: by one process at a time, in a transaction of its own. All numbers of
such a transaction appear together, and the next one begins after its end.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db import connection, transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from records.base.bulk import update_rows
from records.models import GameChange, Line, Record, Visibility

#: Changes that get their numbers in one transaction.
BATCH: Final = 1_000
#: The row that is locked while numbers are given.
_LINE: Final = "numbers of changes"
_COLUMNS: Final = ("number", "made")


def begin() -> GameChange:
    """The change that a transaction makes, for games that it inserts."""
    return GameChange.objects.create()


def of(records: Iterable[Record]) -> dict[int, GameChange]:
    """A new change by the primary keys of those records of which everybody knows: they are public,
    or were so once. Others keep what they have, None.
    """
    public = [row.pk for row in records if row.change_id or row.visibility == Visibility.PUBLIC]
    return dict.fromkeys(public, begin()) if public else {}


def mark(records: Iterable[Record]) -> None:
    """Note that what everybody may see of locked records is changed by this transaction."""
    changed = of(records)
    for change in set(changed.values()):
        Record.objects.filter(pk__in=list(changed)).update(change=change)


def publish() -> bool:
    """Number the changes that can be seen by now, some at a time; returns whether all have one."""
    if not _pending().exists():
        return True
    with transaction.atomic():
        Line.objects.select_for_update(no_key=True).get_or_create(name=_LINE)
        last = GameChange.objects.aggregate(number=Max("number"), made=Max("made"))
        pks = list(_pending().values_list("pk", flat=True)[:BATCH])
        made = max(timezone.now(), last["made"] or timezone.now())
        at = connection.ops.adapt_datetimefield_value(made)
        rows = enumerate(pks, start=(last["number"] or 0) + 1)
        update_rows(GameChange, _COLUMNS, [(number, at, pk) for number, pk in rows])
    return len(pks) < BATCH


def tidy() -> int:
    """Number what waits, and forget changes whose games all changed again; returns how many changes
    that were. For the sweep.

    A numbered change gets no more games, and of what is forgotten nobody could ask: a cursor is a
    place, which need not be there. The last stays, by which the next is numbered.
    """
    waiting = _pending().count()
    while not publish():
        pass
    last = GameChange.objects.aggregate(number=Max("number"))["number"]
    past = GameChange.objects.filter(number__lt=last or 0, records=None)
    pks = list(past.order_by("pk").values_list("pk", flat=True)[:BATCH])
    GameChange.objects.filter(pk__in=pks).delete()
    return waiting + len(pks)


def _pending() -> QuerySet[GameChange]:
    return GameChange.objects.filter(number=None).order_by("pk")
