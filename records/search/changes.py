"""The public log of changed games since a time or a cursor, oldest change first, for mirrors.

Each game is listed once, at the last change, with the current content or as a tombstone if no
longer public. Games that were never public are not listed. `records.privacy.change_log` explains
why readers cannot miss a change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import Max, Min

from records.models import GameChange, Gone, Record, Visibility
from records.privacy.change_log import publish
from records.search.export import PLACES, Place, games, read_in_blocks
from records.search.selection import beyond
from records.shapes.records import UNLISTED

#: Maximum difference between the clocks of two machines.
OVERLAP: Final = timedelta(minutes=1)
_ORDER: Final = ("change__number", "pk")
#: Greater than every primary key.
_MAX_PK: Final = (1 << 63) - 1


class UnknownPlace(Exception):
    """A cursor after the last change, probably of another archive."""


class Tombstone(NamedTuple):
    """A game that is no longer public. ``digest`` is the SHA-256 of its key in hexadecimal digits.

    ``key`` is None for an unlisted game, because lists must not reveal the address.
    """

    key: str | None
    digest: str
    gone: datetime
    reason: str


def place_at(moment: datetime) -> Place:
    """Return a place before all changes that became visible after a time."""
    later = GameChange.objects.filter(made__gte=moment - OVERLAP)
    first = later.aggregate(number=Min("number"))["number"]
    return (_find_last_number() if first is None else first - 1, _MAX_PK)


def places(after: Sequence[int], most: int) -> tuple[list[Place], bool]:
    """Return at most ``most`` places of games after a place, and whether there are more.

    Raise :class:`UnknownPlace`.
    """
    all_published = publish()
    if after[0] > _find_last_number():
        raise UnknownPlace
    changed = Record.objects.order_by(*_ORDER).filter(change__isnull=False)
    block = list(changed.filter(beyond(_ORDER, after, "gt")).values_list(*_ORDER)[: most + 1])
    return block[:most], len(block) > most or not all_published


def every_place(after: Sequence[int]) -> Iterator[Place]:
    """Yield all places after a place. Raise :class:`UnknownPlace`."""
    more = True
    while more:
        block, more = places(after, PLACES)
        yield from block
        after = block[-1] if block else after


def games_or_tombstones(
    places: Iterable[Place],
) -> Iterator[tuple[Place, Record | Tombstone]]:
    """Yield the public games of places, or their tombstones."""
    return read_in_blocks(places, lambda block: _with_tombstones(block, dict(games(block))))


def _with_tombstones(
    block: Sequence[Place], public: dict[Place, Record]
) -> Iterator[tuple[Place, Record | Tombstone]]:
    columns = ("key", "visibility", "gone", "gone_why", "changed")
    hidden = Record.objects.only(*columns).exclude(visibility=Visibility.PUBLIC)
    gone = hidden.in_bulk([place[-1] for place in block if place not in public])
    for place in block:
        if place in public:
            yield place, public[place]
        elif place[-1] in gone:
            yield place, _make_tombstone(gone[place[-1]])


def _make_tombstone(record: Record) -> Tombstone:
    digest = hashlib.sha256(record.key.encode()).hexdigest()
    if record.visibility == Visibility.UNLISTED:
        return Tombstone(None, digest, record.changed, UNLISTED)
    reason = record.gone_why or Gone.WITHDRAWN
    return Tombstone(record.key, digest, record.gone or record.changed, str(reason))


def _find_last_number() -> int:
    number: Any = GameChange.objects.aggregate(number=Max("number"))["number"]
    return number or 0
