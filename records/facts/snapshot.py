"""A snapshot: the parts and games that statistics count at a moment, in DuckDB."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Lock
from typing import Final

import duckdb
import numpy as np
from django.conf import settings
from django.core.cache import cache

from records.base.bulk import slices
from records.facts.database import QueryTimeout, get_database, open_cursor
from records.facts.parts import PartUnavailable, local_path, select_empty, select_files
from records.facts.tables import TABLES

#: The cache key that is set after a query met a missing or damaged file (`records.facts.repair`).
SUSPECT: Final = "facts-suspect"
_LOCK: Final = Lock()
#: Keys of the sets of left-out games that are tables in the database, newest last.
_LOADED: Final[list[str]] = []
_MOST_LOADED: Final = 8


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
            rows += f" ANTI JOIN {self.left_out_table} USING (game, revision)"
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
    def left_out_table(self) -> str:
        """The name of the table of left-out games in DuckDB."""
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
            name = self.left_out_table
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
