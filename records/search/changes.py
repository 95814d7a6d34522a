"""What changed for everybody since a moment or a cursor, the oldest change first: for mirrors.

A game stands there once, at its last change: as it is now, or as a tombstone once it is no longer
public. A game that never was public is not there. (Why none is missed: `records.store.changes`.)
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final, NamedTuple

from django.db.models import Max, Min

from records.models import GameChange, Gone, Record, Visibility
from records.search.export import PLACES, TEXTS, Place, games
from records.search.selection import beyond
from records.store.changes import publish

#: The clocks of two machines differ by less.
OVERLAP: Final = timedelta(minutes=1)
#: Why a game is no longer public: as `Gone`, or because only those with its address may see it.
UNLISTED: Final = "unlisted"
REASONS: Final = (*Gone.values, UNLISTED)
_ORDER: Final = ("change__number", "pk")
#: Above every primary key.
_ALL: Final = (1 << 63) - 1


class UnknownPlace(Exception):
    """A place behind the last change: the cursor is another archive's."""


class Tombstone(NamedTuple):
    """A game that was public: ``digest`` is the SHA-256 of its key in hexadecimal digits.

    ``key`` is None for a game that is unlisted now: no list gives its address away.
    """

    key: str | None
    digest: str
    gone: datetime
    reason: str


def since(moment: datetime) -> Place:
    """The place after which all changes stand that could be seen only after a moment."""
    later = GameChange.objects.filter(made__gte=moment - OVERLAP)
    first = later.aggregate(number=Min("number"))["number"]
    return (_last() if first is None else first - 1, _ALL)


def places(after: Sequence[int], most: int) -> tuple[list[Place], bool]:
    """At most ``most`` places of games after that place; and whether there are more.

    Raises :class:`UnknownPlace`.
    """
    all_published = publish()
    if after[0] > _last():
        raise UnknownPlace
    found = Record.objects.order_by(*_ORDER).filter(change__isnull=False)
    block = list(found.filter(beyond(_ORDER, after, "gt")).values_list(*_ORDER)[: most + 1])
    return block[:most], len(block) > most or not all_published


def every_place(after: Sequence[int]) -> Iterator[Place]:
    """All places after that one. Raises :class:`UnknownPlace`."""
    more = True
    while more:
        block, more = places(after, PLACES)
        yield from block
        after = block[-1] if block else after


def shown(found: Iterable[Place]) -> Iterator[tuple[Place, Record | Tombstone]]:
    """The games of some places as everybody may see them, or their tombstones."""
    rest = iter(found)
    while block := list(islice(rest, TEXTS)):
        public = dict(games(block))
        yield from _with_tombstones(block, public)


def _with_tombstones(
    block: Sequence[Place], public: dict[Place, Record]
) -> Iterator[tuple[Place, Record | Tombstone]]:
    columns = ("key", "visibility", "gone", "gone_why", "changed")
    hidden = Record.objects.only(*columns).exclude(visibility=Visibility.PUBLIC)
    rest = hidden.in_bulk([place[-1] for place in block if place not in public])
    for place in block:
        if place in public:
            yield place, public[place]
        elif place[-1] in rest:
            yield place, _tombstone(rest[place[-1]])


def _tombstone(record: Record) -> Tombstone:
    digest = hashlib.sha256(record.key.encode()).hexdigest()
    if record.visibility == Visibility.UNLISTED:
        return Tombstone(None, digest, record.changed, UNLISTED)
    why = record.gone_why or Gone.WITHDRAWN
    return Tombstone(record.key, digest, record.gone or record.changed, str(why))


def _last() -> int:
    number: Any = GameChange.objects.aggregate(number=Max("number"))["number"]
    return number or 0
