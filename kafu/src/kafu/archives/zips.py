"""ZIP archives, whose files are read in the order of the directory."""

from __future__ import annotations

import io
import stat
import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from kafu.archives.bounds import Broken, Ended, Meter
from kafu.archives.frames import PIECE
from kafu.archives.names import decode_name
from kafu.notation import codes

#: The first bytes of an entry of the directory.
_ENTRY: Final = b"PK\x01\x02"
#: Bytes of the directory per entry: a long path, dates, zip64.
_ENTRY_BYTES: Final = 256
_DIRECTORY_BYTES: Final = 1 << 16
_ENCRYPTED: Final = 0x1 | 0x40 | 0x2000
_LOCAL_HEADER: Final = 30
_UTF8_NAME: Final = 0x800
#: Files that identify an office document or e-book.
_DOCUMENT: Final = ("[Content_Types].xml", "mimetype")
#: Exceptions of `zipfile` and zlib for corrupt, encrypted or unsupported bytes.
CORRUPT: Final = (
    BadZipFile,
    EOFError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    ValueError,
    struct.error,
    zlib.error,
)


class _BoundedReader(io.RawIOBase):
    """A reader of a ZIP file for `zipfile`, which refuses a directory of too many entries.

    `zipfile` reads the complete directory in one call, whatever size and number the file states.
    """

    def __init__(self, stream: BinaryIO, meter: Meter) -> None:
        self.stream = stream
        self.meter = meter
        self.most = meter.limits.parts * _ENTRY_BYTES + _DIRECTORY_BYTES
        self.size = stream.seek(0, io.SEEK_END)

    def seekable(self) -> bool:
        """Return True, because `zipfile` starts at the end."""
        return True

    def tell(self) -> int:
        """Return the position."""
        return self.stream.tell()

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move to a position. Raises BadZipFile for a position outside the file."""
        if whence == io.SEEK_SET and not 0 <= offset <= self.size:
            raise BadZipFile("place outside of the file")
        return self.stream.seek(offset, whence)

    def read(self, size: int | None = -1, /) -> bytes:
        """Read at most ``size`` bytes. Raises :class:`Ended` for more than a valid directory."""
        self.meter.step()
        if size is None or size < 0:
            size = self.most + 1
        data = self.stream.read(min(size, self.most + 1))
        parts = self.meter.limits.parts
        if len(data) > self.most or data.count(_ENTRY) > parts:
            raise Ended(codes.ARCHIVE_PARTS, limit=parts)
        return data


class Zip:
    """An open ZIP archive.

    Raises :class:`Ended` if its directory is unreadable or refused.
    """

    def __init__(self, stream: BinaryIO, meter: Meter) -> None:
        try:
            self.archive = ZipFile(_BoundedReader(stream, meter))
        except CORRUPT as error:
            # The directory is at the end, so a file without directory is truncated.
            is_truncated = "not a zip file" in str(error)
            code = codes.ARCHIVE_TRUNCATED if is_truncated else codes.ARCHIVE_DAMAGED
            raise Ended(code, kind="zip") from error
        self.entries = [entry for entry in self.archive.infolist() if not _is_folder(entry)]
        if any(entry.filename in _DOCUMENT for entry in self.entries):
            raise Ended(codes.ARCHIVE_DOCUMENT)
        _check_overlap(self.archive.infolist())

    def read(self, entry: ZipInfo) -> Iterator[bytes]:
        """Yield the bytes of a file, and check its sum. Raises :class:`Broken`."""
        if entry.flag_bits & _ENCRYPTED:
            raise Broken(codes.ARCHIVE_ENCRYPTED)
        if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise Broken(codes.ARCHIVE_METHOD, method=entry.compress_type)
        if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
            raise Broken(codes.ARCHIVE_LINK)
        try:
            with self.archive.open(entry) as file:
                while data := file.read(PIECE):
                    yield data
        except EOFError as error:
            raise Broken(codes.ARCHIVE_TRUNCATED, kind="zip") from error
        except CORRUPT as error:
            raise Broken(codes.ARCHIVE_DAMAGED, kind="zip") from error


def _is_folder(entry: ZipInfo) -> bool:
    # entry.is_dir() fails for an empty name.
    return entry.filename.endswith("/") or stat.S_ISDIR(entry.external_attr >> 16)


def _check_overlap(entries: list[ZipInfo]) -> None:
    """Raise :class:`Ended` if two files share bytes, because a few kB could unpack to any size."""
    end = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < end:
            raise Ended(codes.ARCHIVE_OVERLAP)
        end = entry.header_offset + _LOCAL_HEADER + entry.compress_size


def entry_name(entry: ZipInfo) -> str:
    """Return the name of an entry. Without the flag for UTF-8, the encoding is detected."""
    name = entry.orig_filename
    return name if entry.flag_bits & _UTF8_NAME else decode_name(name.encode("cp437", "replace"))
