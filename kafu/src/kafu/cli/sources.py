"""Games from files, folders, archives and standard input, one at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from kafu import archives
from kafu.notation.stream.extent import Piece

#: Suffixes of files that are read in folders.
SUFFIXES: Final = (
    *(".kafu", ".json", ".ndjson", ".jsonl", ".log"),
    *(".zip", ".tar", ".tgz", ".tzst", ".gz", ".zst"),
)
STDIN: Final = "-"


class Unreadable(Exception):
    """A path that cannot be read; the message has the path and the reason."""


@dataclass(frozen=True, slots=True)
class Sourced:
    """A piece of a file, with the given path and the name within an archive."""

    source: str
    piece: Piece


def find_files(paths: Iterable[str], suffixes: tuple[str, ...] = SUFFIXES) -> Iterator[str]:
    """Yield the files of paths: ``-`` and files unchanged, folders as their sorted files.

    Raises :class:`Unreadable` for a missing path and for a folder without a game file.
    """
    for path in paths:
        place = Path(path)
        try:
            if path == STDIN or (place.exists() and not place.is_dir()):
                yield path
                continue
            if not place.is_dir():
                raise Unreadable(f"{path}: no such file or folder")
            files = sorted(
                inside
                for inside in place.rglob("*")
                if _is_wanted(inside.relative_to(place), inside, suffixes)
            )
        except OSError as error:
            raise Unreadable(f"{path[:200]}: {error.strerror or error}") from error
        except ValueError as error:  # a NUL in a name
            raise Unreadable(f"{path[:200]!r}: {error}") from error
        if not files:
            raise Unreadable(f"{path}: no {', '.join('*' + s for s in suffixes)} in it")
        yield from map(str, files)


def _is_wanted(inside: Path, path: Path, suffixes: tuple[str, ...]) -> bool:
    """Return whether a file of a folder is read.

    It must have one of the suffixes, in any case, and no part of its path may be hidden.
    """
    hidden = any(part.startswith(".") for part in inside.parts)
    return path.suffix.lower() in suffixes and not hidden and path.is_file()


@contextmanager
def open_path(path: str) -> Iterator[BinaryIO]:
    """Open a file as a stream of bytes; ``-`` is standard input. Raises :class:`Unreadable`."""
    try:
        if path != STDIN:
            with Path(path).open("rb") as stream:
                yield stream
        elif sys.stdin is None:
            raise Unreadable("-: standard input is closed")
        else:
            yield sys.stdin.buffer
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror or error}") from error


def read_pieces(path: str) -> Iterator[Sourced]:
    """Yield the games of one file, or of the files in an archive. Raises :class:`Unreadable`."""
    with open_path(path) as stream:
        for name, piece in archives.pieces(stream, path):
            yield Sourced(name, piece)


def read_games(paths: Iterable[str], report: Callable[[str], object]) -> Iterator[Sourced]:
    """Yield the games of all paths; report an unreadable path and continue."""
    for path in paths:
        try:
            for file in find_files([path]):
                try:
                    yield from read_pieces(file)
                except Unreadable as error:
                    report(str(error))
        except Unreadable as error:
            report(str(error))
