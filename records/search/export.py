"""Games of a selection with their texts, however many, a few at a time.

No database cursor stays open between two blocks: a slow reader holds no transaction, and what is
withdrawn meanwhile is not sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from django.db.models import QuerySet

from records.models import Record, Visibility
from records.privacy.access import Viewer, ownerships_of, records_for
from records.privacy.redaction import Redaction, archive_redaction
from records.search.games import own, records
from records.search.selection import PLAIN, Selection, beyond, listings
from records.store.pseudonyms import mask, mask_text

#: The columns that a sort compares, of one game: the last is its primary key.
Place = tuple[int, ...]
#: Places queried at once, and games with their texts: a text has up to 1 MiB.
PLACES: Final = 2_000
TEXTS: Final = 50
#: Maximum number of games requested by their keys.
MOST_KEYS: Final = 300


def places(
    wanted: Selection, after: Sequence[int] = (), most: int | None = None
) -> Iterator[Place]:
    """The places of the matching games in order, starting after ``after``; at most ``most``."""
    found = listings(wanted)
    order = [str(name) for name in found.query.order_by]
    names = [name.removeprefix("-") for name in order]
    columns = [name.removeprefix(PLAIN) for name in names]
    side = "lt" if order[0].startswith("-") else "gt"
    place, left = tuple(after), most
    while left is None or left > 0:
        rows = found.filter(beyond(names, place, side)) if place else found
        size = PLACES if left is None else min(PLACES, left)
        block: list[Place] = list(rows.values_list(*columns)[:size])
        yield from block
        if len(block) < size:
            return
        place, left = block[-1], None if left is None else left - size


def games(
    found: Iterable[Place], owner: int | None = None, *, verdicts: bool = False
) -> Iterator[tuple[Place, Record]]:
    """The games of some places in their order, each with its text as it may be shown, and with
    ``verdicts`` its verdict.

    Without an ``owner`` those that are still public; with one, the games that they own, as uploaded
    by them.
    """
    block: list[Place] = []
    for place in found:
        block.append(place)
        if len(block) == TEXTS:
            yield from _games(block, owner, verdicts)
            block = []
    yield from _games(block, owner, verdicts)


def _games(block: list[Place], owner: int | None, verdicts: bool) -> Iterator[tuple[Place, Record]]:
    rows = _whole(verdicts)
    if owner is None:
        rows = rows.filter(visibility=Visibility.PUBLIC)
    else:
        rows = rows.filter(pk__in=ownerships_of(owner).values("record"))
    there = rows.in_bulk([place[-1] for place in block])
    own(there.values(), Viewer(owner))
    known = archive_redaction()
    for place in block:
        record = there.get(place[-1])
        if record is not None:
            yield place, _masked(record, known, verdicts)


def by_keys(keys: Sequence[str], viewer: Viewer) -> list[Record]:
    """The games with these keys that a viewer may see, in the order of the keys, without texts."""
    found = records().filter(records_for(viewer), key__in=keys)
    rows = {record.key: record for record in found}
    return [rows[key] for key in dict.fromkeys(keys) if key in rows]


def texts_of(
    found: Sequence[Record], viewer: Viewer, *, verdicts: bool = False
) -> Iterator[tuple[Place, Record]]:
    """These games with their texts, and with ``verdicts`` those, if a viewer may still see them."""
    for start in range(0, len(found), TEXTS):
        pks = [record.pk for record in found[start : start + TEXTS]]
        there = _whole(verdicts).filter(records_for(viewer)).in_bulk(pks)
        own(there.values(), viewer)
        known = archive_redaction()
        for pk in pks:
            if pk in there:
                yield (pk,), _masked(there[pk], known, verdicts)


def _whole(verdicts: bool) -> QuerySet[Record]:
    found = records().defer(None)
    return found if verdicts else found.defer("verdict", "tags")


def _masked(record: Record, known: Redaction, verdicts: bool) -> Record:
    return mask(record, known) if verdicts else mask_text(record, known)
