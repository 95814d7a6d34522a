"""Comparison of two databases of one archive: games with their parts, uploads with their counts.

The comparison leaves out values that depend on the order of uploads: which of two equal texts a
record shows, and which of two submissions is the duplicate. The number of duplicates is compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from heapq import merge
from itertools import groupby, zip_longest
from operator import itemgetter
from typing import Any, Final

from django.db.models import Count, F, Q, QuerySet, Sum

from records.models import Chunk, Player, Record, Submission, Upload, Visibility

BATCH: Final = 300
#: Columns of a record with values from its game only.
COLUMNS: Final = (
    *("key", "ruleset", "profile", "options", "sheet", "date_from", "date_to", "termination"),
    *("status", "error_code", "deals_played", "turns_played"),
    "first_deal",
)
SEAT: Final = ("number", "name", "final", "rank", "yaku")
LISTING: Final = ("unwon", "best", "yaku", "grades")
SUBMISSION: Final = (
    *("file__name", "file__sha256", "number", "line", "status"),
    "record__identity",
)


def differences(stored: str, rebuilt: str) -> Iterator[str]:
    """Yield each difference of two databases as a text, in constant memory.

    ``stored`` and ``rebuilt`` are aliases in `settings.DATABASES`.
    """
    yield from _compare_games(stored, rebuilt)
    yield from _compare_uploads(stored, rebuilt)
    yield from _compare_players(stored, rebuilt)


def _compare_games(*aliases: str) -> Iterator[str]:
    rows = merge(*(_read_games(*pair) for pair in enumerate(aliases)), key=itemgetter(0))
    for _identity, same in groupby(rows, key=itemgetter(0)):
        games = {number: game for _identity, number, game in same}
        if len(games) == len(aliases):
            yield from _compare(f"game {games[0]['key']}", games[0], games[1])
        else:
            ((number, game),) = games.items()
            yield f"game {game['key']}: {('no upload gives it', 'missing')[number]}"


def _compare(name: str, stored: dict[str, Any], rebuilt: dict[str, Any]) -> Iterator[str]:
    for part, value in stored.items():
        if value != rebuilt[part]:
            yield f"{name}: {part}: {value} is {rebuilt[part]} anew"


def _read_games(number: int, alias: str) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Yield identity, number of the database and parts of games, in the order of identities.

    Identities are hexadecimal digits, which every database sorts alike.
    """
    rows = Record.objects.using(alias).order_by("identity").defer("text", "tags")
    rows = rows.select_related("listing").prefetch_related("seats", "listing__features")
    for record in rows.iterator(chunk_size=BATCH):
        listing = getattr(record, "listing", None)  # Some games are in no list.
        yield (
            record.identity,
            number,
            {
                "key": record.key,
                "record": _values(record, COLUMNS),
                "seats": [_values(seat, SEAT) for seat in record.seats.all()],
                "deals": [record.verdict.get(name) for name in ("deals", "final")],
                "listing": listing and _values(listing, LISTING),
                "features": listing and sorted(row.feature for row in listing.features.all()),
            },
        )


def _values(row: Any, names: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in names)


def _compare_uploads(*aliases: str) -> Iterator[str]:
    uploads = [Upload.objects.using(alias).order_by("pk").iterator() for alias in aliases]
    for stored, rebuilt in zip_longest(*uploads):
        if stored is None or rebuilt is None or stored.key != rebuilt.key:
            yield f"uploads: {stored} is {rebuilt} anew"
            return
        yield from _compare(f"upload {stored}", _count(stored), _count(rebuilt))
    yield from _compare("duplicates", *map(_count_duplicates, aliases))


def _count(upload: Upload) -> dict[str, Any]:
    progress = upload.progress()
    games = {name: count for name, count in progress.pop("games").items() if name != "duplicates"}
    del progress["chunks"]  # differs after a killed worker, whose chunk is split
    return progress | games | {"sum of all submissions": _sum_submissions(upload)}


def _sum_submissions(upload: Upload) -> str:
    """Return a digest of all submissions of an upload, independent of their order."""
    rows = Submission.objects.using(upload._state.db).filter(upload=upload).order_by()
    total = 0
    for row in rows.values_list(*SUBMISSION).iterator(chunk_size=2000):
        total += int.from_bytes(hashlib.sha256(repr(row).encode()).digest())
    return f"{total % (1 << 64):016x}"


def _count_duplicates(alias: str) -> dict[str, int]:
    chunks = Chunk.objects.using(alias)
    return {
        "rows": Submission.objects.using(alias).filter(duplicate=True).count(),
        "counters": chunks.aggregate(total=Sum("duplicates", default=0))["total"],
    }


def _compare_players(*aliases: str) -> Iterator[str]:
    """Compare the numbers of games of players; a player without games equals a missing player."""
    total = Count("seats__record", distinct=True)
    stored, rebuilt = (
        dict(
            Player.objects.using(alias)
            .order_by()
            .annotate(total=total)
            .exclude(total=0)
            .values_list("origin", "total")
        )
        for alias in aliases
    )
    for key in sorted(stored.keys() | rebuilt.keys()):
        if stored.get(key, 0) != rebuilt.get(key, 0):
            yield f"player {key}: {stored.get(key, 0)} games are {rebuilt.get(key, 0)} anew"
    for player in miscounted(aliases[0]):
        yield f"player {player.key}: counted as {player.games} games, has {player.public}"


def miscounted(alias: str = "default") -> QuerySet[Any]:
    """Return the players whose stored count differs from the number of public games, ``public``."""
    is_public = Q(seats__record__visibility=Visibility.PUBLIC)
    public = Count("seats__record", distinct=True, filter=is_public)
    return (
        Player.objects.using(alias)
        .order_by("pk")
        .annotate(public=public)
        .exclude(games=F("public"))
    )
