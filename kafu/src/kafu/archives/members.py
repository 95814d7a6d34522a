"""One level of an archive: its files one after the other, each read before the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO, Final, NoReturn
from zipfile import ZipInfo

from kafu.archives.bounds import Broken, Ended, Meter
from kafu.archives.frames import PIECE, Frames
from kafu.archives.names import passed_over, shown_path, unpacked_name
from kafu.archives.streams import flow
from kafu.archives.tars import Tar
from kafu.archives.zips import Zip, name_of
from kafu.notation import codes
from kafu.notation.stream import encoding as encodings

#: Depth of nested archives that are opened: an archive, and an archive in it.
MAX_DEPTH: Final = 2
KINDS: Final = ("zip", "gzip", "zstd", "tar")
#: Files passed over that are named, for each archive.
MOST_PASSED_OVER: Final = 100

#: A file's name, and its bytes in chunks.
Named = tuple[str, Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive: its name, safe to show, and its bytes in chunks.

    The chunks must be read before the next member is requested; reading them raises
    :class:`kafu.archives.Broken` if the file cannot be read whole. What is no game by its name is
    ``passed_over``, and has none: a file, or a whole folder.
    """

    name: str
    chunks: Iterator[bytes]
    passed_over: bool = False


def archive_kind(head: bytes) -> str | None:
    """Return the format of an archive that begins with ``head``: one of `KINDS`, or None."""
    kind = encodings.compression(head)
    return kind if kind in KINDS else None


def members(stream: BinaryIO, kind: str, meter: Meter, *, name: str = "") -> Iterator[Member]:
    """Yield the files of the archive ``stream``; a ZIP must be seekable. ``name`` is the archive's
    own.

    A packed tar is one archive. Folders are left out. Raises :class:`kafu.archives.Ended` if the
    archive cannot be read further.
    """
    if kind == "zip":
        files = _of_zip(Zip(stream, meter.limits), meter)
    elif kind == "tar":
        whole = iter(lambda: stream.read(PIECE), b"")
        files = _of_tar(meter.metered(whole, lambda: meter.limits.total_bytes), meter)
    else:
        frames = Frames(stream, kind)
        try:
            head, chunks = begin(iter(frames))
        except Broken as broken:
            head, chunks = b"", map(_fail, [broken])
        if archive_kind(head) != "tar":
            meter.admit()
            yield Member(unpacked_name(name), meter.measured(chunks, lambda: frames.taken))
            return
        files = _of_tar(meter.metered(chunks, lambda: frames.taken), meter)
    yield from _read(files, meter)


def begin(chunks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return some bytes from the beginning, by which a file is recognised, and all chunks."""
    first, count = [], 0
    for data in chunks:
        first.append(data)
        count += len(data)
        if count >= encodings.LOOK:
            break
    return b"".join(first), chain(first, chunks)


def _fail(broken: Broken) -> NoReturn:
    raise broken


def _read(files: Iterator[Named], meter: Meter) -> Iterator[Member]:
    """Yield the members of an archive, and the names of what is passed over."""
    others: set[str] = set()
    is_empty = True
    for path, chunks in files:
        other = passed_over(path)
        if other is None:
            meter.admit()
            is_empty = False
            yield Member(path, chunks)
        elif other not in others and len(others) < MOST_PASSED_OVER:
            others.add(other)
            yield Member(other, iter(()), passed_over=True)
    if is_empty:
        raise Ended(codes.ARCHIVE_EMPTY)


def _of_zip(archive: Zip, meter: Meter) -> Iterator[Named]:
    for entry in archive.entries:
        yield shown_path(name_of(entry)), meter.measured(archive.read(entry), _cost(entry))


def _cost(entry: ZipInfo) -> Callable[[], int]:
    return lambda: entry.compress_size


def _of_tar(chunks: Iterator[bytes], meter: Meter) -> Iterator[Named]:
    archive = Tar(flow(chunks), meter.limits)
    for entry in archive:
        yield shown_path(entry.name), archive.read(entry)
