"""The files to send: finding them, and packing several files into one archive."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from hana.state import Failed

#: Suffixes of the files that are taken from a folder.
SUFFIXES: Final = (".kafu", ".json", ".ndjson", ".log", ".zip", ".gz", ".zst")
#: The first bytes of archives.
ARCHIVES: Final = (
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
    b"\x50\x2a\x4d\x18",
)
#: Maximum number of files in an archive, which any server accepts.
MAX_FILES: Final = 10_000


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file, and its name relative to the given path."""

    path: Path
    name: str

    @property
    def is_archive(self) -> bool:
        """Whether the file is an archive. Raise :class:`Failed` if it cannot be read."""
        with open_file(self.path) as file:
            return file.read(4).startswith(ARCHIVES)


def find(paths: Iterable[str]) -> list[FoundFile]:
    """Return the given files and the files in given folders. Raise :class:`Failed`."""
    files: list[FoundFile] = []
    for name in paths:
        path = Path(name)
        if not path.exists():
            raise Failed(f"{name}: no such file or folder")
        if not path.is_dir():
            files.append(FoundFile(path, path.name))
            continue
        contents = [
            FoundFile(file, f"{path.resolve().name}/{file.relative_to(path).as_posix()}")
            for file in sorted(path.rglob("*"))
            if file.suffix.lower() in SUFFIXES
            and file.is_file()
            and not _is_hidden(file.relative_to(path))
        ]
        if not contents:
            raise Failed(f"{name}: no {', '.join('*' + suffix for suffix in SUFFIXES)} in it")
        files += contents
    return files


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


@contextmanager
def open_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading. Raise :class:`Failed`."""
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise Failed(f"{path}: {error.strerror or error}") from error


def batches(files: Iterable[FoundFile]) -> Iterator[list[FoundFile]]:
    """Yield the files of each upload: an archive alone, other files together."""
    plain: list[FoundFile] = []
    for file in files:
        if file.is_archive:
            yield [file]
            continue
        plain.append(file)
        if len(plain) == MAX_FILES:
            yield plain
            plain = []
    if plain:
        yield plain


@contextmanager
def packed(files: list[FoundFile]) -> Iterator[IO[bytes]]:
    """Pack several files into a temporary ZIP archive. Raise :class:`Failed`."""
    with tempfile.TemporaryFile() as target:
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in files:
                try:
                    archive.write(file.path, file.name)
                except OSError as error:
                    raise Failed(f"{file.path}: {error.strerror or error}") from error
        target.seek(0)
        yield target
