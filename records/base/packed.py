"""Stored files are compressed with seekable Zstandard, so that parts can be read separately.

A file is cut into segments of `SEGMENT` bytes, each in a separate frame. A table of their sizes
follows in a frame that decoders skip, so ``zstd -d`` can unpack the file. The suffix `SUFFIX` of
the name marks a packed file; other files are read unchanged.

https://github.com/facebook/zstd/blob/dev/contrib/seekable_format/zstd_seekable_compression_format.md

The streams can be read from any position, and the saved files survive a loss of power.
"""

from __future__ import annotations

import errno
import io
import os
import struct
from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from django.core.files import File
from django.core.files.storage import FileSystemStorage, Storage

from records.base.packed_values import zstd

SUFFIX: Final = ".zst"
#: The minimum of bytes unpacked by a read; smaller segments would compress less well.
SEGMENT: Final = 1 << 18
_LEVEL: Final = 3
_HEADER: Final = struct.Struct("<LL")
_ENTRY: Final = struct.Struct("<LL")
_FOOTER: Final = struct.Struct("<LBL")
_SKIPPABLE: Final = 0x184D2A5E
_SEEKABLE: Final = 0x8F92EAB1


class SeekableReader(io.RawIOBase):
    """A stream of ``length`` bytes, read by `_read_at`."""

    length: int
    place: int = 0

    @abstractmethod
    def _read_at(self, place: int, count: int) -> bytes:
        """Return 1 to ``count`` bytes from a position before the end. Raises OSError."""

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def tell(self) -> int:
        """Return the position."""
        return self.place

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Move to a position; reads stop at the end. Raises OSError for a negative position."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self.place, os.SEEK_END: self.length}[whence]
        if base + offset < 0:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))  # as for a plain file
        self.place = base + offset
        return self.place

    def readinto(self, buffer: Any, /) -> int:
        """Fill ``buffer`` by one read and return the number of bytes, 0 at the end."""
        count = min(len(buffer), self.length - self.place)
        if count <= 0:
            return 0
        data = self._read_at(self.place, count)
        buffer[: len(data)] = data
        self.place += len(data)
        return len(data)


class FileRange(SeekableReader):
    """The bytes ``first`` to ``last`` (inclusive) of a file, read like a whole file.

    The web server sends seekable streams without a thread.
    """

    def __init__(self, path: Path, first: int, last: int) -> None:
        """Open a range of a file. Raise OSError."""
        self.file = path.open("rb")
        self.first, self.length = first, last - first + 1

    def _read_at(self, place: int, count: int) -> bytes:
        self.file.seek(self.first + place)
        return self.file.read(count)

    def close(self) -> None:
        """Close the file too."""
        self.file.close()
        super().close()


class Directory(FileSystemStorage):
    """A storage of files in a directory."""

    def delete_all(self, names: Iterable[str]) -> None:
        """Delete the existing files among ``names``. Raises OSError."""
        for name in names:
            self.delete(name)

    def _save(self, name: str, content: File) -> str:
        """Save a file, and return when bytes and name are on the disk.

        Content with a true ``is_derived`` is not flushed, since the archive can rebuild derived
        files.
        """
        saved: str = super()._save(name, content)  # type: ignore[misc]
        if getattr(content, "is_derived", False):
            return saved
        path = Path(self.path(saved))
        for place in (path, path.parent):
            descriptor = os.open(place, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        return saved


class Damaged(OSError):
    """Truncated or corrupt packed bytes."""


def is_packed(name: str) -> bool:
    """Return whether the stored file of this name is packed."""
    return name.endswith(SUFFIX)


def pack(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the packed form of a stream, from chunks of any size, in constant memory."""
    option = zstd.CompressionParameter
    packer = zstd.ZstdCompressor(
        options={option.compression_level: _LEVEL, option.checksum_flag: 1}
    )
    table = bytearray()

    def frame(segment: bytes) -> bytes:
        packed: bytes = packer.compress(segment, zstd.ZstdCompressor.FLUSH_FRAME)
        table.extend(_ENTRY.pack(len(packed), len(segment)))
        return packed

    waiting = bytearray()
    for piece in pieces:
        waiting += piece
        while len(waiting) >= SEGMENT:
            yield frame(bytes(waiting[:SEGMENT]))
            del waiting[:SEGMENT]
    if waiting:
        yield frame(bytes(waiting))
    footer = _FOOTER.pack(len(table) // _ENTRY.size, 0, _SEEKABLE)
    yield _HEADER.pack(_SKIPPABLE, len(table) + len(footer)) + bytes(table) + footer


class _Segments(SeekableReader):
    """The original bytes of a packed file, read by segments; the last segment is cached."""

    def __init__(self, packed: BinaryIO) -> None:
        """Take an open packed file, closed with this reader. Raises :class:`Damaged`."""
        self.packed = packed
        #: The offsets of the segments and of the end: in the packed file, and unpacked.
        self.places, self.starts = _read_table(packed)
        self.length = self.starts[-1]
        self.number, self.segment = -1, b""

    def _read_at(self, place: int, count: int) -> bytes:
        number = bisect_right(self.starts, place) - 1
        if number != self.number:
            self.segment = self._unpacked(number)
            self.number = number
        first = place - self.starts[number]
        return self.segment[first : first + count]

    def _unpacked(self, number: int) -> bytes:
        begin, end = self.places[number : number + 2]
        size = self.starts[number + 1] - self.starts[number]
        self.packed.seek(begin)
        try:
            unpacker = zstd.ZstdDecompressor()
            segment: bytes = unpacker.decompress(self.packed.read(end - begin), size + 1)
        except zstd.ZstdError as error:
            raise Damaged(f"stored bytes are damaged: {error}") from error
        if len(segment) != size:
            raise Damaged("stored bytes are damaged: a segment is not whole")
        return segment

    def close(self) -> None:
        """Close the packed file too."""
        self.packed.close()
        super().close()


def _read_table(packed: BinaryIO) -> tuple[list[int], list[int]]:
    """Return the offsets of the segments and of the end, in the packed file and unpacked."""
    end = packed.seek(0, os.SEEK_END)
    packed.seek(max(0, end - _FOOTER.size))
    footer = packed.read(_FOOTER.size)
    if len(footer) < _FOOTER.size:
        raise Damaged("stored bytes are damaged: there is no table")
    count, flags, magic = _FOOTER.unpack(footer)
    length = count * _ENTRY.size
    begin = end - _FOOTER.size - length
    if magic != _SEEKABLE or flags or begin < _HEADER.size:
        raise Damaged("stored bytes are damaged: there is no table")
    packed.seek(begin)
    sizes = struct.unpack(f"<{2 * count}L", packed.read(length))
    places = list(accumulate(sizes[0::2], initial=0))
    if places[-1] != begin - _HEADER.size:
        raise Damaged("stored bytes are damaged: the table is of another file")
    return places, list(accumulate(sizes[1::2], initial=0))


def open_packed(packed: BinaryIO) -> BinaryIO:
    """Return the original bytes of an open packed file, seekable.

    Closing the result closes ``packed`` too. Raises OSError after closing ``packed``.
    """
    try:
        return cast(BinaryIO, io.BufferedReader(_Segments(packed)))
    except BaseException:
        packed.close()
        raise


def opened(path: Path) -> BinaryIO:
    """Open a stored file and return its original bytes, seekable. Raises OSError."""
    packed = path.open("rb")
    return open_packed(packed) if is_packed(path.name) else packed


def size_of(path: Path) -> int:
    """Return the original size of a stored file in bytes. Raise OSError."""
    with opened(path) as stream:
        return stream.seek(0, os.SEEK_END)


class _Packing(File):
    """The packed form of another file, for a storage that copies by chunks or by reading."""

    def __init__(self, content: File) -> None:
        self.packed = _Stream(pack(content.chunks()))
        self.stream = io.BufferedReader(self.packed)
        super().__init__(self.stream, content.name)
        self.is_derived = getattr(content, "is_derived", False)

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        """Yield the packed bytes."""
        while data := self.stream.read(chunk_size or self.DEFAULT_CHUNK_SIZE):
            yield data


class _Stream(io.RawIOBase):
    """A stream over an iterator of chunks, not seekable."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces = pieces
        self.left = memoryview(b"")
        self.count = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill ``buffer`` from one chunk and return the number of bytes, 0 at the end."""
        while not self.left:
            piece = next(self.pieces, None)
            if piece is None:
                return 0
            self.left = memoryview(piece)
        data, self.left = self.left[: len(buffer)], self.left[len(buffer) :]
        buffer[: len(data)] = data
        self.count += len(data)
        return len(data)


class Reopenable(File):
    """A stream as a Django file that can be reopened after closing."""

    def __init__(self, open_stream: Callable[[], BinaryIO], name: str) -> None:
        """Open a packed file. Raise the errors of ``open_stream``."""
        super().__init__(open_stream(), name)
        self.open_stream = open_stream

    def open(self, *args: Any, **kwargs: Any) -> Reopenable:
        """Return to the beginning."""
        if self.closed:
            self.file = self.open_stream()
        self.seek(0)
        return self


class Packed(Storage):
    """A mixin for storages: packs files by the suffix of their name, and unpacks on reading.

    Saving sets ``stored_size`` of the content to the number of stored bytes.
    """

    def _open(self, name: str, mode: str = "rb") -> File:
        if not is_packed(name):
            return self.open_stored(name)
        return Reopenable(lambda: open_packed(cast(BinaryIO, self.open_stored(name))), name)

    def open_stored(self, name: str) -> File:
        """Open the stored bytes of a file without unpacking them. Raises OSError."""
        return super()._open(name, "rb")  # type: ignore[misc]

    def _save(self, name: str, content: File) -> str:
        if not is_packed(name):
            return super()._save(name, content)  # type: ignore[misc]
        packing = _Packing(content)
        saved: str = super()._save(name, packing)  # type: ignore[misc]
        content.stored_size = packing.packed.count  # type: ignore[attr-defined]
        return saved

    def save_packed(self, name: str, content: File) -> None:
        """Save an already packed file. Raises OSError."""
        super()._save(name, content)  # type: ignore[misc]

    def size(self, name: str) -> int:
        """Return the original size in bytes. Raises OSError."""
        with self._open(name) as file:
            return file.seek(0, os.SEEK_END)

    def stored_size(self, name: str) -> int:
        """Return the stored (packed) size of a file. Raises OSError."""
        return super().size(name)


class PackedDirectory(Packed, Directory):
    """A storage of files in a directory, packed by the suffix of their name."""
