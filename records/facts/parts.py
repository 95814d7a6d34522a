"""Parts: immutable Parquet files in the storage ``facts``, a file for each table of a part."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from django.core.files import File
from django.core.files.storage import Storage, storages

from records.facts.database import open_cursor
from records.facts.rows import Columns, RowBatch
from records.facts.tables import TABLES, FactTable
from records.facts.versions import VERSION
from records.models import FactPart

#: Rows of a row group: a query for one key or player skips the others.
ROW_GROUP: Final = 20_480
#: A part is written in one statement a table, however long that takes.
WRITE_SECONDS: Final = 600.0


def get_storage() -> Storage:
    """Return the storage that contains all parts."""
    return storages["facts"]


def file_of(name: str, table: str) -> str:
    """Return the name in storage of a part's file."""
    return f"{name}/{table}.parquet"


def write_part(batch: RowBatch) -> FactPart:
    """Write the files of a batch and return the part, unsaved. The batch has at least one game.

    Files without a saved row are removed by the sweep.
    """
    games = [info.game for info in batch.games]
    part = FactPart(
        ruleset=batch.ruleset,
        name=f"{batch.ruleset}/{secrets.token_hex(12)}",
        version=VERSION,
        games=len(games),
        first_game=min(games),
        last_game=max(games),
    )
    with TemporaryDirectory() as directory, open_cursor(WRITE_SECONDS) as cursor:
        for name, columns in batch.tables():
            path = Path(directory) / f"{name}.parquet"
            table = TABLES[name]
            cursor.register("rows", columns)
            cursor.execute(copy_statement(table, select_typed(table), path))
            cursor.unregister("rows")
            store_file(part, name, path, count_rows(columns))
    return part


def count_rows(columns: Columns) -> int:
    """Return the number of rows of a table's columns."""
    return len(columns["game"])


def store_file(part: FactPart, table: str, path: Path, rows: int) -> None:
    """Move a written file of a table into storage and note it in its part, unsaved."""
    part.size += path.stat().st_size
    part.rows[table] = rows
    with path.open("rb") as file:
        get_storage().save(file_of(part.name, table), File(file))


def select_typed(table: FactTable) -> str:
    """Return the statement that gives the columns of registered ``rows`` their types."""
    columns = []
    for column in table.columns:
        name = f'"{column.name}"'
        if column.is_list:
            words = f"list_filter(string_split({name}, ' '), lambda word: word <> '')"
            columns.append(f"CAST({words} AS {column.type}) AS {name}")
        else:
            columns.append(f"CAST({name} AS {column.type}) AS {name}")
    return f"SELECT {', '.join(columns)} FROM rows"


def copy_statement(table: FactTable, select: str, path: Path) -> str:
    """Return the statement that writes the rows of a SELECT as a Parquet file, sorted."""
    order = ", ".join(table.sort)
    return (
        f"COPY ({select} ORDER BY {order}) TO '{quote(str(path))}' "
        f"(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {ROW_GROUP})"
    )


def quote(text: str) -> str:
    """Return a text as it is written between single quotes in SQL."""
    return text.replace("'", "''")


def local_path(name: str, table: str) -> str:
    """Return the path of a part's file on this machine.

    Raises FileNotFoundError for a file that is missing.
    """
    path = get_storage().path(file_of(name, table))
    if not Path(path).exists():
        raise FileNotFoundError(path)
    return path


def write_parts(batches: Mapping[str, RowBatch]) -> list[FactPart]:
    """Write a part for each batch that has games, by ruleset; return them unsaved."""
    return [write_part(batch) for _ruleset, batch in sorted(batches.items()) if batch.games]


def select_empty(columns: Iterable[Any]) -> str:
    """Return a SELECT with the columns and no rows."""
    names = ", ".join(f'CAST(NULL AS {column.type}) AS "{column.name}"' for column in columns)
    return f"SELECT {names} WHERE false"
