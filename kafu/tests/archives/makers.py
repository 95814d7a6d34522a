"""Archives for the tests, sound and hostile."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import tarfile
import zipfile
from collections.abc import Mapping

from kafu.archives.frames import zstd_module

zstd = zstd_module()


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a ZIP archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def stored_zip(files: Mapping[str, bytes]) -> bytes:
    """Return a ZIP archive of uncompressed files."""
    return zipped(files, zipfile.ZIP_STORED)


def streamed_zip(files: Mapping[str, bytes]) -> bytes:
    """Return a ZIP archive written without seeking: sizes and checksums follow the files."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, data: object, /) -> int:
            piece = bytes(data)  # type: ignore[call-overload]
            self.data += piece
            return len(piece)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return bytes(pipe.data)


def zip64(files: Mapping[str, bytes]) -> bytes:
    """Return a ZIP archive with zip64 sizes in its local headers."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            with archive.open(name, "w", force_zip64=True) as file:
                file.write(data)
    archive_bytes = bytearray(stream.getvalue())
    for info in archive.infolist():
        # Python up to 3.11.3 writes small sizes in spite of `force_zip64`.
        archive_bytes[info.header_offset + 18 : info.header_offset + 26] = b"\xff" * 8
    return bytes(archive_bytes)


def with_link(name: str, target: str) -> bytes:
    """Return a ZIP archive with a symbolic link, followed by a file."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        link = zipfile.ZipInfo(name)
        link.create_system = 3
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, target)
        archive.writestr("after", b"sound")
    return stream.getvalue()


def overlapping(copies: int) -> bytes:
    """Return a ZIP archive whose directory names the same bytes many times."""
    data = zipped({"a": bytes(1 << 20)})
    end = data.rindex(b"PK\x05\x06")
    start = data.rindex(b"PK\x01\x02", 0, end)
    entry = data[start:end]
    tail = bytearray(data[end:])
    struct.pack_into("<HHL", tail, 8, copies, copies, len(entry) * copies)
    return data[:start] + entry * copies + bytes(tail)


def encrypted(files: Mapping[str, bytes], name: str) -> bytes:
    """Return a ZIP archive with one file marked as encrypted."""
    data = bytearray(zipped(files))
    local = data.index(name.encode()) - 30
    entry = data.rindex(name.encode()) - 46
    data[local + 6] |= 1
    data[entry + 8] |= 1
    return bytes(data)


def wide_window(data: bytes, log: int = 27) -> bytes:
    """Return a Zstandard frame that requires 2**log bytes of memory."""
    options: dict[int, int] = {zstd.CompressionParameter.window_log: log}
    compressor = zstd.ZstdCompressor(options=options)
    packed: bytes = compressor.compress(data) + compressor.flush()
    return packed


def gz(data: bytes) -> bytes:
    """Return a gzip file, always with the same bytes."""
    return gzip.compress(data, mtime=0)


def zst(data: bytes) -> bytes:
    """Return a Zstandard file."""
    packed: bytes = zstd.compress(data)
    return packed


def tarred(files: Mapping[str, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    """Return a tar archive; names that end in a slash are folders, names in ``@`` links."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=form) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            if name.endswith(("/", "@")):
                info.type = tarfile.DIRTYPE if name.endswith("/") else tarfile.SYMTYPE
                info.linkname, info.size = "/etc/passwd", 0
            archive.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def tar_header(kind: bytes, size: int = 0, name: str = "a") -> bytes:
    """Return a header of a tar archive, which states a size."""
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    return info.tobuf(tarfile.GNU_FORMAT)


def zip_directory(count: int, stated: int) -> bytes:
    """Return a ZIP archive with a directory of nameless entries, of which it states a number."""
    local, entries = b"PK\3\4" + bytes(26), (b"PK\1\2" + bytes(42)) * count
    end = struct.pack("<4H2LH", 0, 0, stated, stated, len(entries), len(local), 0)
    return local + entries + b"PK\5\6" + end
