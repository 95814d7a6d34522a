"""The index of situations follows the games: a job that reads what became public since.

In: the changes of games in the order in which everybody could see them (`records.search.changes`).
Out: parts of the index, and how far it is.

A game's situations are those of its moves, which its identity fixes: whatever else changes of it,
it is read once. A game that is hidden stays in the index and is left out of answers
(`records.explorer.asking`), so that nothing is to be done for it in time, nor when it comes back.
With another engine all is read again.

Games are read outside of any transaction; what was found is written in one, together with the place
up to which that is, if the index still stands where it did.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from kafu.comparing.situations import situations
from kafu.notation.reading.reader import read
from kafu.rules import ENGINE_VERSION
from kafu.rules.rulesets import Unsupported
from records.base.bulk import insert_rows, slices, update_rows
from records.explorer.parts import PART, Found, pack, unpack
from records.models import (
    Job,
    Record,
    SituationGames,
    SituationPart,
    SituationProgress,
    Visibility,
)
from records.privacy import revisions
from records.search.changes import places
from records.store.changes import publish
from records.work.enqueue import enqueue
from records.work.ledger import finish, heartbeat, hold, put_off

#: The kind, and the subject, of the one job.
SITUATIONS: Final = "situations"
ALL: Final = "games"
#: What made the index: the engine, and the form of what is stored.
VERSION: Final = f"{ENGINE_VERSION}-1"
#: Games that are read for a turn, and the seconds after which it ends before.
BATCH: Final = 1_000
TURN_SECONDS: Final = 2.0
#: Texts in memory at once.
_TEXTS: Final = 100
#: Games of a row of `SituationGames`.
BLOCK: Final = 4096
#: The row of `SituationProgress`.
_ONE: Final = 1


class Reached(NamedTuple):
    """How far the index is: up to a game of a change, by the version that made it."""

    version: str
    number: int
    game: int


#: Places by shelf, each with the rest of its key.
Shelves = dict[int, list[tuple[bytes, Found]]]


def point() -> Reached:
    """How far the index is; one of another version is at its beginning."""
    rows = SituationProgress.objects.filter(pk=_ONE, version=VERSION)
    found = rows.values_list("version", "number", "game").first()
    return Reached(*found) if found else Reached(VERSION, 0, 0)


@transaction.atomic
def _begin() -> Reached:
    """As `point`, with what another version made removed."""
    row = _locked()
    if row.version != VERSION:
        SituationPart.objects.all().delete()
        SituationGames.objects.all().delete()
        row.version, row.number, row.game = VERSION, 0, 0
        row.save()
    return Reached(row.version, row.number, row.game)


def _locked() -> SituationProgress:
    rows = SituationProgress.objects.select_for_update(no_key=True)
    return rows.get_or_create(pk=_ONE, defaults={"version": VERSION})[0]


def is_complete() -> bool:
    """Whether all changes that everybody can see are in the index."""
    return publish() and not _behind(point()).exists()


def _behind(at: Reached) -> QuerySet[Record]:
    later = Record.objects.order_by().filter(change__number__gte=at.number)
    return later.exclude(change__number=at.number, pk__lte=at.game)


def schedule() -> None:
    """Enqueue the job where there is something to do."""
    if not is_complete():
        enqueue(SITUATIONS, ALL)


def run(job: Job) -> None:
    """Read games for a turn. Raises :class:`records.work.ledger.LeaseLost`."""
    at = _begin()
    block, more = places((at.number, at.game), BATCH)
    heartbeat(job, total=job.progress + _behind(at).count())
    until = time.monotonic() + TURN_SECONDS
    done, found, read_games = _read(block, until)
    with transaction.atomic():
        held = hold(job)
        held.progress += done
        if done:
            _write(at, Reached(VERSION, *block[done - 1]), found, read_games)
        if more or done < len(block):
            put_off(held)
        else:
            finish(held)
            if held.progress:
                revisions.advance()  # once for all: answers that are kept are made again


def _read(block: Sequence[tuple[int, ...]], until: float) -> tuple[int, Shelves, list[int]]:
    """The situations of the games at the first of some places: of how many, by shelf, and the games
    that were read for it.
    """
    found: Shelves = defaultdict(list)
    games: list[int] = []
    done = 0
    for some in slices(block, _TEXTS):
        pks = _unread([place[-1] for place in some])
        public = Record.objects.filter(pk__in=pks, visibility=Visibility.PUBLIC).order_by()
        for pk, text in public.values_list("pk", "text"):
            games.append(pk)
            for shelf, place in places_of(pk, text):
                found[shelf].append(place)
        done += len(some)
        if time.monotonic() >= until:
            break
    return done, found, games


def places_of(pk: int, text: str) -> list[tuple[int, tuple[bytes, Found]]]:
    """The shelves, the rests of keys and the places of a game's situations, by its canonical
    text; none where this version does not play it.
    """
    game = read(text).game
    if game is None:
        return []
    try:
        rows = situations(game)
    except Unsupported:
        return []
    return [
        (one.key[0], (one.key[1:], Found(pk, one.deal, one.step, one.choice, one.score)))
        for one in rows
    ]


def _write(before: Reached, after: Reached, found: Shelves, games: Sequence[int]) -> None:
    """Part of a transaction: what was found, unless the index was somewhere else when it began."""
    row = _locked()
    if before != (row.version, row.number, row.game):
        return
    row.number, row.game = after.number, after.game
    row.save()
    _store(found)
    _mark(games)


def _store(found: Mapping[int, Sequence[tuple[bytes, Found]]]) -> None:
    """Add places to their shelves: first to the part of each that has room."""
    open_parts = SituationPart.objects.order_by().filter(shelf__in=list(found), size__lt=PART)
    rows = {
        shelf: (pk, unpack(bytes(data)))
        for pk, shelf, data in open_parts.values_list("pk", "shelf", "places")
    }
    changed, fresh = [], []
    for shelf, places_ in sorted(found.items()):
        pk, there = rows.get(shelf, (None, []))
        for some in slices([*there, *places_], PART):
            packed = len(some), pack(some)
            if pk is not None:
                changed.append((*packed, pk))
                pk = None
            else:
                fresh.append((shelf, *packed))
    update_rows(SituationPart, ("size", "places"), changed)
    insert_rows(SituationPart, ("shelf", "size", "places"), fresh)


def _unread(games: Sequence[int]) -> list[int]:
    """Those of some games (primary keys) that are not in the index."""
    blocks = SituationGames.objects.order_by().in_bulk({game // BLOCK for game in games})
    bits = {number: bytes(row.bits) for number, row in blocks.items()}
    return [game for game in dict.fromkeys(games) if not _has(bits.get(game // BLOCK), game)]


def _has(bits: bytes | None, game: int) -> bool:
    at = game % BLOCK
    return bits is not None and bool(bits[at >> 3] >> (at & 7) & 1)


def _mark(games: Iterable[int]) -> None:
    """Note that games are in the index."""
    marked: dict[int, bytearray] = {}
    rows = SituationGames.objects.order_by().in_bulk({game // BLOCK for game in games})
    for game in games:
        number, at = game // BLOCK, game % BLOCK
        if number not in marked:
            there = rows.get(number)
            marked[number] = bytearray(there.bits if there else BLOCK // 8)
        marked[number][at >> 3] |= 1 << (at & 7)
    SituationGames.objects.bulk_create(
        [SituationGames(block=number, bits=bytes(bits)) for number, bits in marked.items()],
        update_conflicts=True,
        unique_fields=["block"],
        update_fields=["bits"],
    )
