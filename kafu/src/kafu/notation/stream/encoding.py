"""Which encoding a file or a piece of it is in: UTF-8, Shift_JIS (cp932) or UTF-16."""

from __future__ import annotations

import re
from typing import Final

UTF8: Final = "utf-8"
SHIFT_JIS: Final = "cp932"
UTF16: Final = ("utf-16-le", "utf-16-be")
#: The encoding of a whole file that is not text.
BINARY: Final = "binary"

_COMPRESSED: Final = (
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\x50\x2a\x4d\x18", "zstd"),  # as pzstd begins
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "rar"),
)
#: Bytes of a file's beginning that are examined.
LOOK: Final = 4096
_MULTIBYTE: Final = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
# Characters that Python's cp932 gives to bytes undefined in Shift_JIS.
_NO_SHIFT_JIS: Final = re.compile("[\x80\uf8f0-\uf8f3]")
_HIGH: Final = bytes(range(0x80, 0x100))
_CONTROLS: Final = bytes({*range(0x20), 0x7F} - set(b"\t\n\r\f"))


def compression(head: bytes) -> str | None:
    """The kind of compressed file that begins with ``head``, or None."""
    if head[257:262] == b"ustar":
        return "tar"
    return next((kind for magic, kind in _COMPRESSED if head.startswith(magic)), None)


def of_file(head: bytes) -> str:
    """The encoding of a file that begins with ``head``: UTF-8, one of UTF-16, or ``binary``.

    UTF-16 shows by its byte order mark, or by a NUL in (nearly) every second byte, for tags and
    moves are ASCII. UTF-8 stands for "each piece by itself": see :func:`of_piece`.
    """
    head = head[:LOOK]
    if head.startswith(b"\xff\xfe"):
        return UTF16[0]
    if head.startswith(b"\xfe\xff"):
        return UTF16[1]
    if b"\x00" in head:
        for encoding, nul, other in (
            (UTF16[0], head[1::2], head[::2]),
            (UTF16[1], head[::2], head[1::2]),
        ):
            if nul.count(0) >= 0.4 * len(nul) and other.count(0) <= 0.02 * len(other):
                return encoding
    # A stray NUL or two make one game malformed, not the whole file.
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return BINARY if controls > (0.02 if b"\x00" in head else 0.1) * len(head) else UTF8


def of_piece(data: bytes) -> str:
    """The encoding of a piece in an 8-bit encoding: UTF-8, unless it can only be Shift_JIS.

    Shift_JIS is taken where the piece is no UTF-8, is Shift_JIS throughout, and is not rather
    UTF-8 with a few bad bytes: that is, it has no more whole UTF-8 characters than other
    high bytes.
    """
    if data.isascii():
        return UTF8
    try:
        data.decode()
    except UnicodeDecodeError:
        pass
    else:
        return UTF8
    characters = _MULTIBYTE.findall(data)
    stray = len(data) - len(data.translate(None, _HIGH)) - sum(map(len, characters))
    if len(characters) <= stray:
        try:
            if not _NO_SHIFT_JIS.search(data.decode(SHIFT_JIS)):
                return SHIFT_JIS
        except UnicodeDecodeError:
            pass
    return UTF8


def utf16_length(data: bytes) -> int:
    """The UTF-16 length in bytes of the UTF-8 ``data``, also if it is cut within a character."""
    beginnings = len(data.translate(None, bytes(range(0x80, 0xC0))))
    pairs = len(data) - len(data.translate(None, bytes(range(0xF0, 0x100))))
    return 2 * (beginnings + pairs)
