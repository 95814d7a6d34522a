"""Numbers of names: houses, dealt hands, yaku, events, as `InsightName` has them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.db.models import Max

from records.base.bulk import slices
from records.models import InsightName

#: Kinds of names: a house with its options, the yaku of a dealt hand, a yaku, an event.
HOUSE: Final = "house"
HAND: Final = "hand"
YAKU: Final = "yaku"
EVENT: Final = "event"
#: The name for none, of a yaku or a hand.
NONE: Final = "none"
#: Values of a statement.
_VALUES: Final = 20_000


class Numbering:
    """The numbers of names, new ones given as they are asked for: `write` stores these.

    One process at a time numbers names (`records.insights.following`).
    """

    def __init__(self) -> None:
        rows = InsightName.objects.order_by().values_list("kind", "text", "number")
        self._known = {(kind, text): number for kind, text, number in rows}
        last = InsightName.objects.order_by().values("kind").annotate(last=Max("number"))
        self._last: dict[str, int] = dict(last.values_list("kind", "last"))
        self._fresh: list[InsightName] = []

    def number(self, kind: str, text: str) -> int:
        """The number of a name; 0 for an empty one."""
        if not text:
            return 0
        found = self._known.get((kind, text))
        if found is None:
            found = self._known[kind, text] = self._last[kind] = self._last.get(kind, 0) + 1
            self._fresh.append(InsightName(kind=kind, number=found, text=text))
        return found

    def write(self) -> None:
        """Store what is new."""
        InsightName.objects.bulk_create(self._fresh)
        self._fresh = []


def texts(kind: str) -> dict[int, str]:
    """The names of a kind by number."""
    rows = InsightName.objects.order_by().filter(kind=kind)
    return dict(rows.values_list("number", "text"))


def forget(kind: str, used: Collection[int]) -> None:
    """Remove the names of a kind that no fact has: nobody is to find here what was withdrawn."""
    gone = sorted(set(texts(kind)) - set(used))
    for some in slices(gone, _VALUES):
        InsightName.objects.filter(kind=kind, number__in=some).delete()
