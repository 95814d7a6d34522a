"""All files of a stream that are to be read: itself, or those in it, or those in a nested
archive.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO, Final, cast

from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.stream import encoding as encodings
from records.archives.bounds import Broken, Ended, Limits, Meter
from records.archives.frames import PIECE
from records.archives.members import INSIDE, MAX_DEPTH, archive_kind, members

#: Bytes of a nested archive that are held in memory rather than in a file.
_IN_MEMORY: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Leaf:
    """A file to be read: the name to show and its bytes, or the reason why it cannot be read.

    Reading ``stream`` may raise :class:`records.archives.Broken`; after its subclass ``Ended``
    nothing follows.
    """

    name: str
    stream: BinaryIO
    fault: Fault | None = None


class ChunkStream(io.RawIOBase):
    """Chunks of bytes as a stream to be read once."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self.chunks = chunks
        self.rest = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        """Read at most ``size`` bytes, all of them if negative or None; none at the end."""
        if size is None or size < 0:
            size = 1 << 62
        parts, count = [self.rest], len(self.rest)
        while count < size and (data := next(self.chunks, b"")):
            parts.append(data)
            count += len(data)
        whole = b"".join(parts)
        self.rest = whole[size:]
        return whole[:size]


def flow(chunks: Iterator[bytes]) -> BinaryIO:
    """A stream of these chunks (none of them empty)."""
    return cast(BinaryIO, ChunkStream(chunks))


def leaves(stream: BinaryIO, name: str, limits: Limits | None = None) -> Iterator[Leaf]:
    """The files in ``stream``, which need not be seekable, each to be read before the next.

    ``limits`` hold for all archives in it together.
    """
    yield from _leaves(stream, name, Meter(limits or Limits()), 0)


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
