"""A snapshot: the parts and games that statistics count at a moment.

Hidden games, copies and rows of an earlier revision are left out immediately. New parts
appear after at most `settings.FACTS_SECONDS`, so that responses can be cached while new games
arrive.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from threading import Lock
from typing import Any, Final, TypeVar

import duckdb
import numpy as np
from django.conf import settings
from django.core.cache import cache
from django.db.models import F, Max, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce

from records.base.bulk import slices
from records.facts.database import QueryTimeout, StatisticsAway, get_database, open_cursor
from records.facts.parts import (
    PartUnavailable,
    file_of,
    local_path,
    select_empty,
    select_files,
    write_file,
)
from records.facts.tables import FORM, TABLES
from records.models import FactPart, Record, StaleFacts, Visibility
from records.privacy import revisions

#: Records with rows in a part that do not count: hidden records, copies, or wrong rows.
VOID: Final = Record.objects.order_by().filter(
    ~Q(visibility=Visibility.PUBLIC) | Q(copy_of__isnull=False) | Q(facts__lt=F("valid_from")),
    facts__gte=0,
)
#: The cache key that is set after a query met a missing or damaged file (`records.facts.repair`).
SUSPECT: Final = "facts-suspect"
_HELD: Final[ContextVar[Snapshot | None]] = ContextVar("snapshot", default=None)
_LOCK: Final = Lock()
#: Keys of the sets of left-out games that are tables in the database, newest last.
_LOADED: Final[list[str]] = []
_MOST_LOADED: Final = 8
#: The names of facts and left-out games in statements for a cluster.
_FACTS: Final = "facts"
_LEFT_OUT: Final = "facts_left_out"
#: The last stored file of left-out games, and the time (monotonic) until it surely exists.
_STORED: Final[dict[str, float]] = {}
_STORED_SECONDS: Final = 1_800


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The live parts (ruleset, name, tables, time), and the games left out (ruleset, id, revision).

    ``keys`` are hashes of the parts and left-out games by ruleset, and with the name "" of all.
    """

    parts: tuple[tuple[str, str, frozenset[str], datetime], ...]
    left_out: tuple[tuple[str, int, int], ...]
    keys: Mapping[str, str]

    def key_of(self, ruleset: str) -> str:
        """Return a key that changes with the counted games of a ruleset; of any for ""."""
        return self.keys.get(ruleset, "")

    def as_of(self, ruleset: str) -> datetime | None:
        """Return the time of the newest part of a ruleset, of any for ""; None without parts."""
        times = (time for part, *_, time in self.parts if ruleset in ("", part))
        return max(times, default=None)

    def source(self, table: str, rulesets: Sequence[str] = ()) -> str:
        """Return a parenthesised SELECT of the counted rows of a table, for a FROM clause.

        ``rulesets`` restricts the rows to these rulesets. Raises `PartUnavailable`.
        """
        names = [
            name
            for ruleset, name, tables, _ in self.parts
            if table in tables and (not rulesets or ruleset in rulesets)
        ]
        try:
            files = [local_path(name, table) for name in names]
        except PartUnavailable as error:
            if isinstance(error.__cause__, FileNotFoundError):
                cache.set(SUSPECT, True, None)
            raise
        if not files:
            return f"({select_empty(TABLES[table].columns)})"
        rows = select_files(files)
        if self.left_out:
            rows += f" ANTI JOIN {self._left_out_table} USING (game, revision)"
        return f"({rows})"

    def split(self, rulesets: Sequence[str], size: int) -> Iterator[Snapshot]:
        """Yield snapshots of ``size`` parts of rulesets each, with each game in exactly one.

        Yields at least one snapshot, possibly without parts.
        """
        parts = [part for part in self.parts if part[0] in rulesets]
        for piece in [*slices(parts, size)] or [()]:
            yield replace(self, parts=tuple(piece))

    def without(self, names: Collection[str]) -> Snapshot:
        """Return the snapshot without the parts of these names."""
        return replace(self, parts=tuple(part for part in self.parts if part[1] not in names))

    @property
    def _left_out_table(self) -> str:
        return f"left_out_{self.keys['']}"

    @contextmanager
    def open_cursor(self, seconds: float | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
        """Open a cursor for queries over the snapshot, for at most so many seconds.

        The default is `FACTS_QUERY_SECONDS`. The queries inside raise `QueryTimeout`, also for too
        little memory, and `PartUnavailable` for a Parquet file that is missing or damaged.
        """
        if self.left_out:
            self._load()
        with open_cursor(seconds) as cursor:
            try:
                yield cursor
            except duckdb.OutOfMemoryException as error:
                # All queries of the process share the memory, so a later query may succeed.
                memory = settings.FACTS_MEMORY_MB
                raise QueryTimeout(f"the query needs more than {memory} MB") from error
            except duckdb.Error as error:
                if not _is_of_file(error):
                    raise
                cache.set(SUSPECT, True, None)
                raise PartUnavailable(str(error)) from error

    def _load(self) -> None:
        """Make the left-out games a table of the process."""
        with _LOCK:
            database = get_database()
            name = self._left_out_table
            tables = database.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = ?", [name])
            if tables.fetchone():
                return
            _, games, revisions = zip(*self.left_out, strict=True)
            columns = {"game": np.array(games, "i8"), "revision": np.array(revisions, "i4")}
            database.register("left_out", columns)
            database.execute(f"CREATE TABLE {name} AS SELECT * FROM left_out")
            database.unregister("left_out")
            _LOADED.append(name)
            while len(_LOADED) > _MOST_LOADED:
                database.execute(f"DROP TABLE IF EXISTS {_LOADED.pop(0)}")


def _is_of_file(error: duckdb.Error) -> bool:
    """Return whether a query failed because of a missing or damaged file."""
    is_unreadable = isinstance(error, duckdb.IOException) or type(error) is duckdb.Error
    return is_unreadable or ".parquet'" in str(error)


class ClusterSnapshot(Snapshot):
    """A snapshot whose facts a cluster reads from the bucket (`records.facts.cluster`)."""

    def source(self, table: str, rulesets: Sequence[str] = ()) -> str:
        """Return a parenthesised SELECT of the counted rows of a table, for a FROM clause."""
        rows = f"SELECT * FROM {'__'.join((_FACTS, table, *map(_spell, rulesets)))} AS facts"
        if self.left_out:
            left_out = f"SELECT game, revision FROM {_LEFT_OUT} AS left_out"
            rows += f" WHERE (game, revision) NOT IN ({left_out})"
        return f"({rows})"

    def split(self, rulesets: Sequence[str], size: int) -> Iterator[Snapshot]:
        """Yield the snapshot whole: the cluster divides the parts among its machines."""
        yield self

    @contextmanager
    def open_cursor(self, seconds: float | None = None) -> Iterator[Any]:
        """Open a cursor for statements over the snapshot, together for at most so many seconds.

        The default is `FACTS_QUERY_SECONDS`. The statements raise `QueryTimeout` and
        `StatisticsAway`.
        """
        # Imported here: the extra `clickhouse` may be missing.
        from records.facts.cluster import ClusterCursor  # noqa: PLC0415

        limit = settings.FACTS_QUERY_SECONDS if seconds is None else seconds
        with super().open_cursor(limit) as cursor:
            try:
                yield ClusterCursor(cursor, self._find_files, limit)
            except StatisticsAway as error:
                if error.is_of_file:
                    cache.set(SUSPECT, True, None)
                raise

    def _find_files(self, name: str) -> tuple[Sequence[str], Mapping[str, str]] | None:
        """Return the files and columns of a table's name in `source`; None for another table."""
        if name == _LEFT_OUT:
            return [self._store_left_out()], {"game": "BIGINT", "revision": "INTEGER"}
        prefix, _, rest = name.partition("__")
        if prefix != _FACTS:
            return None
        table, *rulesets = rest.split("__")
        files = [
            file_of(part, table)
            for ruleset, part, tables, _ in self.parts
            if table in tables and (not rulesets or _spell(ruleset) in rulesets)
        ]
        return files, {column.name: column.type for column in TABLES[table].columns}

    def _store_left_out(self) -> str:
        """Store the left-out games for the machines of the cluster; return the name of the file.

        The sweep removes the file after an hour, like every file without a part
        (`records.facts.compaction`).
        """
        file = file_of(f"left-out/{self.keys['']}", "games")
        if time.monotonic() >= _STORED.get(file, 0):
            with open_cursor() as cursor, write_file(file) as path:
                cursor.execute(f"COPY {self._left_out_table} TO '{path}' (FORMAT parquet)")
            _STORED.clear()
            _STORED[file] = time.monotonic() + _STORED_SECONDS
        return file


def _spell(ruleset: str) -> str:
    """Return a ruleset's id as a part of a table's name."""
    return ruleset.replace("-", "_")


#: A part: ruleset, name, tables and time. Rows that do not count: ruleset, game and revision.
_Part = tuple[str, str, frozenset[str], datetime]
_LeftOut = tuple[str, int, int]
#: A part or rows in the keys of snapshots, the ruleset first.
_Content = tuple[str, str] | _LeftOut
_Row = TypeVar("_Row")


class SnapshotReader:
    """A reader of snapshots that retains the rows it has read.

    A later snapshot costs the primary keys of parts and stale rows, and the new rows. The keys of
    snapshots are sums of hashes: only the hashes of changed parts and games are computed.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._parts: dict[int, _Part] = {}
        self._stale: dict[int, _LeftOut] = {}
        self._void: set[_LeftOut] = set()
        self._left_out: set[_LeftOut] = set()
        self._sums: Counter[str] = Counter()
        self._snapshot = Snapshot((), (), {})

    def read(self, newest: int) -> Snapshot:
        """Return the snapshot of the parts up to a primary key."""
        with self._lock:
            # Parts are read first: a game that is replaced meanwhile is missing for a moment, and
            # never counted twice.
            added, removed = _find_changes(self._parts, _list_parts(newest), _read_parts)
            # Rows of hidden games become stale rows when facts are compacted, never the other way
            # round.
            void = set(VOID.values_list("ruleset", "pk", "facts"))
            fresh, gone = _find_changes(self._stale, _list_stale(newest), _read_stale)
            # From here on nothing can fail and leave a part of a change.
            parts, left_out = self._snapshot.parts, self._snapshot.left_out
            if added or removed:
                dropped = [self._parts.pop(pk) for pk in removed]
                self._parts |= added
                self._add_up((part[:2] for part in added.values()), (part[:2] for part in dropped))
                parts = tuple(part for _pk, part in sorted(self._parts.items()))
            if fresh or gone or void != self._void:
                for pk in gone:
                    del self._stale[pk]
                self._stale |= fresh
                counted, self._void = self._left_out, void
                self._left_out = {*void, *self._stale.values()}
                self._add_up(self._left_out - counted, counted - self._left_out)
                left_out = tuple(sorted(self._left_out))
            keys = {ruleset: f"{total:x}" for ruleset, total in self._sums.items() if total}
            self._snapshot = Snapshot(parts, left_out, keys)
            return self._snapshot

    def _add_up(self, added: Iterable[_Content], removed: Iterable[_Content]) -> None:
        """Update the sums of hashes by ruleset, and with the name "" of all."""
        for sign, contents in ((1, added), (-1, removed)):
            for content in contents:
                digest = blake2b(repr(content).encode(), digest_size=12).digest()
                for name in ("", content[0]):
                    self._sums[name] += sign * int.from_bytes(digest)


def _find_changes(
    retained: Mapping[int, _Row],
    pks: Collection[int],
    read: Callable[[int], Iterator[tuple[int, _Row]]],
) -> tuple[dict[int, _Row], set[int]]:
    """Return the rows of primary keys that are not retained, and the other retained keys.

    ``read(pk)`` yields the rows from a primary key on.
    """
    present = set(pks)
    missing = present - retained.keys()
    rows = read(min(missing)) if missing else ()
    return {pk: row for pk, row in rows if pk in missing}, retained.keys() - present


def _list_parts(newest: int) -> list[int]:
    """Return the primary keys of the live parts up to a primary key."""
    is_live = Q(dropped=None) | Q(merged_into__gt=newest)
    live = FactPart.objects.order_by().filter(is_live, form=FORM, pk__lte=newest)
    return list(live.values_list("pk", flat=True))


def _read_parts(first: int) -> Iterator[tuple[int, _Part]]:
    """Yield all parts from a primary key on, also those merged since `_list_parts`."""
    columns = "pk", "ruleset", "name", "rows", "created"
    parts = FactPart.objects.order_by().filter(pk__gte=first).values_list(*columns)
    for pk, ruleset, name, tables, time in parts:
        yield pk, (ruleset, name, frozenset(tables), time)


def _list_stale(newest: int) -> list[int]:
    """Return the primary keys of stale rows that newer rows in parts up to a key replaced."""
    is_replaced = Q(replaced_by=None) | Q(replaced_by__lte=newest)
    stale = StaleFacts.objects.order_by().filter(is_replaced)
    return list(stale.values_list("pk", flat=True))


def _read_stale(first: int) -> Iterator[tuple[int, _LeftOut]]:
    """Yield ruleset, game and revision of stale rows from a primary key on.

    The ruleset of a game that was removed from the archive is "".
    """
    rulesets = Record.objects.order_by().filter(pk=OuterRef("game")).values("ruleset")
    stale = StaleFacts.objects.order_by().filter(pk__gte=first)
    stale = stale.annotate(ruleset=Coalesce(Subquery(rulesets), Value("")))
    for pk, ruleset, game, revision in stale.values_list("pk", "ruleset", "game", "revision"):
        yield pk, (ruleset, game, revision)


class _Last:
    """The last snapshot of the process, with archive version and newest part, and its reader."""

    reader: Final = SnapshotReader()
    snapshot: tuple[tuple[revisions.Version, int], Snapshot] | None = None


@contextmanager
def hold_snapshot() -> Iterator[None]:
    """Make all queries of a response use the same snapshot."""
    token = _HELD.set(current_snapshot())
    try:
        yield
    finally:
        _HELD.reset(token)


def current_snapshot() -> Snapshot:
    """Return the held snapshot, or the current one."""
    held = _HELD.get()
    if held is not None:
        return held
    newest = _find_published()
    if not settings.FACTS_SECONDS:
        return _for_statistics(read_snapshot(newest))
    # Every transaction with hidden games or new facts advances this number.
    made_at = revisions.current(), newest
    last = _Last.snapshot
    if last is None or last[0] != made_at:
        last = _Last.snapshot = made_at, _for_statistics(_Last.reader.read(newest))
    return last[1]


def _for_statistics(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot for the engine of `HANA_STATISTICS_URL`."""
    if settings.STATISTICS is None:
        return snapshot
    return ClusterSnapshot(snapshot.parts, snapshot.left_out, snapshot.keys)


def read_snapshot(newest: int) -> Snapshot:
    """Return the snapshot of the parts up to a primary key."""
    return SnapshotReader().read(newest)


def is_published(ruleset: str) -> bool:
    """Return whether the newest part of a ruleset counts."""
    parts = FactPart.objects.filter(ruleset=ruleset)
    return not parts.filter(created__gte=revisions.facts_until()).exists()


def _find_published() -> int:
    """Return the primary key of the newest part that counts."""
    parts = FactPart.objects.filter(created__lt=revisions.facts_until())
    newest: int | None = parts.aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def find_newest() -> int:
    """Return the primary key of the newest part, 0 without any."""
    newest: int | None = FactPart.objects.aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def count_left_out() -> int:
    """Return the number of games with rows in parts that do not count."""
    return VOID.count() + StaleFacts.objects.filter(dropped=None).count()
