"""The version of what everybody may see: another number after each transaction that changed it.

Each such transaction adds a row, so that none waits for another, and the version is how many there
are: a row counts from the moment at which the change can be seen, whatever the order of the ends.
(A number that each raises would make them wait for one another; the highest key of a row, or the
newest time, can be seen before an older one is.) Now and then many rows become one.
"""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models import Sum

from records.models import Revision

#: Rows that are left alone: to add them up is quicker than to make one of them.
_FEW: Final = 200


def current() -> int:
    """The version at this moment."""
    found: int | None = Revision.objects.order_by().aggregate(sum=Sum("count"))["sum"]
    return found or 0


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
