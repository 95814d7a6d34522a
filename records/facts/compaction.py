"""Compaction: several parts of a ruleset and year are merged into one, without their stale rows.

Parts are merged in tiers: `FAN` parts of similar size become one, until a part has `FULL_BYTES`.
Thus a row is rewritten only a few times, and a query reads few parts. A part is rewritten alone
because of stale rows: after some minutes if games in the part were withdrawn, after an hour if
many rows are stale, and otherwise after a day.

Files are written outside of any transaction. A short transaction then replaces the sources by the
new part. `tidy` removes the files of the sources when no query reads them, and files without a
part, which killed processes leave.
"""

from __future__ import annotations

import logging
import shutil
import time
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import accumulate
from math import ceil, log
from typing import Any, Final

import numpy as np
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from records.base import clock
from records.base.bulk import slices
from records.facts.current import VOID
from records.facts.database import open_cursor
from records.facts.parts import (
    WRITE_SECONDS,
    add_file,
    begin_part,
    file_of,
    find_live,
    get_storage,
    local_path,
    select_files,
)
from records.facts.rows import Columns
from records.facts.tables import TABLES
from records.jobs.enqueue import enqueue
from records.jobs.ledger import finish, hold, put_off
from records.models import FactPart, Job, Record, StaleFacts, Visibility
from records.privacy import revisions

#: The maximum duration of a query over an earlier snapshot, or of a dump of open data.
GRACE: Final = timedelta(minutes=30)
#: The minimum age of a removed file without a part: every job lists its part sooner.
STRAY_AGE: Final = timedelta(hours=1)
#: The pause between two listings of the storage by `tidy`.
EVERY_SECONDS: Final = 3600
#: The age at which a process's folder of spilled rows is removed.
_SPILLED_SECONDS: Final = 86_400.0

logger = logging.getLogger(__name__)
#: The kind and the subject of the only job.
MERGE: Final = "merge-facts"
ALL: Final = "parts"
#: The number of parts that are merged in a tier, and the ratio of sizes between two tiers.
FAN: Final = 8
#: Bytes of a part in the lowest tier, of a part that is merged no more, and of the largest part.
LEAST_BYTES: Final = 1 << 18
FULL_BYTES: Final = 1 << 26
MOST_BYTES: Final = 1 << 27
#: The age at which a part is rewritten because of any stale row, of many, or of withdrawn games.
STALE_AGE: Final = timedelta(days=1)
MANY_STALE_AGE: Final = timedelta(hours=1)
WITHDRAWN_AGE: Final = timedelta(minutes=5)
#: The share of stale games that is many. Thus about 100 games are rewritten for a stale one.
MANY_STALE: Final = 0.01
#: The pause between two searches for parts to rewrite.
_PAUSE: Final = timedelta(minutes=1)
_BATCH: Final = 500

#: A game (primary key), and the revision described by its rows.
Described = tuple[int, int]


def tidy() -> None:
    """Remove dropped parts, and stray files every `EVERY_SECONDS`; part of the sweep."""
    remove_dropped()
    if cache.add("facts-strays-removed", True, EVERY_SECONDS):
        remove_strays()


def remove_dropped() -> int:
    """Remove parts dropped some time ago, with their stale rows; return the number of parts."""
    before = clock.now() - GRACE - timedelta(seconds=settings.FACTS_SECONDS)
    storage = get_storage()
    parts = list(FactPart.objects.filter(dropped__lt=before))
    for part in parts:
        for table in part.rows:
            storage.delete(file_of(part.name, table))
        with suppress(OSError):  # A file that no part lists is removed as a stray.
            storage.delete(part.name)
        part.delete()
    StaleFacts.objects.filter(dropped__lt=before).delete()
    return len(parts)


def find_strays() -> Iterator[str]:
    """Yield the names of stored files that belong to no part and are an hour old."""
    storage = get_storage()
    before = timezone.now() - STRAY_AGE
    for folder, files in list_folders():
        if not FactPart.objects.filter(name=folder).exists():
            for file in files:
                with suppress(FileNotFoundError):
                    if storage.get_modified_time(f"{folder}/{file}") < before:
                        yield f"{folder}/{file}"


def list_folders(name: str = "") -> Iterator[tuple[str, list[str]]]:
    """Yield the stored folders with files, and the names of the files.

    Parts of earlier releases are in folders of rulesets, without a year.
    """
    try:
        folders, files = get_storage().listdir(name)
    except FileNotFoundError:  # No facts have been written yet, or the part was removed meanwhile.
        return
    if files:
        yield name, files
    for folder in sorted(folders):
        yield from list_folders(f"{name}/{folder}".lstrip("/"))


def remove_strays() -> int:
    """Remove stored files that belong to no part, and return the number of files."""
    storage = get_storage()
    strays = list(find_strays())
    for name in strays:
        storage.delete(name)
    for folder in {name.rpartition("/")[0] for name in strays}:
        with suppress(OSError):  # The folder has a younger file.
            storage.delete(folder)
    if strays:
        logger.info("%d files of facts without a part removed", len(strays))
    _remove_spilled()
    return len(strays)


def _remove_spilled() -> None:
    """Remove folders of spilled rows, left by killed processes (`records.facts.database`)."""
    before = time.time() - _SPILLED_SECONDS
    for folder in (settings.VAR_DIR / "duckdb").glob("*"):
        with suppress(FileNotFoundError):
            if folder.stat().st_mtime < before:
                shutil.rmtree(folder, ignore_errors=True)


def schedule() -> None:
    """Enqueue the job if parts are to be merged or may have stale rows."""
    is_stale = VOID.exists() or StaleFacts.objects.filter(dropped=None).exists()
    recent = Job.objects.filter(kind=MERGE, done_at__gt=clock.now() - _PAUSE)
    if find_crowded() or (is_stale and not recent.exists()):
        enqueue(MERGE, ALL)


def run(job: Job) -> None:
    """Merge or rewrite parts once. Raises `records.jobs.ledger.LeaseLost`."""
    sources = find_crowded() or find_unclean()
    if sources:
        merged, dropped = write_merged(sources)
    with transaction.atomic():
        held = hold(job)
        if not sources:
            finish(held)
            return
        replace_sources(sources, merged, dropped)
        held.progress += len(sources)
        put_off(held)


def find_crowded() -> list[FactPart]:
    """Return the smallest parts of a crowded tier, up to the maximum size of a part."""
    tiers: defaultdict[tuple[Any, ...], list[tuple[int, int]]] = defaultdict(list)
    columns = "ruleset", "year", "engine", "outdated", "size", "pk"
    for *group, size, pk in find_live().filter(size__lt=FULL_BYTES).values_list(*columns):
        # 0 up to `LEAST_BYTES`, 1 up to `FAN` times as many, and so on.
        tier = ceil(log(max(size, LEAST_BYTES) / LEAST_BYTES, FAN))
        tiers[*group, tier].append((size, pk))
    for _key, parts in sorted(tiers.items()):
        parts.sort()
        totals = list(accumulate(size for size, _pk in parts))
        if len(parts) >= FAN or totals[-1] >= FULL_BYTES:
            pks = [pk for _size, pk in parts[: bisect_right(totals, MOST_BYTES)]]
            return list(find_live().filter(pk__in=pks))
    return []


def find_unclean() -> list[FactPart]:
    """Return the first part that must be rewritten because of stale rows, in a list, or [].

    Marks the facts of hidden games in the part as missing, and records stale rows outside of all
    parts.
    """
    # Read stale rows before the parts: the list of parts then includes the parts of all stale rows.
    void = set(VOID.values_list("pk", "facts"))
    stale = set(StaleFacts.objects.filter(dropped=None).values_list("game", "revision"))
    parts = list(find_live())
    located = locate(parts, void | stale)
    missing = (void | stale).difference(*located.values())
    forget(void & missing)
    drop_stale(missing)
    now = clock.now()
    for part in parts:
        rows = located.get(part.pk, set())
        if rows and _must_rewrite(rows, part.games, now - part.created):
            forget(void & rows)
            return [part]
    return []


def _must_rewrite(stale: Collection[Described], games: int, age: timedelta) -> bool:
    """Return whether a part of an age, with stale rows of some of its games, must be rewritten."""
    limit = MANY_STALE_AGE if len(stale) >= MANY_STALE * games else STALE_AGE
    return age > limit or (age > WITHDRAWN_AGE and _is_any_withdrawn(stale))


def locate(parts: Iterable[FactPart], rows: Collection[Described]) -> dict[int, set[Described]]:
    """Return the subset of ``rows`` in each part, by the primary key of the part."""
    located: defaultdict[int, set[Described]] = defaultdict(set)
    games = sorted({game for game, _revision in rows})
    paths = {
        local_path(part.name, "games"): part.pk
        for part in parts
        if bisect_left(games, part.first_game) < bisect_right(games, part.last_game)
    }
    if paths:
        with open_cursor(WRITE_SECONDS) as cursor:
            cursor.register("sought", make_columns(rows))
            cursor.execute(
                "SELECT filename, game, revision FROM read_parquet(?, filename = true)"
                " SEMI JOIN sought USING (game, revision)",
                [list(paths)],
            )
            for path, game, revision in cursor.fetchall():
                located[paths[path]].add((game, revision))
    return located


def make_columns(rows: Collection[Described]) -> Columns:
    """Return games and revisions as columns of a table."""
    pairs = np.array(sorted(rows), "i8").reshape(-1, 2)
    return {"game": pairs[:, 0].copy(), "revision": pairs[:, 1].astype("i4")}


def _is_any_withdrawn(rows: Collection[Described]) -> bool:
    withdrawn = Record.objects.filter(visibility=Visibility.WITHDRAWN)
    pks = [game for game, _revision in rows]
    return any(withdrawn.filter(pk__in=batch).exists() for batch in slices(pks, _BATCH))


def forget(rows: Collection[Described]) -> None:
    """Mark rows as stale, and the facts of their records as missing.

    Skips records with facts of another revision. Rows written later get a new revision.
    """
    for batch in slices(sorted(rows), _BATCH):
        with transaction.atomic():
            locked = Record.objects.select_for_update(no_key=True).filter(pk__in=dict(batch))
            states = set(locked.order_by("identity").values_list("pk", "facts"))
            same = [row for row in batch if row in states]
            StaleFacts.objects.bulk_create(
                [StaleFacts(game=game, revision=facts) for game, facts in same],
                ignore_conflicts=True,
            )
            Record.objects.filter(pk__in=dict(same)).update(facts=-1, revision=F("revision") + 1)


def drop_stale(rows: Collection[Described]) -> None:
    """Record that stale rows are in no live part."""
    now = clock.now()
    for batch in slices(sorted(rows), _BATCH):
        stale = StaleFacts.objects.filter(game__in={game for game, _revision in batch})
        pks = [pk for pk, *row in stale.values_list("pk", "game", "revision") if tuple(row) in rows]
        StaleFacts.objects.filter(pk__in=pks, dropped=None).update(dropped=now)


def write_merged(sources: Sequence[FactPart]) -> tuple[FactPart, set[Described]]:
    """Write the rows of parts, without stale rows, as one unsaved part.

    Returns the part, possibly without games, and the stale rows of its sources.
    """
    part = begin_part(sources[0].ruleset, sources[0].year)
    part.engine, part.outdated = sources[0].engine, sources[0].outdated
    part.first_game = min(source.first_game for source in sources)
    part.last_game = max(source.last_game for source in sources)
    games = part.first_game, part.last_game
    stale = set(StaleFacts.objects.filter(game__range=games).values_list("game", "revision"))
    with open_cursor(WRITE_SECONDS) as cursor:
        cursor.register("stale", make_columns(stale))
        for name, table in TABLES.items():
            paths = [local_path(source.name, name) for source in sources if name in source.rows]
            if paths:
                rows = f"({select_files(paths)}) ANTI JOIN stale USING (game, revision)"
                order = ", ".join(table.sort)
                add_file(part, cursor, name, f"SELECT * FROM {rows} ORDER BY {order}")
    part.games = part.rows.get("games", 0)
    return part, set().union(*locate(sources, stale).values())


def replace_sources(
    sources: Sequence[FactPart], merged: FactPart, dropped: Collection[Described]
) -> None:
    """Replace parts by the merged part, in the transaction of the caller.

    Does nothing if a source is no longer live; the sweep then removes the files.
    """
    pks = [source.pk for source in sources]
    locked = find_live().select_for_update(no_key=True).filter(pk__in=pks)
    if len(locked) != len(sources):
        return
    if merged.games:
        merged.save()
    FactPart.objects.filter(pk__in=pks).update(merged_into=merged.pk or 0, dropped=clock.now())
    drop_stale(dropped)
    revisions.advance(merged.ruleset)
