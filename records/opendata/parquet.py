"""Parquet files of any number of rows, written in constant memory: rows go through files of JSON
lines into parts, and the parts into one file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final

import duckdb

from records.opendata.rows import Rows
from records.opendata.schema import TABLES, DumpTable

#: Rows of a part, and DuckDB's limits.
PART_ROWS: Final = 50_000
MEMORY: Final = "256MB"


def connect(directory: Path) -> duckdb.DuckDBPyConnection:
    """DuckDB with limits, which finds files by their names in this directory."""
    bounds: dict[str, Any] = {
        "threads": 1,
        "memory_limit": MEMORY,
        "temp_directory": str(directory / ".duckdb"),
    }
    connection = duckdb.connect(config=bounds)
    connection.execute(f"SET file_search_path = {_quoted(str(directory))}")
    return connection


class Tables:
    """The tables of a dump, written in a directory: ``with Tables(path, about) as tables``.

    ``add`` rows, then ``finish``. ``about`` is metadata for the files themselves.
    """

    def __init__(self, directory: Path, about: Mapping[str, str]) -> None:
        self.parts = directory / ".parts"
        self.parts.mkdir()
        self.directory = directory
        self.about = about
        self.counts = dict.fromkeys(TABLES, 0)
        self.part = self.rows = 0
        self.files: dict[str, IO[str]] = {}
        self.duckdb = connect(directory)

    def __enter__(self) -> Tables:
        """Open the first part."""
        self._open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close what is open."""
        for file in self.files.values():
            file.close()
        self.duckdb.close()

    def add(self, rows: Rows) -> None:
        """The rows of a game."""
        for name, found in rows.items():
            write = self.files[name].write
            for row in found:
                write(json.dumps(row, ensure_ascii=False) + "\n")
            self.counts[name] += len(found)
            self.rows += len(found)
        if self.rows >= PART_ROWS:
            self._end_part()
            self._open()

    def finish(self, report: Callable[[], object] = lambda: None) -> None:
        """Join the parts of each table into one file; ``report`` is called after each."""
        self._end_part()
        for table in TABLES.values():
            source = f"read_parquet({_quoted(f'{self.parts}/{table.name}-*.parquet')})"
            self._copy(source, self.directory / table.file)
            report()
        for path in self.parts.iterdir():
            path.unlink()
        self.parts.rmdir()

    def _open(self) -> None:
        self.part, self.rows = self.part + 1, 0
        self.files = {name: self._lines(name).open("w", encoding="utf-8") for name in TABLES}

    def _lines(self, name: str) -> Path:
        return self.parts / f"{name}.ndjson"

    def _end_part(self) -> None:
        for name, table in TABLES.items():
            self.files[name].close()
            source = (
                f"read_json({_quoted(str(self._lines(name)))}, format = 'newline_delimited', "
                f"columns = {_types(table)})"
            )
            self._copy(source, self.parts / f"{name}-{self.part:06}.parquet")
            self._lines(name).unlink()

    def _copy(self, source: str, target: Path) -> None:
        about = ", ".join(f"{name}: {_quoted(words)}" for name, words in self.about.items())
        self.duckdb.execute(
            f"COPY (SELECT * FROM {source}) TO {_quoted(str(target))} "
            f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{about}}})"
        )


def _types(table: DumpTable) -> str:
    return (
        "{" + ", ".join(f"{_quoted(one.name)}: {_quoted(one.type)}" for one in table.columns) + "}"
    )


def _quoted(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def answer(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[list[str], list[list[Any]]]:
    """The column names and rows of a question over a dump."""
    result = connection.execute(sql)
    columns = [column[0] for column in result.description or ()]
    return columns, [list(row) for row in result.fetchall()]
