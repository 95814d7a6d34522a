"""Parts: immutable Parquet files in the storage ``facts``, a file for each table of a part.

The facts of a batch of games are a part for each ruleset and year of play, in the folder
``RULESET/YEAR/…``. Years with few games of the batch share a part in ``RULESET/mixed/…``.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import duckdb
from django.core.files import File
from django.core.files.storage import Storage, storages
from django.db.models import QuerySet

from records.base import clock
from records.base.bulk import BATCH, insert_new, slices
from records.base.clock import second_of_day
from records.base.transient import Unavailable
from records.facts.database import get_copy, open_cursor
from records.facts.rows import Columns, GameInfo, GameRows, RowBatch
from records.facts.tables import ENGINE, FORM, PREFIX, TABLES, FactTable
from records.models import EventName, FactPart, Record

#: Rows of a row group: a query for a single key or player skips unrelated groups.
ROW_GROUP: Final = 20_480
#: A year with at least this share of a batch has a part of its own.
YEAR_SHARE: Final = 0.25
#: Maximum seconds of the statement that writes a table of a part.
WRITE_SECONDS: Final = 600.0


class PartUnavailable(Unavailable):
    """A file of a part is missing, damaged or out of reach."""


def get_storage() -> Storage:
    """Return the storage of all parts."""
    return storages["facts"]


def find_live() -> QuerySet[FactPart]:
    """Return the parts with the current form that are neither merged nor lost."""
    return FactPart.objects.filter(dropped=None, form=FORM).order_by("pk")


def find_lost() -> QuerySet[FactPart]:
    """Return the parts with the current form that were dropped because files are damaged.

    They remain some minutes (`records.facts.compaction.GRACE`).
    """
    return FactPart.objects.filter(form=FORM, dropped__isnull=False, merged_into=None)


def file_of(name: str, table: str) -> str:
    """Return the name in storage of a part's file."""
    return f"{name}/{table}.parquet"


def write_parts(batches: Iterable[RowBatch]) -> list[FactPart]:
    """Write a part for each batch and return the parts unsaved."""
    return [write_part(batch) for batch in batches]


def write_part(batch: RowBatch) -> FactPart:
    """Write the files of a batch and return the part, unsaved. The batch has at least one game."""
    games = [info.game for info in batch.games]
    part = begin_part(batch.ruleset, batch.year)
    part.games, part.first_game, part.last_game = len(games), min(games), max(games)
    with open_cursor(WRITE_SECONDS) as cursor:
        for name, rows in batch.tables():
            # Rows are sorted by game already; merged parts have the sort order of their table.
            add_file(part, cursor, name, select_typed(TABLES[name]), rows)
    return part


def begin_part(ruleset: str, year: int = 0) -> FactPart:
    """Return a new part without rows, unsaved; year 0 is several years.

    The sweep removes its files unless the part is saved within an hour.
    """
    part = FactPart(ruleset=ruleset, year=year, engine=ENGINE, form=FORM, created=clock.now())
    part.name = f"{ruleset}/{year or 'mixed'}/{secrets.token_hex(12)}"
    return part


def add_file(
    part: FactPart,
    cursor: duckdb.DuckDBPyConnection,
    table: str,
    select: str,
    rows: Columns | None = None,
) -> None:
    """Write the rows of a SELECT as a table of an unsaved part; without rows, write no file.

    DuckDB finds the columns ``rows`` in the SELECT by the name of the argument. If they were
    registered, it would read each column twice.
    """
    with write_file(file_of(part.name, table)) as path:
        copied = cursor.execute(
            f"COPY ({select}) TO '{quote(str(path))}' "
            f"(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {ROW_GROUP})"
        ).fetchone()
        assert copied is not None, "COPY returns the number of rows"
        if not copied[0]:
            path.unlink()
            return
        part.rows[table] = copied[0]
        part.size += path.stat().st_size
        with path.open("rb") as content:
            part.digests[table] = hashlib.file_digest(content, "sha256").hexdigest()


@contextmanager
def write_file(file: str) -> Iterator[Path]:
    """Yield a local path, and store the file that the caller writes there as ``file``.

    Does not flush the file to disk, since facts can be rebuilt.
    """
    storage = get_storage()
    try:
        path = Path(storage.path(file))
    except NotImplementedError:  # The storage has no local paths.
        with TemporaryDirectory(prefix=PREFIX) as directory:
            path = Path(directory) / "rows.parquet"
            yield path
            if path.exists():
                with path.open("rb") as content:
                    storage.save(file, File(content))
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield path


def select_typed(table: FactTable) -> str:
    """Return the statement that gives the columns of registered ``rows`` their types."""
    columns = (
        f'CAST("{column.name}" AS {column.type}) AS "{column.name}"' for column in table.columns
    )
    return f"SELECT {', '.join(columns)} FROM rows"


def select_empty(columns: Iterable[Any]) -> str:
    """Return a SELECT with the columns and no rows."""
    names = ", ".join(f'CAST(NULL AS {column.type}) AS "{column.name}"' for column in columns)
    return f"SELECT {names} WHERE false"


def select_files(paths: Iterable[str]) -> str:
    """Return a SELECT of all rows of files."""
    listed = ", ".join(f"'{quote(path)}'" for path in paths)
    return f"SELECT * FROM read_parquet([{listed}])"


def quote(text: str) -> str:
    """Return a text escaped for single quotes in SQL."""
    return text.replace("'", "''")


def local_path(name: str, table: str) -> str:
    """Return the local path of a part's file, possibly of a copy.

    Raises `PartUnavailable`.
    """
    file, storage = file_of(name, table), get_storage()
    try:
        try:
            path = storage.path(file)
        except NotImplementedError:  # The storage has no local paths.
            return get_copy(storage, file)
        Path(path).stat()
    except OSError as error:
        raise PartUnavailable(f"facts {file}: {error}") from error
    return path


def find_faults(part: FactPart) -> list[str]:
    """Return a text for each missing or damaged file of a part.

    Raises `PartUnavailable` if a file cannot be read, as if the storage does not respond.
    """
    faults = []
    for table in part.rows:
        file = file_of(part.name, table)
        try:
            with get_storage().open(file) as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
        except FileNotFoundError:
            faults.append(f"{file} is missing")
        except OSError as error:
            raise PartUnavailable(f"facts {file}: {error}") from error
        else:
            if digest != part.digests.get(table):
                faults.append(f"{file} is damaged")
    return faults


class FactGame(NamedTuple):
    """A saved record, the ids of its players by seat, and its rows.

    A game that does not count has no rows.
    """

    record: Record
    players: Sequence[int]
    rows: GameRows | None


def store_facts(games: Iterable[FactGame]) -> None:
    """Write the facts of new games, inside the transaction for the games.

    The caller sets ``facts`` of every record to its ``revision`` in the same transaction.
    """
    for part in write_parts(make_batches(games)):
        part.save()


def make_batches(games: Iterable[FactGame]) -> list[RowBatch]:
    """Return the rows of games by ruleset and year. Names of new events are inserted."""
    games = [game for game in games if game.rows is not None]
    events = write_events(game.record.event for game in games)
    games_by_year: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for game in games:
        games_by_year[game.record.ruleset][year_of(game.record)] += 1
    batches: dict[tuple[str, int], RowBatch] = {}
    for record, players, rows in games:
        assert rows is not None
        years, year = games_by_year[record.ruleset], year_of(record)
        key = record.ruleset, year if years[year] >= YEAR_SHARE * years.total() else 0
        batch = batches.setdefault(key, RowBatch(*key))
        batch.add(describe_game(record, players, events), rows)
    return [batch for _key, batch in sorted(batches.items())]


def year_of(record: Record) -> int:
    """Return the year in which a game was played; 0 if it is unknown."""
    first, last = record.date_from, record.date_to
    return first.year if first is not None and last is not None and first.year == last.year else 0


def describe_game(record: Record, players: Sequence[int], events: Mapping[str, int]) -> GameInfo:
    """Return the columns of a game that come from the database."""
    return GameInfo(
        game=record.pk,
        revision=record.revision,
        profile=record.profile,
        options=record.options,
        sheet=record.sheet,
        players=players,
        first_day=record.date_from,
        last_day=record.date_to,
        time=second_of_day(record.tags),
        event=events.get(record.event),
    )


def write_events(names: Iterable[str]) -> dict[str, int]:
    """Return the ids of names of events; insert new names. An empty name has no id."""
    texts = sorted({name for name in names if name})
    ids = _read_ids(texts)
    missing = [text for text in texts if text not in ids]
    if missing:
        # Waits for concurrent inserts of the same names; the sorted order prevents deadlocks.
        insert_new(EventName, ("text",), [(text,) for text in missing], "text")
        ids |= _read_ids(missing)
    return ids


def _read_ids(texts: Sequence[str]) -> dict[str, int]:
    rows = EventName.objects.order_by().values_list("text", "pk")
    return {text: pk for part in slices(texts, BATCH) for text, pk in rows.filter(text__in=part)}
