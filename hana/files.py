"""The files to be sent: finding them, and packing several into one."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from hana.errors import Failed

#: Names that are searched for in a folder.
SUFFIXES: Final = (".kafu", ".json", ".ndjson", ".log", ".zip", ".gz", ".zst")
#: The first bytes of archives.
ARCHIVES: Final = (
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
    b"\x50\x2a\x4d\x18",
)
#: Files in one archive, as many as any server accepts.
MOST: Final = 10_000


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file, and its name relative to the given path."""

    path: Path
    name: str

    @property
    def is_archive(self) -> bool:
        """Whether it is an archive. Raises :class:`Failed` if it cannot be read."""
        with opened(self.path) as file:
            return file.read(4).startswith(ARCHIVES)


def find(paths: Iterable[str]) -> list[FoundFile]:
    """Files as they are, folders as the files in them. Raises :class:`Failed`."""
    found: list[FoundFile] = []
    for written in paths:
        path = Path(written)
        if not path.exists():
            raise Failed(f"{written}: no such file or folder")
        if not path.is_dir():
            found.append(FoundFile(path, path.name))
            continue
        inside = [
            FoundFile(one, f"{path.resolve().name}/{one.relative_to(path).as_posix()}")
            for one in sorted(path.rglob("*"))
            if one.suffix.lower() in SUFFIXES
            and one.is_file()
            and not _hidden(one.relative_to(path))
        ]
        if not inside:
            raise Failed(f"{written}: no {', '.join('*' + s for s in SUFFIXES)} in it")
        found += inside
    return found


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file. Raises :class:`Failed`."""
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise Failed(f"{path}: {error.strerror or error}") from error


def batches(found: Iterable[FoundFile]) -> Iterator[list[FoundFile]]:
    """The files of each upload: an archive alone, other files together."""
    plain: list[FoundFile] = []
    for one in found:
        if one.is_archive:
            yield [one]
            continue
        plain.append(one)
        if len(plain) == MOST:
            yield plain
            plain = []
    if plain:
        yield plain


@contextmanager
def packed(files: list[FoundFile]) -> Iterator[IO[bytes]]:
    """Several files as one temporary ZIP archive. Raises :class:`Failed`."""
    with tempfile.TemporaryFile() as target:
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for one in files:
                try:
                    archive.write(one.path, one.name)
                except OSError as error:
                    raise Failed(f"{one.path}: {error.strerror or error}") from error
        target.seek(0)
        yield target
