"""The tables of a dump as Parquet files, written and read by DuckDB."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import duckdb

from records.facts.parts import quote
from records.facts.snapshot import Snapshot
from records.opendata.listing import GameList
from records.opendata.tables import TABLES

#: The limits of DuckDB for reading, and of the time to write a table.
_MEMORY: Final = "256MB"
_WRITE_SECONDS: Final = 3600.0


def write_tables(
    directory: Path,
    games: GameList,
    snapshot: Snapshot,
    about: Mapping[str, str],
    hold: Callable[[], object],
) -> tuple[dict[str, int], int]:
    """Write every table for the listed games. Return the numbers of rows by table, and of games
    whose rows are missing, because the facts of the snapshot are of an older revision.

    ``about`` is metadata for the files themselves; ``hold`` is called after each.
    """
    metadata = ", ".join(f"{name}: '{quote(words)}'" for name, words in about.items())
    counts = {}
    with snapshot.open_cursor(_WRITE_SECONDS) as cursor:
        cursor.execute(f"CREATE TEMP VIEW listed AS FROM {games.select}")
        for table in TABLES.values():
            select = table.select.format(facts=snapshot.source(table.source))
            columns = ", ".join(
                f'CAST("{column.name}" AS {column.type}) AS "{column.name}"'
                for column in table.columns
            )
            path = quote(str(directory / table.file))
            written = cursor.execute(
                f"COPY (SELECT {columns} FROM ({select})) TO '{path}' "
                f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{metadata}}})"
            ).fetchone()
            assert written is not None, "COPY returns the number of rows"
            counts[table.name] = int(written[0])
            hold()
        missing = cursor.execute(
            f"SELECT count(*) FROM listed ANTI JOIN {snapshot.source('games')} AS facts "
            "USING (game, revision) WHERE counted"
        ).fetchone()
    assert missing is not None, "an aggregate has a row"
    return counts, int(missing[0])


def connect(directory: Path) -> duckdb.DuckDBPyConnection:
    """Open DuckDB with limits, which finds files by their names in this directory."""
    bounds: dict[str, Any] = {
        "threads": 1,
        "memory_limit": _MEMORY,
        "temp_directory": str(directory / ".duckdb"),
    }
    connection = duckdb.connect(config=bounds)
    connection.execute(f"SET file_search_path = '{quote(str(directory))}'")
    return connection


def answer(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[list[str], list[list[Any]]]:
    """Return the column names and the rows of a query over a dump."""
    result = connection.execute(sql)
    columns = [column[0] for column in result.description or ()]
    return columns, [list(row) for row in result.fetchall()]
