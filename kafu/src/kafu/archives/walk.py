"""All files of a stream that are to be read: itself, or those in it, or those in a nested
archive.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO, Final, cast

from kafu.archives.bounds import Broken, Ended, Limits, Meter
from kafu.archives.frames import PIECE
from kafu.archives.members import MAX_DEPTH, archive_kind, members
from kafu.archives.names import INSIDE
from kafu.archives.streams import flow
from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.stream import encoding as encodings
from kafu.notation.stream.cut import cut
from kafu.notation.stream.extent import Piece

#: Bytes of a nested archive that are held in memory rather than in a file.
_IN_MEMORY: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Leaf:
    """A file to be read: the name to show and its bytes, or the reason why it cannot be read.

    Reading ``stream`` may raise :class:`kafu.archives.Broken`; after its subclass ``Ended``
    nothing follows.
    """

    name: str
    stream: BinaryIO
    fault: Fault | None = None


def leaves(stream: BinaryIO, name: str, limits: Limits | None = None) -> Iterator[Leaf]:
    """The files in ``stream``, which need not be seekable, each to be read before the next.

    ``limits`` hold for all archives in it together.
    """
    yield from _leaves(stream, name, Meter(limits or Limits()), 0)


def pieces(stream: BinaryIO, name: str) -> Iterator[tuple[str, Piece]]:
    """The games of a file or of the files in it, each with the name of its file. What cannot be
    unpacked is one piece with a fault.
    """
    for leaf in leaves(stream, name):
        try:
            if leaf.fault is not None:
                raise Broken(leaf.fault.code, **leaf.fault.values)
            for piece in cut(leaf.stream):
                yield leaf.name, piece
        except Broken as broken:
            yield leaf.name, Piece(1, 0, 0, 1, "kafu", encodings.BINARY, b"", broken.fault)


def _leaves(stream: BinaryIO, name: str, meter: Meter, depth: int) -> Iterator[Leaf]:
    head = stream.read(encodings.LOOK)
    kind = archive_kind(head)
    pieces = iter(lambda: stream.read(PIECE), b"")
    whole = flow(chain([head] if head else [], pieces))
    if kind is None:
        yield Leaf(name, whole)
        return
    if depth == MAX_DEPTH:
        yield Leaf(name, whole, Fault(codes.ARCHIVE_TOO_DEEP))
        return
    try:
        with _opened(stream, whole, kind, meter.limits.total_bytes) as opened:
            for member in members(opened, kind, meter, name=name):
                if member.passed_over:
                    continue
                inside = f"{name}{INSIDE}{member.name}"
                try:
                    yield from _leaves(flow(member.chunks), inside, meter, depth + 1)
                except Ended:
                    raise
                except Broken as broken:
                    yield Leaf(inside, flow(iter(())), broken.fault)
    except Ended as ended:
        yield Leaf(name, flow(iter(())), ended.fault)


@contextmanager
def _opened(stream: BinaryIO, whole: BinaryIO, kind: str, most: int) -> Iterator[BinaryIO]:
    """The archive to be read: a ZIP must be seekable, if necessary by a copy.

    Raises :class:`Ended` for a copy above ``most`` bytes.
    """
    if kind != "zip":
        yield whole
    elif stream.seekable():
        yield stream
    else:
        with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as copy:
            count = 0
            while data := whole.read(PIECE):
                count += len(data)
                if count > most:
                    raise Ended(codes.ARCHIVE_TOTAL, limit=most)
                copy.write(data)
            yield cast(BinaryIO, copy)
