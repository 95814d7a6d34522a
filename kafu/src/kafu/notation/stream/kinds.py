"""Files that are no text in a known encoding, recognised by their first bytes."""

from __future__ import annotations

from typing import Final

from kafu.notation import codes
from kafu.notation.faults import Code, Fault
from kafu.notation.stream.encoding import BINARY, LOOK, detect_file_encoding, is_decodable

#: Marks of pictures in ISO media files, as from telephone cameras.
_HEIC: Final = tuple(b"ftyp" + brand for brand in b"heic heix heim heis hevc mif1 msf1".split())
#: Code and name of each kind, and the position and values of its mark.
_KINDS: Final[tuple[tuple[Code, str, int, tuple[bytes, ...]], ...]] = (
    (codes.COMPRESSED, "tar", 257, (b"ustar",)),
    (codes.COMPRESSED, "zip", 0, (b"PK\x03\x04", b"PK\x05\x06")),
    (codes.COMPRESSED, "gzip", 0, (b"\x1f\x8b",)),
    (codes.COMPRESSED, "bzip2", 0, (b"BZh",)),
    (codes.COMPRESSED, "xz", 0, (b"\xfd7zXZ\x00",)),
    # The second mark is the beginning of files of pzstd.
    (codes.COMPRESSED, "zstd", 0, (b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18")),
    (codes.COMPRESSED, "7z", 0, (b"7z\xbc\xaf\x27\x1c",)),
    (codes.COMPRESSED, "rar", 0, (b"Rar!\x1a\x07",)),
    (codes.PICTURE, "HEIC", 4, _HEIC),
    (codes.PICTURE, "AVIF", 4, (b"ftypavif", b"ftypavis")),
    (codes.PICTURE, "WebP", 8, (b"WEBPVP8",)),
    (codes.PICTURE, "JPEG", 0, (b"\xff\xd8\xff",)),
    (codes.PICTURE, "PNG", 0, (b"\x89PNG\r\n\x1a\n",)),
    (codes.PICTURE, "GIF", 0, (b"GIF87a", b"GIF89a")),
    (codes.PICTURE, "TIFF", 0, (b"II*\0", b"MM\0*")),
    (codes.DOCUMENT, "PDF", 0, (b"%PDF-",)),
    (codes.DOCUMENT, "RTF", 0, (b"{\\rtf",)),
    (codes.DOCUMENT, "Word, Excel", 0, (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",)),
    (codes.UNREAD_ENCODING, "UTF-32", 0, (b"\xff\xfe\0\0", b"\0\0\xfe\xff")),
)
#: The least length of a file in UTF-32 without a byte order mark.
_MIN_UTF32_BYTES: Final = 32


def find_binary_fault(head: bytes) -> Fault | None:
    """Return the fault of a binary file that begins with ``head``; None for text.

    The value ``kind`` names the kind of a compressed file, picture or document, or an encoding.
    """
    for code, kind, start, marks in _KINDS:
        if head.startswith(marks, start):
            return Fault(code, values={"kind": kind})
    if _is_utf32(head[: min(len(head), LOOK) // 4 * 4]):
        return Fault(codes.UNREAD_ENCODING, values={"kind": "UTF-32"})
    return Fault(codes.BINARY) if detect_file_encoding(head) == BINARY else None


def _is_utf32(head: bytes) -> bool:
    """Return whether bytes without a byte order mark are nearly all printable in UTF-32."""
    for encoding in ("utf-32-le", "utf-32-be"):
        if len(head) >= _MIN_UTF32_BYTES and is_decodable(head, encoding):
            text = head.decode(encoding)
            if sum(map(str.isprintable, text)) + sum(map(str.isspace, text)) >= 0.98 * len(text):
                return True
    return False
