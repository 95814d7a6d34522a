"""ZIP: the files in its directory, in their order."""

from __future__ import annotations

import io
import stat
import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from kafu.archives.bounds import Broken, Ended, Limits
from kafu.archives.frames import PIECE
from kafu.archives.names import decoded
from kafu.notation import codes

#: Bytes of the directory for each file that an archive may hold: a long path, dates, zip64.
_ENTRY_BYTES: Final = 256
_DIRECTORY_BYTES: Final = 1 << 16
_ENCRYPTED: Final = 0x1 | 0x40 | 0x2000
_LOCAL_HEADER: Final = 30
_UTF8_NAME: Final = 0x800
#: What an office document or an e-book contains besides its text.
_DOCUMENT: Final = ("[Content_Types].xml", "mimetype")
#: What `zipfile` and zlib raise for corrupt bytes.
_SPOILED: Final = (
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
    """The file of the archive, which returns at most as much at once as a valid directory needs.

    `zipfile` reads the whole directory, of whatever size the file claims.
    """

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self.stream = stream
        self.most = most
        self.size = stream.seek(0, io.SEEK_END)

    def seekable(self) -> bool:
        """Return True: `zipfile` begins at the end."""
        return True

    def tell(self) -> int:
        """Return the position."""
        return self.stream.tell()

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move to this position. Raises BadZipFile for one outside the file."""
        if whence == io.SEEK_SET and not 0 <= offset <= self.size:
            raise BadZipFile("place outside of the file")
        return self.stream.seek(offset, whence)

    def read(self, size: int | None = -1, /) -> bytes:
        """Read at most ``size`` bytes. Raises :class:`Ended` for more than is ever needed."""
        if size is None or size < 0:
            size = self.most + 1
        data = self.stream.read(min(size, self.most + 1))
        if len(data) > self.most:
            raise Ended(codes.ARCHIVE_TOO_MANY, limit=self.most // _ENTRY_BYTES)
        return data


class Zip:
    """An opened ZIP archive."""

    def __init__(self, stream: BinaryIO, limits: Limits) -> None:
        """Raises :class:`Ended` if its directory cannot be read, or must be refused."""
        most = limits.members * _ENTRY_BYTES + _DIRECTORY_BYTES
        careful = _BoundedReader(stream, most)
        try:
            self.archive = ZipFile(careful)
        except _SPOILED as error:
            # The directory comes last: without it the end is missing.
            lost = "not a zip file" in str(error)
            code = codes.ARCHIVE_TRUNCATED if lost else codes.ARCHIVE_DAMAGED
            raise Ended(code, kind="zip") from error
        self.entries = [entry for entry in self.archive.infolist() if not _is_folder(entry)]
        if any(entry.filename in _DOCUMENT for entry in self.entries):
            raise Ended(codes.ARCHIVE_DOCUMENT)
        _check_apart(self.archive.infolist())

    def read(self, entry: ZipInfo) -> Iterator[bytes]:
        """The bytes of one file, checked against its sum. Raises :class:`Broken`."""
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
        except _SPOILED as error:
            raise Broken(codes.ARCHIVE_DAMAGED, kind="zip") from error


def _is_folder(entry: ZipInfo) -> bool:
    # Not entry.is_dir(), which requires a name that is not empty.
    return entry.filename.endswith("/") or stat.S_ISDIR(entry.external_attr >> 16)


def _check_apart(entries: list[ZipInfo]) -> None:
    """Check that no byte belongs to two files: a few kB could be unpacked over and over.

    Raises :class:`Ended`.
    """
    end = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < end:
            raise Ended(codes.ARCHIVE_OVERLAP)
        end = entry.header_offset + _LOCAL_HEADER + entry.compress_size


def name_of(entry: ZipInfo) -> str:
    """The name of an entry. Without the flag for UTF-8 its encoding
    is detected."""
    name = entry.orig_filename
    return name if entry.flag_bits & _UTF8_NAME else decoded(name.encode("cp437", "replace"))
