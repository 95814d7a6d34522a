"""tar archives in streams, whose files are read in order.

`tarfile` decodes the headers. Long names and pax records are read here with a limit, because
`tarfile` reads them into memory whatever their size.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from tarfile import BLOCKSIZE, HeaderError, TarInfo
from typing import BinaryIO, Final

from kafu.archives.bounds import Broken, Ended, Meter
from kafu.archives.names import decode_name
from kafu.notation import codes

_PIECE: Final = 1 << 16
#: The maximum size of a long name, or of the pax records before a file.
_MOST_RECORDS: Final = 1 << 16
_LONG: Final = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_PAX: Final = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
_SPARSE: Final = b"GNU.sparse."


@dataclass(slots=True)
class TarEntry:
    """A file, link or device in a tar archive; ``unread`` is the number of unread bytes."""

    name: str
    unread: int
    is_file: bool
    is_too_large: bool


class Tar:
    """A tar archive, an iterable of entries."""

    def __init__(self, stream: BinaryIO, meter: Meter) -> None:
        self.stream = stream
        self.meter = meter
        #: The current entry, and the size of its padding.
        self._entry: TarEntry | None = None
        self._padding = 0

    def __iter__(self) -> Iterator[TarEntry]:
        """Yield the entries, without folders.

        Raises :class:`Ended` if the archive cannot be read further.
        """
        long_name, records = b"", dict[bytes, bytes]()
        entries, headers = count(1), count(1)
        while (info := self._read_header()) is not None:
            is_entry = info.type not in (*_LONG, *_PAX)
            self.meter.step(next(entries if is_entry else headers))
            if not is_entry:
                data = self._read_records(info.size)
                if info.type == tarfile.GNUTYPE_LONGNAME:
                    long_name = data.rstrip(b"\0")
                elif info.type in (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE):
                    records = _parse_pax(data)
                continue
            name = records.get(b"path") or long_name or _encode(info.name)
            size = _entry_size(records.get(b"size"), info.size)
            is_file = info.isreg() and not any(key.startswith(_SPARSE) for key in records)
            long_name, records = b"", {}
            unread = size if info.isreg() else 0
            is_too_large = unread > self.meter.limits.member_bytes
            entry = TarEntry(decode_name(name), unread, is_file, is_too_large)
            self._entry, self._padding = entry, -unread % BLOCKSIZE
            if not info.isdir() and not name.endswith(b"/"):
                yield entry
            self._skip()

    def read(self, entry: TarEntry) -> Iterator[bytes]:
        """Yield the bytes of the current entry. Raises :class:`Broken`."""
        if not entry.is_file:
            raise Broken(codes.ARCHIVE_LINK)
        if entry.is_too_large:
            raise Broken(codes.ARCHIVE_FILE_TOO_LARGE, limit=self.meter.limits.member_bytes)
        yield from self._read_chunks(entry)

    def _read_chunks(self, entry: TarEntry) -> Iterator[bytes]:
        while entry.unread:
            data = self.stream.read(min(entry.unread, _PIECE))
            if not data:
                raise Ended(codes.ARCHIVE_TRUNCATED, kind="tar")
            entry.unread -= len(data)
            yield data

    def _skip(self) -> None:
        """Skip the rest of the current entry."""
        entry = self._entry
        if entry is not None:
            for _ in self._read_chunks(entry):
                pass
        self._read_exactly(self._padding)

    def _read_header(self) -> TarInfo | None:
        """Return the next header, or None at the end."""
        block = self.stream.read(BLOCKSIZE)
        if not block.strip(b"\0"):
            return None
        if len(block) < BLOCKSIZE:
            raise Ended(codes.ARCHIVE_TRUNCATED, kind="tar")
        try:
            info = TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except (HeaderError, ValueError) as error:
            raise Ended(codes.ARCHIVE_DAMAGED, kind="tar") from error
        if info.size < 0:
            raise Ended(codes.ARCHIVE_DAMAGED, kind="tar")
        return info

    def _read_records(self, size: int) -> bytes:
        if size > _MOST_RECORDS:
            raise Ended(codes.ARCHIVE_DAMAGED, kind="tar")
        data = self._read_exactly(size)
        self._read_exactly(-size % BLOCKSIZE)
        return data

    def _read_exactly(self, size: int) -> bytes:
        data = self.stream.read(size)
        if len(data) < size:
            raise Ended(codes.ARCHIVE_TRUNCATED, kind="tar")
        return data


def _encode(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def _parse_pax(data: bytes) -> dict[bytes, bytes]:
    """Parse pax records (``length key=value`` with a line end). Raises `Ended`."""
    records, start = {}, 0
    while start < len(data):
        length, blank, _ = data[start : start + len("65536 ")].partition(b" ")
        if not (blank and length.isdigit()):
            break
        record = data[start + len(length) + 1 : start + int(length)]
        start += int(length)
        key, equals, value = record.partition(b"=")
        if not (equals and value.endswith(b"\n")):
            break
        records[key] = value[:-1]
    else:
        return records
    raise Ended(codes.ARCHIVE_DAMAGED, kind="tar")


def _entry_size(record: bytes | None, size: int) -> int:
    """Return the size of a file; a pax record has priority over the header."""
    if record is None:
        return size
    if not record.isdigit() or len(record) > len(str(1 << 63)):
        raise Ended(codes.ARCHIVE_DAMAGED, kind="tar")
    return int(record)
