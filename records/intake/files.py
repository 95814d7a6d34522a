"""Games of files outside of the archive, those in archives too, for the command line.

No Django and no database here: `manage.py verify` and `manage.py kafu` work anywhere. They are the
library's own commands (`kafu.cli`), which leave archives alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from kafu.cli import sources
from kafu.cli.sources import Sourced, opened
from kafu.notation.faults import Fault
from kafu.notation.stream.cut import cut
from kafu.notation.stream.encoding import BINARY
from kafu.notation.stream.extent import Piece
from records.archives import Broken, leaves

#: Names that a folder is searched for.
SUFFIXES: Final = (*sources.SUFFIXES, ".zip", ".gz", ".zst")


def find(paths: Iterable[str]) -> Iterator[str]:
    """As `kafu.cli.sources.find`, with archives among the files of a folder."""
    return sources.find(paths, SUFFIXES)


def pieces(path: str) -> Iterator[Sourced]:
    """The games of one file, of an archive those of the files in it. Raises :class:`Unreadable`.

    What cannot be unpacked is one piece with a fault.
    """
    with opened(path) as stream:
        for leaf in leaves(stream, path):
            try:
                if leaf.fault is None:
                    for piece in cut(leaf.stream):
                        yield Sourced(leaf.name, piece)
                else:
                    yield _unpackable(leaf.name, leaf.fault)
            except Broken as broken:
                yield _unpackable(leaf.name, broken.fault)


def _unpackable(source: str, fault: Fault) -> Sourced:
    return Sourced(source, Piece(1, 0, 0, 1, "kafu", BINARY, b"", fault))


def games(paths: Iterable[str], tell: Callable[[str], object]) -> Iterator[Sourced]:
    """The games of all paths. What cannot be read is reported, and does not stop the others."""
    return sources.games(paths, tell, pieces=pieces, suffixes=SUFFIXES)
