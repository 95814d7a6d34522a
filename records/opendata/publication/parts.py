"""The files of a block: a Parquet file for each table with rows of its public games."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from records.base.bulk import slices
from records.facts.current import find_newest, read_snapshot
from records.facts.parts import find_live, quote
from records.facts.snapshot import Snapshot
from records.models import Record
from records.opendata.files import copy_table, describe_source
from records.opendata.listing import BATCH, list_game, read_texts, select_games, write_rows
from records.opendata.publication import states
from records.opendata.publication.tables import TABLES, number_columns
from records.opendata.tables import DumpTable

#: The statement for one table of a block is never interrupted before.
_SECONDS: Final = 3600.0


class WrittenTable(NamedTuple):
    """A written file in a local folder, with the number of rows and the SHA-256."""

    table: str
    path: Path
    rows: int
    sha256: str


def write_block(block: int, until: datetime, folder: Path) -> tuple[int, list[WrittenTable]]:
    """Write the tables of a block into a new local folder.

    Returns the number of public games, and the files of tables with rows.
    """
    listed = folder / "listed"
    listed.mkdir(parents=True)
    games = _list_games(block, until, listed)
    return games, list(_write_tables(block, listed, folder)) if games else []


def _list_games(block: int, until: datetime, folder: Path) -> int:
    """Write the columns of public games as Parquet files; return the number of games."""
    games = states.find_games(block, until)
    count = 0
    for number, pks in enumerate(slices(list(games.values_list("pk", flat=True)), BATCH)):
        rows = [
            list_game(record, text, _revision_of_rows(record))
            for record, text in read_texts(games, pks)
        ]
        if rows:
            write_rows(rows, folder / f"{number:07}.parquet")
        count += len(rows)
    return count


def _revision_of_rows(record: Record) -> int:
    """Return the revision of the rows of a game that count, -1 if none do.

    Rows of an outdated revision count until newer rows replace them, as in statistics.
    """
    is_counted = record.copy_of_id is None and record.facts >= record.valid_from
    return record.facts if is_counted else -1


def _write_tables(block: int, listed: Path, folder: Path) -> Iterator[WrittenTable]:
    # The snapshot is newer than the list. The list decides which rows count: a row replaced in
    # between must not be left out.
    snapshot = replace(_read_overlapping(block), left_out=())
    first, last = states.range_of(block)
    with snapshot.open_cursor(_SECONDS) as cursor:
        cursor.execute(f"CREATE TEMP VIEW listed AS FROM {select_games(listed)}")
        for table in TABLES.values():
            path = folder / table.file
            source = snapshot.source(table.source)
            facts = f"(FROM {source} WHERE game BETWEEN {first} AND {last})"
            options = f"FIELD_IDS {_format_ids(table)}, {describe_source()}"
            rows = copy_table(cursor, table, facts, path, options)
            if rows:
                with path.open("rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
                yield WrittenTable(table.name, path, rows, digest)


def _read_overlapping(block: int) -> Snapshot:
    """Return the present snapshot, without parts that have no games of a block."""
    snapshot = read_snapshot(find_newest())
    first, last = states.range_of(block)
    others = find_live().exclude(first_game__lte=last, last_game__gte=first)
    return snapshot.without(set(others.values_list("name", flat=True)))


def _format_ids(table: DumpTable) -> str:
    """Return the field ids of a table's columns in DuckDB's syntax."""
    ids = (
        f"'{quote(name)}': {number}"
        if element is None
        else f"'{quote(name)}': {{__duckdb_field_id: {number}, element: {element}}}"
        for name, (number, element) in number_columns(table).items()
    )
    return f"{{{', '.join(ids)}}}"
