"""A piece of a stream: the bytes of one game, where they stand, and what keeps them from being
read.

:func:`cut` finds the pieces; what it found of one is an `Extent`, by which :func:`piece_at` reads
the same piece again without a search for its boundaries.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import BinaryIO, Final

from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.stream import encoding as encodings
from kafu.notation.stream.tape import rows
from kafu.notation.vocabulary import MAX_GAME_BYTES

#: How much of a piece is kept that is over-long or no text.
MAX_BROKEN_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class Extent:
    """Where a piece stands in its stream, and how it is to be read.

    ``number`` counts pieces and ``line`` lines from 1, ``offset`` and ``length`` are bytes.
    ``form`` is "kafu" or "json". ``encoding`` names the codec of the bytes, or is "binary".
    """

    number: int
    offset: int
    length: int
    line: int
    form: str
    encoding: str

    def holding(self, data: bytes, fault: Fault | None = None) -> Piece:
        """The piece that stands here."""
        return Piece(
            self.number,
            self.offset,
            self.length,
            self.line,
            self.form,
            self.encoding,
            data,
            fault,
        )


@dataclass(frozen=True, slots=True)
class Piece(Extent):
    """The bytes of one game (or of what should be one), and where they stand in their stream.

    A piece with a ``fault`` cannot be read; of an over-long one, and of one that is no text,
    ``data`` holds only the first bytes.
    """

    data: bytes
    fault: Fault | None = None

    def extent(self) -> Extent:
        """Where it stands, without its bytes."""
        return Extent(self.number, self.offset, self.length, self.line, self.form, self.encoding)

    def text(self) -> str:
        """The piece as text; bytes that are none become U+FFFD (the piece has a fault then)."""
        codec = encodings.UTF8 if self.encoding == encodings.BINARY else self.encoding
        return self.data.decode(codec, "replace")


def piece_at(stream: BinaryIO, extent: Extent) -> Piece:
    """The piece that was found at ``extent`` of a stream that can seek.

    Only its own bytes are read, of an over-long piece only the first.
    """
    stream.seek(extent.offset)
    if extent.encoding == encodings.BINARY:
        return no_text(extent, stream.read(min(extent.length, MAX_BROKEN_BYTES)))
    is_utf16 = extent.encoding in encodings.UTF16
    # UTF-16 has at most two bytes for each of UTF-8, by which games are measured.
    width = 2 if is_utf16 else 1
    is_too_large = extent.length > width * MAX_GAME_BYTES
    data, loose = stream.read(width * MAX_BROKEN_BYTES if is_too_large else extent.length), 0
    if is_utf16:
        decoder = codecs.getincrementaldecoder(extent.encoding)("surrogatepass")
        data = decoder.decode(data).encode("utf-8", "surrogatepass")
        loose = len(decoder.getstate()[0])
    return text_piece(
        extent, data, loose=loose, is_too_large=is_too_large or len(data) > MAX_GAME_BYTES
    )


def text_piece(extent: Extent, data: bytes, *, loose: int = 0, is_too_large: bool = False) -> Piece:
    """A piece of text. ``data`` is in UTF-8 where the stream is in UTF-16, else as it came;
    ``loose`` bytes of the stream behind it make no character.
    """
    fault = None
    if is_too_large:
        data = data[:MAX_BROKEN_BYTES]
        fault = Fault(codes.GAME_TOO_LARGE, extent.line, 1, values={"limit": MAX_GAME_BYTES})
    elif not data:
        fault = Fault(codes.EMPTY, extent.line, 1)
    elif extent.encoding in (encodings.UTF8, *encodings.UTF16):  # others are whole where taken
        bad = _bad_byte(data)
        if bad is None and loose:
            bad = len(data)
        if bad is not None:
            fault = Fault(codes.BAD_ENCODING, *_place(data, bad, extent.line))
    if extent.encoding in encodings.UTF16:
        text = data.decode("utf-8", "ignore" if is_too_large else "surrogatepass")
        data = text.encode(extent.encoding, "surrogatepass")
    return extent.holding(data, fault)


def no_text(extent: Extent, head: bytes) -> Piece:
    """The one piece of a file that is no text: compressed, a picture, a document, a program."""
    return extent.holding(head, fault_of_no_text(head) or Fault(codes.BINARY))


def fault_of_no_text(head: bytes) -> Fault | None:
    """What a file is that begins with ``head`` and is no text; None for text."""
    for code, kind_of in _NO_TEXT:
        kind = kind_of(head)
        if kind is not None:
            return Fault(code, values={"kind": kind})
    return Fault(codes.BINARY) if encodings.of_file(head) == encodings.BINARY else None


_NO_TEXT: Final = (
    (codes.COMPRESSED, encodings.compression),
    (codes.PICTURE, encodings.picture),
    (codes.DOCUMENT, encodings.document),
)


def _bad_byte(data: bytes) -> int | None:
    """Where the first byte stands that is no UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None


def _place(data: bytes, position: int, line: int) -> tuple[int, int]:
    before = data[:position]
    row = max(before.rfind(b"\n"), before.rfind(b"\r")) + 1
    return line + rows(before), len(before[row:].decode("utf-8", "replace")) + 1
