"""A snapshot whose facts ClickHouse reads from the bucket."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache

from records.facts.database import StatisticsAway, open_cursor
from records.facts.parts import file_of, write_file
from records.facts.snapshot import SUSPECT, Snapshot
from records.facts.tables import TABLES

#: The names of facts and left-out games in statements for a cluster.
_FACTS: Final = "facts"
_LEFT_OUT: Final = "facts_left_out"
#: Seconds for which a stored file of left-out games surely exists.
_STORED_SECONDS: Final = 1_800


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
        prefix, *place = name.split("__")
        if prefix != _FACTS:
            return None
        table, *rulesets = place
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
        if not cache.get(file):
            with open_cursor() as cursor, write_file(file) as path:
                cursor.execute(f"COPY {self.left_out_table} TO '{path}' (FORMAT parquet)")
            cache.set(file, True, _STORED_SECONDS)
        return file


def _spell(ruleset: str) -> str:
    """Return a ruleset's id as a part of a table's name."""
    return ruleset.replace("-", "_")
