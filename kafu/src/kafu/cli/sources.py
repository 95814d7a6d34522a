"""Files, folders, archives and standard input -> the games in them, one at a time."""

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
    *(".kafu", ".json", ".ndjson", ".log"),
    *(".zip", ".tar", ".tgz", ".tzst", ".gz", ".zst"),
)
STDIN: Final = "-"


class Unreadable(Exception):
    """A path that cannot be read; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Sourced:
    """A piece of a file, with the path as it was given, and the name within an archive."""

    source: str
    piece: Piece


def find(paths: Iterable[str], suffixes: tuple[str, ...] = SUFFIXES) -> Iterator[str]:
    """Files and ``-`` as they are, folders as the files in them, in the order of their names.

    Raises :class:`Unreadable` for a missing path and for a folder without any game file.
    """
    for path in paths:
        place = Path(path)
        try:
            if path == STDIN or (place.exists() and not place.is_dir()):
                yield path
                continue
            if not place.is_dir():
                raise Unreadable(f"{path}: no such file or folder")
            found = sorted(
                inside
                for inside in place.rglob("*")
                if _is_wanted(inside.relative_to(place), inside, suffixes)
            )
        except OSError as error:
            raise Unreadable(f"{path[:200]}: {error.strerror or error}") from error
        except ValueError as error:  # a NUL in a name
            raise Unreadable(f"{path[:200]!r}: {error}") from error
        if not found:
            raise Unreadable(f"{path}: no {', '.join('*' + s for s in suffixes)} in it")
        yield from map(str, found)


def _is_wanted(inside: Path, path: Path, suffixes: tuple[str, ...]) -> bool:
    """Whether a file of a folder is read: it has one of the suffixes, and no part of its path is
    hidden.
    """
    hidden = any(part.startswith(".") for part in inside.parts)
    return path.suffix in suffixes and not hidden and path.is_file()


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """The file as a stream of bytes; ``-`` is standard input. Raises :class:`Unreadable`."""
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


def pieces(path: str) -> Iterator[Sourced]:
    """The games of one file, of an archive those of the files in it. Raises :class:`Unreadable`."""
    with opened(path) as stream:
        for name, piece in archives.pieces(stream, path):
            yield Sourced(name, piece)


def games(paths: Iterable[str], report: Callable[[str], object]) -> Iterator[Sourced]:
    """The games of all paths. An unreadable path is reported, and does not stop the others."""
    for path in paths:
        try:
            for file in find([path]):
                try:
                    yield from pieces(file)
                except Unreadable as error:
                    report(str(error))
        except Unreadable as error:
            report(str(error))
