"""The files of a dump: texts and tables of games, notebook, README, manifest and checksums.

The README of a dump.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Protocol

import duckdb
from django.core.files import File

from kafu.rules import ENGINE_VERSION
from kafu.rules.rulesets import RULESETS
from records.facts.current import find_newest, read_snapshot
from records.facts.parts import quote
from records.facts.snapshot import Snapshot
from records.facts.tables import FactColumn
from records.opendata import notebook
from records.opendata.additions import ADDED_FILES
from records.opendata.listing import MonthGameList
from records.opendata.problems import collect_problems
from records.opendata.schedule import find_games, month_end
from records.opendata.tables import TABLES, DumpTable

README: Final = "README.md"
_HEAD: Final = """\
# HanaArchive: open data, {month}

All hanafuda games of this archive that were public {until} ({games} games): not only those that
came in that month. Each dump is whole by itself; a later one replaces it.

| file | what |
|---|---|
| `{texts}` | every game as Kafu text, Zstandard |
| `games.parquet` and {others} more `.parquet` | the games as tables, described below |
| `notebook.md`, `notebook.ipynb`, `notebook.json` | three questions in SQL, a game replayed |
| `manifest.json` | this page for programs, with the size and SHA-256 of every file |
| `SHA256SUMS` | `sha256sum -c SHA256SUMS` |

## Licence

{licence[name]} ({licence[url]}). {licence[text]}

## What to know

- `games.parquet` and the text file have games of every verdict, in the same order (`number`): look
  at `status`. The other tables have no rows of an illegal game, and none of a game in which no deal
  ended: `deals` is null for these{missing}. Results are recomputed by the rules, whatever a record
  claims.
- Tables are joined by `game`, those of deals by `game` and `deal`.
- A game that was withdrawn, made private or unlisted before {made} is not in it.
- Players who asked for a pseudonym have it here. Those who are not to be named in statistics are
  called `player-…`, everywhere the same. `identity` is that of the text as it stands here.
- Sums are in the small unit: mon in {mon}, points else (12 to a kan).
- Cards are letters, A to Z and a to v, four to a month; `?` is one that nobody recorded. A set of
  cards that is a number has bit 0 for A, bit 1 for B, and so on.

```sql
SELECT ruleset, count(*) FROM 'games.parquet' GROUP BY ruleset;
```

## Tables
"""
MANIFEST: Final = "manifest.json"
SUMS: Final = "SHA256SUMS"
#: Content types by the suffix of a file's name.
CONTENT_TYPES: Final[Mapping[str, str]] = {
    ".ipynb": "application/x-ipynb+json",
    ".json": "application/json; charset=utf-8",
    ".ndjson": "application/x-ndjson; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".parquet": "application/vnd.apache.parquet",
    ".zst": "application/zstd",
    "": "text/plain; charset=utf-8",
}
LICENCE: Final[Mapping[str, str]] = {
    "id": "CC0-1.0",
    "name": "CC0 1.0 Universal",
    "url": "https://creativecommons.org/publicdomain/zero/1.0/",
    "text": (
        "Whoever handed these games in and whoever runs the archive have waived, as far as the law "
        "allows, all rights of their own in them, worldwide: they are dedicated to the public "
        "domain under CC0 1.0 Universal. You may copy, change and use them for any purpose without "
        "asking. They come without any warranty. Names are those under which people let themselves "
        "be shown; CC0 does not touch their rights of personality. To name the archive as a source "
        "is welcome, not required."
    ),
}
#: A statement over all games is never interrupted before.
_SECONDS: Final = 3600.0


def format_readme(manifest: Mapping[str, Any], texts: str) -> str:
    """Return the README of a dump: its contents and licence."""
    until = f"at the end of {manifest['month']}" if manifest["whole"] else f"on {manifest['made']}"
    mon = " and ".join(id for id, description in RULESETS.items() if description.mon)
    missing = manifest["games_without_rows"]
    head = _HEAD.format(
        **manifest,
        until=until,
        texts=texts,
        games=manifest["counts"]["games"],
        mon=mon,
        others=len(manifest["tables"]) - 1,
        missing=f", and for {missing} that changed while the dump was made" if missing else "",
    )
    parts = [head]
    for name, table in manifest["tables"].items():
        count = manifest["counts"][name]
        parts.append(f"\n### {name}.parquet, {count} rows\n\nA row is {table['row']}.\n\n")
        parts += _format_columns(table["columns"])
    for name, lines in manifest["lines"].items():
        parts.append(f"\n### {name}, JSON lines\n\nA line is {lines['row']}.\n\n")
        parts += _format_columns(lines["columns"])
    return "".join(parts)


def _format_columns(columns: Iterable[Mapping[str, str]]) -> Iterator[str]:
    yield "| column | type | what |\n|---|---|---|\n"
    for column in columns:
        yield f"| `{column['name']}` | `{column['type']}` | {column['meaning']} |\n"


def describe_columns(columns: Iterable[FactColumn]) -> list[dict[str, str]]:
    """Return name, type and meaning of columns for a manifest."""
    return [
        {"name": column.name, "type": column.type, "meaning": str(column.meaning)}
        for column in columns
    ]


class DumpProgress(Protocol):
    """A callback that extends the lease of a dump in progress, and reports its number of games."""

    def __call__(self, games: int | None = None, /) -> object:
        """Raise `records.jobs.ledger.LeaseLost` if another process makes the dump."""


def write_files(
    draft: Path, games: MonthGameList, began: datetime, report: DumpProgress
) -> dict[str, Any]:
    """Write all files of a dump into the directory ``draft``; return the manifest."""
    month = games.month
    texts = f"games-{month}.kafu.zst"
    # The tables have rows of listed games only. Removing a game hidden after the snapshot from this
    # list also removes it from the tables.
    snapshot = read_snapshot(find_newest())
    games.write_changed()
    report()
    games.join_texts(draft / texts)
    manifest: dict[str, Any] = {
        "month": month,
        "made": began.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "whole": began >= month_end(month),
        "engine_version": ENGINE_VERSION,
        "licence": dict(LICENCE),
        **write_tables(draft, games, snapshot, month, report),
        "tables": {
            table.name: {
                "row": str(table.row),
                "columns": describe_columns(table.columns),
            }
            for table in TABLES.values()
        },
        "lines": {
            name: {"row": str(added.row), "columns": describe_columns(added.columns)}
            for name, added in ADDED_FILES.items()
        },
    }
    # Games that arrive while the dump is made are not listed.
    listed = find_games(month).filter(created__lt=began)
    for added in ADDED_FILES.values():
        _write_added(draft / added.file, added.write(listed), report)
    notebook.write(draft)
    report()
    (draft / README).write_text(format_readme(manifest, texts), encoding="utf-8")
    names = (
        texts,
        *(table.file for table in TABLES.values()),
        *ADDED_FILES,
        *notebook.FILES,
        README,
    )
    sums = {name: _hash_file(draft / name) for name in names}
    manifest["files"] = [
        {"name": name, "bytes": (draft / name).stat().st_size, "sha256": digest}
        for name, digest in sums.items()
    ]
    (draft / MANIFEST).write_text(
        json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
    sums[MANIFEST] = _hash_file(draft / MANIFEST)
    # The format of ``sha256sum --check``.
    (draft / SUMS).write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()))
    return manifest


def _write_added(path: Path, pieces: Iterable[str], report: DumpProgress) -> None:
    with path.open("w", encoding="utf-8") as file:
        for piece in pieces:
            file.write(piece)
            report()


def write_tables(
    directory: Path, games: MonthGameList, snapshot: Snapshot, month: str, report: DumpProgress
) -> dict[str, Any]:
    """Write every table for the listed games.

    Returns the numbers of rows by table (``counts``), and the number of games without rows because
    the facts of the snapshot are of an older revision (``games_without_rows``).
    """
    metadata = describe_source(month=month)
    counts = {}
    with snapshot.open_cursor(_SECONDS) as cursor:
        cursor.execute(f"CREATE TEMP VIEW listed AS FROM {games.select}")
        cursor.register("problems", collect_problems())
        for table in TABLES.values():
            path = directory / table.file
            facts = snapshot.source(table.source)
            counts[table.name] = copy_table(cursor, table, facts, path, metadata)
            report()
        missing = _count(
            cursor,
            f"SELECT count(*) FROM listed ANTI JOIN {snapshot.source('games')} AS facts "
            "USING (game, revision) WHERE counted",
        )
    return {"counts": counts, "games_without_rows": missing}


def describe_source(**more: str) -> str:
    """Return the option of COPY that writes licence, source and more about it into a file."""
    about = {"licence": LICENCE["id"], "source": "HanaArchive"} | more
    entries = ", ".join(f"{name}: '{quote(words)}'" for name, words in about.items())
    return f"KV_METADATA {{{entries}}}"


def copy_table(
    cursor: duckdb.DuckDBPyConnection, table: DumpTable, facts: str, path: Path, options: str
) -> int:
    """Write the rows that the view ``listed`` of a cursor has in a table; return their number.

    ``facts`` is a parenthesised SELECT of the fact table, ``options`` are more options of COPY.
    """
    columns = ", ".join(
        f'CAST("{column.name}" AS {column.type}) AS "{column.name}"' for column in table.columns
    )
    return _count(
        cursor,
        f"COPY (SELECT {columns} FROM ({table.select.format(facts=facts)}))"
        f" TO '{quote(str(path))}' (FORMAT parquet, COMPRESSION zstd, {options})",
    )


def _count(cursor: duckdb.DuckDBPyConnection, statement: str) -> int:
    """Return the number that a statement, such as COPY, returns."""
    row = cursor.execute(statement).fetchone()
    assert row is not None, "COPY and count return a number"
    return int(row[0])


class WrittenFile(File):
    """A written file that a storage on the same disk may move."""

    def __init__(self, path: Path) -> None:
        super().__init__(path.open("rb"), path.name)
        self.path = path

    def temporary_file_path(self) -> str:
        """Return the path from which a storage may move the file."""
        return str(self.path)


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
