"""Numbers of names: houses, dealt hands, yaku, sets of yaku, events, as `InsightName` has them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

import numpy as np
from django.db.models import Max

from records.base.bulk import slices
from records.models import InsightName

#: Kinds of names: a house with its options, the yaku of a dealt hand, a yaku, several of them in
#: order with blanks between, an event.
HOUSE: Final = "house"
HAND: Final = "hand"
YAKU: Final = "yaku"
YAKU_SET: Final = "yaku set"
EVENT: Final = "event"
#: The name for none, of a yaku or a hand.
NONE: Final = "none"
#: By the number of a set and that of a yaku whether the set has it; the last column is `NOBODYS`.
Members = np.ndarray[Any, np.dtype[np.bool_]]
#: Where no sets are asked about.
NO_MEMBERS: Final[Members] = np.zeros((1, 2), bool)
#: The number of a yaku that nobody made.
NOBODYS: Final = -1
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
        """The number of a name; 0 for an empty one. The yaku of a set are numbered too."""
        if not text:
            return 0
        found = self._known.get((kind, text))
        if found is None:
            found = self._known[kind, text] = self._last[kind] = self._last.get(kind, 0) + 1
            self._fresh.append(InsightName(kind=kind, number=found, text=text))
            for yaku in text.split() if kind == YAKU_SET else ():
                self.number(YAKU, yaku)
        return found

    def set_of(self, yaku: Iterable[str]) -> int:
        """The number of a set of yaku; of one without any too."""
        return self.number(YAKU_SET, " ".join(sorted({*yaku})) or NONE)

    def members(self) -> Members:
        """As the function `members`, of all that are known here."""
        kinds = (YAKU, YAKU_SET)
        return _members(
            *({text: n for (of, text), n in self._known.items() if of == kind} for kind in kinds)
        )

    def write(self) -> None:
        """Store what is new."""
        InsightName.objects.bulk_create(self._fresh)
        self._fresh = []


def members() -> Members:
    """Which yaku each set has."""
    found = ({text: n for n, text in texts(kind).items()} for kind in (YAKU, YAKU_SET))
    return _members(*found)


def _members(yaku: Mapping[str, int], sets: Mapping[str, int]) -> Members:
    last_set, last = (max(of.values(), default=0) for of in (sets, yaku))
    found = np.zeros((last_set + 1, last + 2), bool)
    for text, number in sets.items():
        found[number, [yaku[one] for one in text.split()]] = True
    return found


def texts(kind: str) -> dict[int, str]:
    """The names of a kind by number."""
    rows = InsightName.objects.order_by().filter(kind=kind)
    return dict(rows.values_list("number", "text"))


def forget(kind: str, used: Collection[int]) -> None:
    """Remove the names of a kind that no fact has: nobody is to find here what was withdrawn."""
    gone = sorted(set(texts(kind)) - set(used))
    for some in slices(gone, _VALUES):
        InsightName.objects.filter(kind=kind, number__in=some).delete()
