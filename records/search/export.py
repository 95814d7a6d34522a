"""Games of a selection with their texts, read in blocks.

No database cursor stays open between two blocks. Therefore a slow reader does not hold a
transaction, and a game withdrawn during the export is not sent. What a reader has not taken from a
block within `MAX_AGE_SECONDS` is read again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from math import inf
from typing import Final, TypeVar

from django.db.models import QuerySet

from records.models import Record, Visibility
from records.privacy.access import Viewer, ownerships_of, records_for
from records.privacy.masking import mask, mask_text
from records.privacy.redaction import Redaction, archive_redaction
from records.search.games import records, show_own_texts
from records.search.selection import PLAIN, GameSelection, beyond, listings

#: The values of a game in the sort columns. The last is the primary key.
Place = tuple[int, ...]
Row = TypeVar("Row")
#: Number of places in a query, and of games with their texts (up to 1 MiB each).
PLACES: Final = 2_000
TEXTS: Final = 50
#: Maximum age of a text that is sent.
MAX_AGE_SECONDS: Final = 1.0
#: Maximum number of games requested by their keys.
MOST_KEYS: Final = 300


def places(
    selection: GameSelection, after: Sequence[int] = (), most: int | None = None
) -> Iterator[Place]:
    """Yield at most ``most`` places of matching games in order, starting after ``after``."""
    matching = listings(selection)
    order = [str(name) for name in matching.query.order_by]
    names = [name.removeprefix("-") for name in order]
    columns = [name.removeprefix(PLAIN) for name in names]
    side = "lt" if order[0].startswith("-") else "gt"
    place, remaining = tuple(after), most
    while remaining is None or remaining > 0:
        rows = matching.filter(beyond(names, place, side)) if place else matching
        size = PLACES if remaining is None else min(PLACES, remaining)
        block: list[Place] = list(rows.values_list(*columns)[:size])
        yield from block
        if len(block) < size:
            return
        place, remaining = block[-1], None if remaining is None else remaining - size


def games(
    places: Iterable[Place], owner: int | None = None, *, verdicts: bool = False
) -> Iterator[tuple[Place, Record]]:
    """Yield the masked games of places with their texts, and with ``verdicts`` their verdicts.

    Without an ``owner``, yield public games. With an owner, yield the owner's games as uploaded.
    """
    return read_in_blocks(places, lambda block: _read_games(block, owner, verdicts))


def read_in_blocks(
    places: Iterable[Place], read: Callable[[list[Place]], Iterator[tuple[Place, Row]]]
) -> Iterator[tuple[Place, Row]]:
    """Yield the rows that ``read`` yields for blocks of places.

    The places that a slow reader has not taken in time are passed to ``read`` again.
    """
    following = iter(places)
    late: list[Place] = []
    while block := [*late, *islice(following, TEXTS - len(late))]:
        late = []
        expires = inf  # The first row is never late, however long reading takes.
        for place, row in read(block):
            if time.monotonic() > expires:
                late = block[block.index(place) :]
                break
            yield place, row
            if expires == inf:
                expires = time.monotonic() + MAX_AGE_SECONDS


def _read_games(
    block: list[Place], owner: int | None, verdicts: bool
) -> Iterator[tuple[Place, Record]]:
    rows = _with_texts(verdicts)
    if owner is None:
        rows = rows.filter(visibility=Visibility.PUBLIC)
    else:
        rows = rows.filter(pk__in=ownerships_of(owner).values("record"))
    records = rows.in_bulk([place[-1] for place in block])
    show_own_texts(records.values(), Viewer(owner))
    redaction = archive_redaction()
    for place in block:
        record = records.get(place[-1])
        if record is not None:
            yield place, _mask(record, redaction, verdicts)


def by_keys(keys: Sequence[str], viewer: Viewer) -> list[Record]:
    """Return the games with keys that a viewer may see, in the order of the keys, without texts."""
    visible = records().filter(records_for(viewer), key__in=keys)
    rows = {record.key: record for record in visible}
    return [rows[key] for key in dict.fromkeys(keys) if key in rows]


def texts_of(
    games: Sequence[Record], viewer: Viewer, *, verdicts: bool = False
) -> Iterator[tuple[Place, Record]]:
    """Yield games with their texts (and verdicts) if the viewer may still see them."""

    def read(block: list[Place]) -> Iterator[tuple[Place, Record]]:
        visible = _with_texts(verdicts).filter(records_for(viewer))
        with_texts = visible.in_bulk([place[-1] for place in block])
        show_own_texts(with_texts.values(), viewer)
        redaction = archive_redaction()
        for place in block:
            if place[-1] in with_texts:
                yield place, _mask(with_texts[place[-1]], redaction, verdicts)

    return read_in_blocks(((record.pk,) for record in games), read)


def _with_texts(verdicts: bool) -> QuerySet[Record]:
    games = records().defer(None)
    return games if verdicts else games.defer("verdict", "tags")


def _mask(record: Record, redaction: Redaction, verdicts: bool) -> Record:
    return mask(record, redaction) if verdicts else mask_text(record, redaction)
