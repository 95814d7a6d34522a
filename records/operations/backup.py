"""Backup and restore: the database at one moment, and the bytes of all its uploads.

A backup directory has ``uploads/``, shared by all backups, and a directory for each backup, named
after its time, with the dump and ``manifest.json``.

The database is dumped first, the bytes are copied afterwards: bytes are written before the row that
names them, never change, and are not removed while a row names them. So all bytes that the dump
names can be copied. In the reverse order, an upload that arrives in between would be a row without
its bytes. Uploads that arrive after the dump are copied too; without a row they are harmless.

Uploads in a bucket are not copied: the bucket itself has versions or a replica. Then a backup is
the database, and checks that the bucket has every object in the database.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import connection, transaction

from records.base.packed import Damaged, opened, size_of

MANIFEST: Final = "manifest.json"
UPLOADS: Final = "uploads"
_FILES: Final = "SELECT stored, size, sha256 FROM records_uploadfile WHERE stored <> ''"


class BackupError(Exception):
    """The reason for a failure, in a sentence for the operator."""


def backup(directory: Path) -> tuple[Path, dict[str, Any]]:
    """Make a backup; return its directory and its manifest.

    Missing bytes are added to ``directory/uploads``. Raises BackupError if the backup cannot be
    completed; the incomplete directory keeps the suffix ``.incomplete``.
    """
    made_at = datetime.now(UTC)
    target = directory / made_at.strftime("%Y%m%dT%H%M%SZ")
    draft = target.with_suffix(".incomplete")
    if target.exists():
        raise BackupError(f"{target} already exists")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    dump = draft / f"database.{connection.vendor}"
    counts, files = _dump(dump)
    if settings.BUCKET is None:
        stored = _copy_all(directory / UPLOADS)
        missing = [(name, size) for name, size, _hash in files if stored.get(name) != size]
    else:
        objects = _list_objects()
        missing = [(name, size) for name, size, _hash in files if name not in objects]
    if missing:
        name, size = missing[0]
        raise BackupError(
            f"uploads: {name} of {size} bytes is missing, although the database has it"
        )
    manifest = {
        "made": made_at.isoformat(timespec="seconds"),
        "dump": dump.name,
        "sha256": _hash_file(dump),
        "files": len(files),
        "has_uploads": settings.BUCKET is None,
        "counts": counts,
    }
    (draft / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n")
    draft.rename(target)
    return target, manifest


def restore(source: Path) -> dict[str, Any]:
    """Restore a backup into an empty database and into the uploads; return its manifest.

    Compares every count, and the hash of every upload; if the uploads are in a bucket, only their
    existence. Raises BackupError if the database is not empty, or if data is missing or different.
    """
    manifest = _read_manifest(source)
    dump = source / manifest["dump"]
    if dump.suffix != f".{connection.vendor}":
        raise BackupError(f"{dump.name} cannot be restored into {connection.vendor}")
    if not dump.is_file() or _hash_file(dump) != manifest["sha256"]:
        raise BackupError(f"{dump} is damaged or missing")
    if connection.introspection.table_names():
        raise BackupError("the database is not empty: restore into a new database")
    if connection.vendor == "postgresql":
        options = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"]
        _run_client("pg_restore", *options, f"--dbname={_name()}", str(dump))
    else:
        connection.ensure_connection()
        with closing(sqlite3.connect(dump)) as copy:
            copy.backup(connection.connection)
    with connection.cursor() as cursor:
        counts = _count_rows(cursor, manifest["counts"])
        cursor.execute(_FILES)
        files = cursor.fetchall()
    if counts != manifest["counts"]:
        wrong = [table for table, count in counts.items() if count != manifest["counts"][table]]
        raise BackupError(f"the counts differ from the backup: {', '.join(wrong)}")
    if manifest["has_uploads"]:
        for name, _size, digest in files:
            _restore_file(source.parent / UPLOADS / name, name, digest)
    else:
        objects = _list_objects()
        for name, _size, _digest in files:
            if name not in objects:
                raise BackupError(f"uploads: {name} is not in the bucket")
    return manifest


def _read_manifest(source: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((source / MANIFEST).read_text())
        names = ("made", "dump", "sha256", "files", "counts")
        # Backups of an earlier version, without support for buckets, lack this field.
        has_uploads = bool(manifest.get("has_uploads", True))
        return {name: manifest[name] for name in names} | {"has_uploads": has_uploads}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BackupError(f"{source} is no complete backup: {error}") from None


def _dump(target: Path) -> tuple[dict[str, int], list[tuple[str, int, str]]]:
    """Dump the database; return its counts and its list of files, all of the same moment."""
    if connection.vendor == "postgresql":
        with _export_snapshot() as snapshot, connection.cursor() as cursor:
            options = ["--format=custom", "--no-owner", "--no-privileges"]
            _run_client("pg_dump", *options, f"--snapshot={snapshot}", f"--file={target}", _name())
            counts = _count_rows(cursor, connection.introspection.table_names())
            cursor.execute(_FILES)
            return counts, cursor.fetchall()
    connection.ensure_connection()
    with closing(sqlite3.connect(target)) as copy:
        connection.connection.backup(copy)
        counts = _count_rows(copy.cursor(), connection.introspection.table_names())
        return counts, copy.execute(_FILES).fetchall()


@contextmanager
def _export_snapshot() -> Iterator[str]:
    """Yield the id of a snapshot of the database, for pg_dump and our own queries."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        yield cursor.fetchone()[0]


def _count_rows(cursor: Any, tables: Iterable[str]) -> dict[str, int]:
    """Return the number of rows by table (trusted names, from the database itself)."""
    counts = {}
    for table in sorted(tables):
        cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")
        counts[table] = cursor.fetchone()[0]
    return counts


def _name() -> str:
    return str(connection.settings_dict["NAME"])


def _run_client(program: str, *arguments: str) -> None:
    """Run a PostgreSQL client.

    The connection parameters are passed in the environment, since lists of processes show
    arguments.
    """
    database: Mapping[str, Any] = connection.settings_dict
    variables = {
        "PGHOST": database["HOST"],
        "PGPORT": database["PORT"],
        "PGUSER": database["USER"],
        "PGPASSWORD": database["PASSWORD"],
        "PGSSLMODE": database["OPTIONS"].get("sslmode"),
    }
    environment = os.environ | {name: str(value) for name, value in variables.items() if value}
    try:
        result = subprocess.run(
            [program, *arguments], env=environment, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise BackupError(f"{program} is missing: install PostgreSQL's client programs") from None
    if result.returncode:
        raise BackupError(f"{program}: {result.stderr.strip()}")


def _uploads() -> Path:
    return Path(default_storage.path(""))


def _copy_all(target: Path) -> dict[str, int]:
    """Copy the missing uploads to the target; return the unpacked sizes of all its files by name.

    The size of a damaged file is -1.
    """
    sizes = {}
    for path in sorted(_uploads().glob("*/*")):
        name = path.relative_to(_uploads()).as_posix()
        copy = target / name
        try:
            # A file that was incomplete at an earlier backup has grown since.
            if not copy.exists() or copy.stat().st_size != path.stat().st_size:
                _copy(path, copy)
            sizes[name] = _read_size(copy)
        except FileNotFoundError:
            continue  # A refused upload was removed meanwhile; no row names it.
    return sizes


def _read_size(copy: Path) -> int:
    try:
        return size_of(copy)
    except Damaged:
        return -1  # or being received


def _list_objects() -> set[str]:
    """Return the names of all uploads in the bucket. Raises OSError."""
    folders = default_storage.listdir("")[0]
    return {f"{folder}/{name}" for folder in folders for name in default_storage.listdir(folder)[1]}


def _restore_file(copy: Path, name: str, digest: str) -> None:
    """Copy a file of the backup to the uploads, if it is missing there. Raises BackupError."""
    if not _is_whole(lambda: opened(copy), digest):
        raise BackupError(f"{copy} is damaged or missing")
    if _is_whole(lambda: default_storage.open(name), digest):
        return
    if settings.BUCKET is None:
        _copy(copy, _uploads() / name)
    else:
        with opened(copy) as stream:
            default_storage.save(name, File(stream))


def _is_whole(open_stream: Callable[[], Any], digest: str) -> bool:
    """Return whether a stored file exists and has the given SHA-256."""
    try:
        with open_stream() as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest() == digest
    except (FileNotFoundError, Damaged):
        return False


def _copy(source: Path, target: Path) -> None:
    """Copy the whole file or nothing."""
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.draft")
    shutil.copyfile(source, draft)
    with draft.open("rb") as written:
        os.fsync(written.fileno())
    draft.replace(target)


def _hash_file(path: Path) -> str:
    with opened(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]
