"""ZIP without its directory, which is at the end: a truncated file has none.

Each file has a local header before it (APPNOTE 4.3.7), so the files before the break are readable.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED

from kafu.notation import codes
from records.archives.bounds import Broken
from records.archives.frames import PIECE

_HEADER: Final = struct.Struct("<4s5H3L2H")
_MAGIC: Final = b"PK\x03\x04"
_ENCRYPTED: Final = 0x1 | 0x40 | 0x2000
#: The data descriptor follows the file if its writer could not seek back.
_BEHIND: Final = 0x8
_IN_ZIP64: Final = 0xFFFFFFFF
#: What may follow a file before the next header: a data descriptor, in four known variants.
_DESCRIPTORS: Final = ((12, 0), (16, 4), (20, 0), (24, 4))


@dataclass
class Local:
    """A file by its local header: its offset, compression, and its name as bytes."""

    stream: BinaryIO
    name: bytes
    flags: int
    method: int
    crc: int
    #: Packed bytes; None if only the file itself shows them.
    packed: int | None
    start: int
    #: The offset of the next header, once it is known.
    end: int | None = None
    taken: int = 0

    def read(self) -> Iterator[bytes]:
        """Its bytes, checked against their sum. Raises :class:`Broken`."""
        if self.flags & _ENCRYPTED:
            raise Broken(codes.ARCHIVE_ENCRYPTED)
        if self.method not in (ZIP_STORED, ZIP_DEFLATED):
            raise Broken(codes.ARCHIVE_METHOD, method=self.method)
        crc = self.taken = 0
        self.stream.seek(self.start)
        for data in self._inflated() if self.method == ZIP_DEFLATED else self._stored():
            crc = zlib.crc32(data, crc)
            yield data
        if self.packed is None:
            self._find_end(crc)
        elif crc != self.crc:
            raise Broken(codes.ARCHIVE_DAMAGED, kind="zip")

    def _next(self) -> bytes:
        room = PIECE if self.packed is None else min(PIECE, self.packed - self.taken)
        data = self.stream.read(room)
        self.taken += len(data)
        if not data:
            raise Broken(codes.ARCHIVE_TRUNCATED, kind="zip")
        return data

    def _stored(self) -> Iterator[bytes]:
        if self.packed is None:
            raise Broken(codes.ARCHIVE_DAMAGED, kind="zip")
        while self.taken < self.packed:
            yield self._next()

    def _inflated(self) -> Iterator[bytes]:
        decoder, data = zlib.decompressobj(-zlib.MAX_WBITS), b""
        while not decoder.eof:
            try:
                out = decoder.decompress(data, PIECE)
            except zlib.error as error:
                raise Broken(codes.ARCHIVE_DAMAGED, kind="zip") from error
            if out:
                yield out
            data = decoder.unconsumed_tail
            if not out and not data and not decoder.eof:
                data = self._next()
        self.taken -= len(decoder.unused_data)

    def _find_end(self, crc: int) -> None:
        """The end of the file, found by its sum and by what follows. Raises :class:`Broken`."""
        place = self.start + self.taken
        self.stream.seek(place)
        behind = self.stream.read(_DESCRIPTORS[-1][0] + len(_MAGIC))
        for length, at in _DESCRIPTORS:
            is_sum = behind[at : at + 4] == struct.pack("<L", crc)
            if is_sum and behind[length : length + 2] in (_MAGIC[:2], b""):
                self.end = place + length
                return
        raise Broken(codes.ARCHIVE_DAMAGED, kind="zip")


def salvage(stream: BinaryIO) -> Iterator[Local]:
    """The files of a ZIP archive from its beginning, as long as one header follows another."""
    place, size = 0, stream.seek(0, os.SEEK_END)
    # Past the end there is nothing, and some offsets cannot even be requested.
    while place < size and (found := _header(stream, place)) is not None:
        yield found
        if found.end is None:
            try:
                for _data in found.read():
                    pass  # it was not read to its end, which shows only here
            except Broken:
                return
        place = found.end or 0
        if not place:
            return


def _header(stream: BinaryIO, place: int) -> Local | None:
    stream.seek(place)
    head = stream.read(_HEADER.size)
    if len(head) < _HEADER.size or not head.startswith(_MAGIC):
        return None
    _magic, _version, flags, method, _time, _date, crc, packed, size, names, extras = (
        _HEADER.unpack(head)
    )
    name, extra = stream.read(names), stream.read(extras)
    start = place + _HEADER.size + names + extras
    if flags & _BEHIND:
        return Local(stream, name, flags, method, 0, None, start)
    if packed == _IN_ZIP64:
        packed = _zip64(extra, size == _IN_ZIP64)
    return Local(stream, name, flags, method, crc, packed, start, start + packed)


def _zip64(extra: bytes, has_size: bool) -> int:
    """The packed size in extra field 1, after the size if that is there too; 0 without."""
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<2H", extra)
        at = 4 + 8 * has_size
        if kind == 1 and 4 + length >= at + 8 and len(extra) >= at + 8:
            return int.from_bytes(extra[at : at + 8], "little")
        extra = extra[4 + length :]
    return 0
