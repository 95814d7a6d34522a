"""A snapshot: the parts and games that statistics count at a moment.

Games that are no longer public, or of which a newer revision exists, are left out immediately.
New parts appear after at most `settings.FACTS_SECONDS`, so that responses can be cached while
games keep coming in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from threading import Lock
from typing import Final

import duckdb
import numpy as np
from django.conf import settings
from django.core.cache import cache
from django.db.models import F, Max, Q

from records.facts.database import get_database, open_cursor
from records.facts.parts import local_path, quote, select_empty
from records.facts.tables import TABLES
from records.models import FactPart, Record, StaleFacts, Visibility

#: Records with rows in a part that do not count: hidden, or of an older revision.
VOID: Final = Record.objects.order_by().filter(
    ~Q(visibility=Visibility.PUBLIC) | ~Q(facts=F("revision")), facts__gte=0
)
_PUBLISHED: Final = "facts-published"
_HELD: Final[ContextVar[Snapshot | None]] = ContextVar("snapshot", default=None)
_LOCK: Final = Lock()
#: Keys of the sets of left out games that are tables in the database, newest last.
_LOADED: Final[list[str]] = []
_MOST_LOADED: Final = 8


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The live parts, by ruleset, and the games left out, as pairs of id and revision.

    ``key`` identifies the snapshot: responses are cached by it. ``as_of`` is the time of the newest
    part, None without any.
    """

    parts: tuple[tuple[str, str, frozenset[str]], ...]
    left_out: tuple[tuple[int, int], ...]
    as_of: datetime | None
    key: str

    def source(self, table: str, rulesets: Sequence[str] = ()) -> str:
        """Return a parenthesised SELECT of the rows of a table that count, for a FROM clause.

        ``rulesets`` restricts the rows to these.
        """
        files = [
            local_path(name, table)
            for ruleset, name, tables in self.parts
            if table in tables and (not rulesets or ruleset in rulesets)
        ]
        if not files:
            return f"({select_empty(TABLES[table].columns)})"
        listed = ", ".join(f"'{quote(path)}'" for path in files)
        rows = f"SELECT * FROM read_parquet([{listed}])"
        if self.left_out:
            rows += f" ANTI JOIN {self._left_out_table} USING (game, revision)"
        return f"({rows})"

    @property
    def _left_out_table(self) -> str:
        return f"left_out_{self.key}"

    @contextmanager
    def open_cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Open a cursor for queries over this snapshot. Raises as `database.open_cursor`."""
        if self.left_out:
            self._load()
        with open_cursor() as cursor:
            yield cursor

    def _load(self) -> None:
        with _LOCK:
            database = get_database()
            name = self._left_out_table
            there = database.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = ?", [name])
            if there.fetchone():
                return
            games, revisions = zip(*self.left_out, strict=True)
            columns = {"game": np.array(games, "i8"), "revision": np.array(revisions, "i4")}
            database.register("left_out", columns)
            database.execute(f"CREATE TABLE {name} AS SELECT * FROM left_out")
            database.unregister("left_out")
            _LOADED.append(name)
            while len(_LOADED) > _MOST_LOADED:
                database.execute(f"DROP TABLE IF EXISTS {_LOADED.pop(0)}")


@contextmanager
def hold_snapshot() -> Iterator[None]:
    """Let all queries of a response see the same snapshot, which is read once."""
    token = _HELD.set(current_snapshot())
    try:
        yield
    finally:
        _HELD.reset(token)


def current_snapshot() -> Snapshot:
    """Return the snapshot that counts now, or the one that is held."""
    held = _HELD.get()
    if held is not None:
        return held
    newest = _published()
    # Parts are read before the games left out: a game that is replaced meanwhile is missing for a
    # moment, and never counted twice.
    merged = Q(merged_into=None) | Q(merged_into__gt=newest)
    live = FactPart.objects.filter(merged, pk__lte=newest).order_by("pk")
    rows = list(live.values_list("ruleset", "name", "rows", "created"))
    left_out = tuple(sorted(set(_left_out())))
    parts = tuple((ruleset, name, frozenset(tables)) for ruleset, name, tables, _ in rows)
    names = [name for _ruleset, name, _tables in parts]
    digest = blake2b(repr((names, left_out)).encode(), digest_size=12).hexdigest()
    return Snapshot(parts, left_out, max((row[-1] for row in rows), default=None), digest)


def _published() -> int:
    """Return the primary key of the newest part that counts."""
    if not settings.FACTS_SECONDS:
        return _newest()
    return int(cache.get_or_set(_PUBLISHED, _newest, settings.FACTS_SECONDS) or 0)


def _newest() -> int:
    newest: int | None = FactPart.objects.aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def _left_out() -> Iterator[tuple[int, int]]:
    yield from StaleFacts.objects.values_list("game", "revision")
    yield from VOID.values_list("pk", "facts")
