"""Detection of the encoding of a file or piece: UTF-8, UTF-16 or a legacy encoding.

`kafu.notation.stream.plausible` rates the legacy encodings.
"""

from __future__ import annotations

import re
from typing import Final

from kafu.notation.stream.plausible import detect_encoding_over_utf8, detect_legacy_encoding

UTF8: Final = "utf-8"
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
_PICTURES: Final = (
    (b"\xff\xd8\xff", "JPEG"),
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
)
#: Brands of pictures in ISO media files, as from telephone cameras.
_BRANDS: Final = {
    **dict.fromkeys((b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1"), "HEIC"),
    **dict.fromkeys((b"avif", b"avis"), "AVIF"),
}
_DOCUMENTS: Final = (
    (b"%PDF-", "PDF"),
    (b"{\\rtf", "RTF"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Word, Excel"),
)
#: The number of bytes at a file's beginning that are examined.
LOOK: Final = 4096
_MULTIBYTE: Final = re.compile(rb"[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
#: The names of encodings by their codecs.
NAMES: Final = {
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "cp932": "Shift_JIS",
    "euc_jp": "EUC-JP",
    "gb18030": "GB18030",
    "cp1252": "Windows-1252",
}
_HIGH: Final = bytes(range(0x80, 0x100))
_CONTROLS: Final = bytes({*range(0x20), 0x7F} - set(b"\t\n\r\f"))


def detect_compression(head: bytes) -> str | None:
    """Return the kind of compressed file that begins with ``head``, or None."""
    if head[257:262] == b"ustar":
        return "tar"
    return next((kind for magic, kind in _COMPRESSED if head.startswith(magic)), None)


def detect_picture(head: bytes) -> str | None:
    """Return the kind of picture that begins with ``head``, or None."""
    if head[4:8] == b"ftyp":
        return _BRANDS.get(head[8:12])
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "WebP"
    return next((kind for magic, kind in _PICTURES if head.startswith(magic)), None)


def detect_document(head: bytes) -> str | None:
    """Return the kind of word processor's document that begins with ``head``, or None."""
    return next((kind for magic, kind in _DOCUMENTS if head.startswith(magic)), None)


def detect_file_encoding(head: bytes) -> str:
    """Return the encoding of a file that begins with ``head``: UTF-8, UTF-16 LE or BE, ``binary``.

    UTF-16 is detected by its byte order mark, or by a NUL in nearly every second byte, because tags
    and moves are ASCII. UTF-8 means any 8-bit encoding, to be detected for each piece by
    :func:`detect_piece_encoding`.
    """
    head = head[:LOOK]
    if head.startswith(b"\xff\xfe"):
        return UTF16[0]
    if head.startswith(b"\xfe\xff"):
        return UTF16[1]
    if b"\x00" in head:
        for encoding, nuls, letters in (
            (UTF16[0], head[1::2], head[::2]),
            (UTF16[1], head[::2], head[1::2]),
        ):
            if nuls.count(0) >= 0.4 * len(nuls) and letters.count(0) <= 0.02 * len(letters):
                return encoding
    # A few stray NULs make one game malformed, but not the whole file binary.
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return BINARY if controls > (0.02 if b"\x00" in head else 0.1) * len(head) else UTF8


def detect_piece_encoding(data: bytes) -> str:
    """Return the encoding of a piece in an 8-bit encoding: UTF-8, or a legacy encoding.

    Data with a few bad bytes still counts as UTF-8 if most of its high bytes belong to whole
    characters of three or four bytes.
    """
    if data.isascii():
        return UTF8
    try:
        return detect_encoding_over_utf8(data, data.decode()) or UTF8
    except UnicodeDecodeError:
        pass
    whole = sum(map(len, _MULTIBYTE.findall(data)))
    high = len(data) - len(data.translate(None, _HIGH))
    return UTF8 if 2 * whole > high else detect_legacy_encoding(data) or UTF8


def utf16_length(data: bytes) -> int:
    """Return the UTF-16 length in bytes of UTF-8 ``data``, even if cut within a character."""
    beginnings = len(data.translate(None, bytes(range(0x80, 0xC0))))
    pairs = len(data) - len(data.translate(None, bytes(range(0xF0, 0x100))))
    return 2 * (beginnings + pairs)
