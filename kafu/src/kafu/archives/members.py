"""The files of an archive, on one level or all levels, each read before the next."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO, Final, NoReturn, cast
from zipfile import ZipInfo

from kafu.archives.bounds import Broken, Ended, Limits, Meter, SentStream, as_stream
from kafu.archives.frames import PIECE, Frames
from kafu.archives.names import INSIDE, find_passed_over, shown_path, unpacked_name
from kafu.archives.tars import Tar
from kafu.archives.zips import Zip, entry_name
from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.stream import encoding as encodings
from kafu.notation.stream.cut import cut, peek
from kafu.notation.stream.extent import Piece
from kafu.notation.stream.kinds import find_binary_fault

#: The maximum depth: an archive, and archives in it.
MAX_DEPTH: Final = 2
KINDS: Final = ("zip", "gzip", "zstd", "tar")
#: The maximum number of named files passed over in an archive.
MOST_PASSED_OVER: Final = 100
#: Larger copies of nested archives are stored in a file.
_IN_MEMORY: Final = 1 << 20

#: The name of a file, and its bytes in chunks.
NamedChunks = tuple[str, Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive: its name, safe to show, and its bytes in chunks.

    Read the chunks before requesting the next member. Reading raises
    :class:`kafu.archives.Broken` if the file is not readable. A file or folder ``passed_over``
    because of its name has no chunks.
    """

    name: str
    chunks: Iterator[bytes]
    passed_over: bool = False


def archive_kind(head: bytes) -> str | None:
    """Return the format of an archive that begins with ``head``: one of `KINDS`, or None."""
    fault = find_binary_fault(head)
    kind = fault and fault.values.get("kind")
    return kind if kind in KINDS else None


def members(stream: BinaryIO, kind: str, meter: Meter, *, name: str = "") -> Iterator[Member]:
    """Return the files of an archive, without folders. A packed tar counts as a single archive.

    The ``stream`` of a ZIP must be seekable. ``name`` is the name of the archive. The
    iterator raises :class:`kafu.archives.Ended` if the archive cannot be read further.
    """
    return meter.watch(_members(stream, kind, meter, name))


def _members(stream: BinaryIO, kind: str, meter: Meter, name: str) -> Iterator[Member]:
    if kind == "zip":
        files = _zip_files(Zip(stream, meter), meter)
    elif kind == "tar":
        chunks = iter(lambda: stream.read(PIECE), b"")
        files = _tar_files(meter.measure_archive(chunks, lambda: meter.limits.total_bytes), meter)
    else:
        frames = Frames(stream, kind, meter)
        try:
            head, chunks = peek(iter(frames))
        except Broken as broken:
            head, chunks = b"", map(_fail, [broken])
        if archive_kind(head) != "tar":
            meter.admit()
            chunks = meter.measure_file(chunks, lambda: frames.packed)
            yield Member(unpacked_name(name), meter.watch(chunks))
            return
        files = _tar_files(meter.measure_archive(chunks, lambda: frames.packed), meter)
    yield from _make_members(files, meter)


def _fail(broken: Broken) -> NoReturn:
    raise broken


def _make_members(files: Iterator[NamedChunks], meter: Meter) -> Iterator[Member]:
    """Yield the files of an archive, and the files and folders passed over."""
    reported: set[str] = set()
    is_empty = True
    for path, chunks in files:
        skipped = find_passed_over(path)
        if skipped is None:
            meter.admit()
            is_empty = False
            yield Member(path, meter.watch(chunks))
        elif skipped not in reported and len(reported) < MOST_PASSED_OVER:
            reported.add(skipped)
            yield Member(skipped, iter(()), passed_over=True)
    if is_empty:
        raise Ended(codes.ARCHIVE_EMPTY)


def _zip_files(archive: Zip, meter: Meter) -> Iterator[NamedChunks]:
    for entry in archive.entries:
        meter.step()
        yield shown_path(entry_name(entry)), meter.measure_file(archive.read(entry), _packed(entry))


def _packed(entry: ZipInfo) -> Callable[[], int]:
    return lambda: entry.compress_size


def _tar_files(chunks: Iterator[bytes], meter: Meter) -> Iterator[NamedChunks]:
    archive = Tar(as_stream(chunks), meter)
    for entry in archive:
        yield shown_path(entry.name), archive.read(entry)


# All levels ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Leaf:
    """A file to read: its name for display, and its bytes or the fault that prevents reading.

    Reading ``stream`` can raise :class:`kafu.archives.Broken`. Its subclass ``Ended`` ends the
    iteration.
    """

    name: str
    stream: BinaryIO
    fault: Fault | None = None


def leaves(stream: BinaryIO, name: str, limits: Limits | None = None) -> Iterator[Leaf]:
    """Yield the files in a stream, on all levels. Read each file before the next.

    The stream need not be seekable. ``limits`` apply to all archives in it together.
    """
    meter = Meter(limits or Limits())
    yield from _leaves(cast(BinaryIO, SentStream(stream, meter)), name, meter, 0)


def pieces(stream: BinaryIO, name: str) -> Iterator[tuple[str, Piece]]:
    """Yield the games of a file or an archive, each with the name of its file.

    An unreadable file is a piece with a fault.
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
    chunks = iter(lambda: stream.read(PIECE), b"")
    whole = as_stream(chain([head] if head else [], chunks))
    if kind is None:
        yield Leaf(name, whole)
        return
    if depth == MAX_DEPTH:
        yield Leaf(name, whole, Fault(codes.ARCHIVE_TOO_DEEP))
        return
    try:
        with _open(stream, whole, kind, meter.limits.total_bytes) as opened:
            for member in members(opened, kind, meter, name=name):
                if member.passed_over:
                    continue
                inside = f"{name}{INSIDE}{member.name}"
                try:
                    yield from _leaves(as_stream(member.chunks), inside, meter, depth + 1)
                except Ended:
                    raise
                except Broken as broken:
                    yield Leaf(inside, as_stream(iter(())), broken.fault)
    except Ended as ended:
        yield Leaf(name, as_stream(iter(())), ended.fault)


@contextmanager
def _open(stream: BinaryIO, whole: BinaryIO, kind: str, most: int) -> Iterator[BinaryIO]:
    """Open an archive, with a copy if a ZIP is not seekable.

    Raises :class:`Ended` for a copy of more than ``most`` bytes.
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
