"""Compares two databases of one archive: every game with its parts, every upload with its counts.

What depends on who came first is left out: which of two equal texts a record shows, and which of
two submissions is the duplicate (but not how many are).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, Final

from django.db.models import Count, F, Q

from records.models import Chunk, Player, Record, Submission, Upload, Visibility

BATCH: Final = 300
#: Columns of a record that its game decides.
COLUMNS: Final = (
    *("key", "ruleset", "profile", "options", "sheet", "date_from", "date_to", "termination"),
    *("status", "error_code", "deals_played", "turns_played"),
)
SEAT: Final = ("number", "name", "final", "rank", "yaku")
LISTING: Final = ("unwon", "best", "yaku", "grades")
SUBMISSION: Final = (
    *("file__name", "file__sha256", "number", "line", "status"),
    "record__identity",
)


def differences(one: str, other: str) -> Iterator[str]:
    """Each difference as a text, in constant memory; ``one`` and ``other`` are database aliases."""
    yield from _games(one, other)
    yield from _uploads(one, other)
    yield from _players(one, other)


def _games(one: str, other: str) -> Iterator[str]:
    mine, others = _records(one), _records(other)
    left, right = next(mine, None), next(others, None)
    while left or right:
        if right is None or (left is not None and left[0] < right[0]):
            assert left is not None
            yield f"game {left[1]['record'][0]}: no upload gives it"
            left = next(mine, None)
        elif left is None or right[0] < left[0]:
            yield f"game {right[1]['record'][0]}: missing"
            right = next(others, None)
        else:
            yield from (
                f"game {left[1]['record'][0]}: {part}: {left[1][part]} is {right[1][part]} anew"
                for part in left[1]
                if left[1][part] != right[1][part]
            )
            left, right = next(mine, None), next(others, None)


def _records(alias: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Games by identity, in its order (hex digits: the same in any database)."""
    rows = Record.objects.using(alias).order_by("identity").defer("text", "tags")
    rows = rows.select_related("listing")
    rows = rows.prefetch_related("seats", "listing__features")
    for record in rows.iterator(chunk_size=BATCH):
        yield (
            record.identity,
            {
                "record": _values(record, COLUMNS),
                "seats": [_values(seat, SEAT) for seat in record.seats.all()],
                "deals": [record.verdict.get(name) for name in ("deals", "final")],
                "listing": _listed(record),
            },
        )


def _listed(record: Record) -> tuple[Any, ...]:
    """Return the columns and the features by which lists find a game; empty for one in no list."""
    row = getattr(record, "listing", None)
    if row is None:
        return ()
    return *_values(row, LISTING), *sorted(feature.feature for feature in row.features.all())


def _values(row: Any, names: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in names)


def _uploads(one: str, other: str) -> Iterator[str]:
    both = (Upload.objects.using(alias).order_by("pk").iterator() for alias in (one, other))
    for left, right in zip_longest(*both):
        if left is None or right is None or left.key != right.key:
            yield f"uploads: {left} is {right} anew"
            return
        counts = [_counts(upload) for upload in (left, right)]
        yield from (
            f"upload {left}: {name}: {count} is {counts[1][name]} anew"
            for name, count in counts[0].items()
            if count != counts[1][name]
        )
    sums = [_duplicates(alias) for alias in (one, other)]
    if sums[0] != sums[1]:
        yield f"duplicates: {sums[0]} are {sums[1]} anew"


def _counts(upload: Upload) -> dict[str, Any]:
    found = upload.progress()
    games = {name: count for name, count in found.pop("games").items() if name != "duplicates"}
    del found["chunks"]  # a chunk that killed its worker was split
    return {**found, **games, "sum of all submissions": _digest(upload)}


def _digest(upload: Upload) -> str:
    """Of all submissions of an upload, in any order."""
    rows = Submission.objects.using(upload._state.db).filter(upload=upload).order_by()
    sum_ = 0
    for row in rows.values_list(*SUBMISSION).iterator(chunk_size=2000):
        sum_ += int.from_bytes(hashlib.sha256(repr(row).encode()).digest())
    return f"{sum_ % (1 << 64):016x}"


def _duplicates(alias: str) -> tuple[int, int]:
    """By the rows, and by the counters."""
    rows = Submission.objects.using(alias).filter(duplicate=True).count()
    counted = Chunk.objects.using(alias).order_by().values_list("duplicates", flat=True)
    return rows, sum(counted)


def _players(one: str, other: str) -> Iterator[str]:
    """The names of players who have no game any more.

    All games count here, also those that are not public.
    """
    found = [
        Counter(
            dict(
                Player.objects.using(a)
                .order_by()
                .values_list("origin")
                .annotate(Count("seats__record", distinct=True))
            )
        )
        for a in (one, other)
    ]
    for key in sorted(found[0].keys() | found[1].keys()):
        if found[0][key] != found[1][key]:
            yield f"player {key}: {found[0][key]} games are {found[1][key]} anew"
    for player in miscounted(one):
        yield f"player {player.key}: counted as {player.games} games, has {player.public}"


def miscounted(alias: str = "default") -> Iterator[Any]:
    """Players whose count of games differs from the number of their public games, ``public``."""
    public = Count(
        "seats__record",
        distinct=True,
        filter=Q(seats__record__visibility=Visibility.PUBLIC),
    )
    rows = Player.objects.using(alias).order_by("pk").annotate(public=public)
    yield from rows.exclude(games=F("public"))
