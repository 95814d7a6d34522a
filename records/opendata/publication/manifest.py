"""The manifest of a publication: all files, the meaning of their columns, and their checksums.

A manifest never changes. Its name contains the SHA-256 of its bytes, and `LATEST` names the newest
one. The manifest of an unfinished publication is `DRAFT`, from which the next attempt continues.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages

#: The version of the manifest's fields, and of the layout of the storage.
FORMAT: Final = 1
LATEST: Final = "latest.json"
DRAFT: Final = "draft.json"
#: The folder of the manifests.
FOLDER: Final = "manifests"
#: The time for which the files of a publication remain after the next publication.
KEPT: Final = timedelta(hours=3)

logger: Final = logging.getLogger(__name__)


class Part(msgspec.Struct, frozen=True):
    """A Parquet file with the rows that the games of a block have in a table."""

    table: str
    block: int
    path: str
    bytes: int
    rows: int
    sha256: str


class Block(msgspec.Struct, frozen=True):
    """A range of games that are written together (`records.opendata.publication.states`).

    ``games`` is the number of public games at the time ``written``. The states are opaque: they
    change with the games and names to be shown, and with the facts of the games.
    """

    number: int
    games: int
    written: datetime
    shown: str
    facts: str


class Table(msgspec.Struct, frozen=True):
    """A table: the meaning of a row, the columns, and the path of Iceberg's metadata, if any."""

    row: str
    columns: list[dict[str, str]]
    iceberg: str | None = None


class Manifest(msgspec.Struct, frozen=True):
    """A publication. Numbers increase; paths are relative to the address of the storage."""

    format: int
    number: int
    made: datetime
    engine_version: str
    licence: dict[str, str]
    kept_hours: float
    tables: dict[str, Table]
    blocks: list[Block]
    parts: list[Part]


class Pointer(msgspec.Struct, frozen=True):
    """The contents of `LATEST`: the path and the SHA-256 of the newest manifest, and its time."""

    format: int
    manifest: str
    sha256: str
    made: datetime


def get_storage() -> Storage:
    """Return the storage of all publications."""
    return storages["public"]


def write_file(name: str, content: bytes) -> None:
    """Store a small file at once: readers see the former file or the new one. Raises OSError."""
    storage = get_storage()
    try:
        path = Path(storage.path(name))
    except NotImplementedError:
        storage.save(name, ContentFile(content))  # A bucket replaces an object at once.
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def encode(manifest: Manifest) -> bytes:
    """Return a manifest as JSON."""
    return msgspec.json.encode(manifest) + b"\n"


def write_manifest(manifest: Manifest) -> str:
    """Store a manifest and point readers to it; return its path. Raises OSError."""
    content = encode(manifest)
    digest = hashlib.sha256(content).hexdigest()
    path = f"{FOLDER}/{digest}.json"
    write_file(path, content)
    pointer = Pointer(manifest.format, path, digest, manifest.made)
    write_file(LATEST, msgspec.json.encode(pointer) + b"\n")
    for name, table in manifest.tables.items():
        if table.iceberg is not None:
            write_file(hint_path(name), str(manifest.number).encode())
    return path


def read_newest() -> Manifest | None:
    """Return the stored manifest with the highest number, None without any. Raises OSError."""
    return max(_read_manifests().values(), key=lambda manifest: manifest.number, default=None)


def _read_manifests() -> dict[str, Manifest]:
    """Return the readable manifests by path."""
    manifests = {path: read_manifest(path) for path in _list_files(FOLDER)}
    return {path: manifest for path, manifest in manifests.items() if manifest is not None}


def read_manifest(path: str) -> Manifest | None:
    """Return a manifest or the draft, None if it is missing or damaged. Raises OSError."""
    try:
        with get_storage().open(path) as file:
            manifest = msgspec.json.decode(file.read(), type=Manifest)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError as error:
        logger.error("the public file %s is damaged: %s", path, error)
        return None
    return manifest if manifest.format == FORMAT else None


def data_folder(table: str) -> str:
    """Return the folder with the parts of a table."""
    return f"{table}/data"


def list_data(tables: Iterable[str]) -> set[str]:
    """Return the paths of all stored parts of tables. Raises OSError."""
    return {path for table in tables for path in _list_files(data_folder(table))}


def metadata_paths(table: str, number: int) -> tuple[str, str, str]:
    """Return the paths of Iceberg's metadata of a table: of the table, its snapshot, its parts."""
    folder = f"{table}/metadata"
    return (
        f"{folder}/v{number}.metadata.json",
        f"{folder}/v{number}-snapshot.avro",
        f"{folder}/v{number}-parts.avro",
    )


def hint_path(table: str) -> str:
    """Return the path of the file with the number of the newest Iceberg metadata of a table."""
    return f"{table}/metadata/version-hint.text"


def remove_old(latest: str, now: datetime) -> None:
    """Remove the files that no recent publication lists.

    ``latest`` is the path of the newest manifest. The files of a publication remain until `KEPT`
    has passed since the next publication. Files of killed processes belong to no publication.
    Raises OSError.
    """
    storage: Any = get_storage()
    manifests = _read_manifests()
    ordered = sorted(manifests, key=lambda path: (path == latest, manifests[path].made))
    recent = (
        path for path, following in pairwise(ordered) if manifests[following].made > now - KEPT
    )
    kept = {latest, *recent}
    listed = kept.union(*(_list_paths(manifests[path]) for path in kept))
    tables = {name for manifest in manifests.values() for name in manifest.tables}
    folders = FOLDER, *(f"{table}/metadata" for table in tables)
    stored = list_data(tables).union(*map(_list_files, folders))
    storage.delete_all(stored - listed)


def _list_paths(manifest: Manifest) -> Iterator[str]:
    """Yield the paths of all files of a publication, without its manifest."""
    yield from (part.path for part in manifest.parts)
    for name, table in manifest.tables.items():
        if table.iceberg is not None:
            yield from metadata_paths(name, manifest.number)
            yield hint_path(name)


def _list_files(folder: str) -> list[str]:
    try:
        return [f"{folder}/{name}" for name in get_storage().listdir(folder)[1]]
    except FileNotFoundError:
        return []  # no file has been stored yet
