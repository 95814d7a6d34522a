"""A piece of a stream: the bytes of one game, their position, and a fault of an unreadable piece.

`kafu.notation.stream.cut.cut` finds pieces. An `Extent` describes a found piece, and
:func:`piece_at` reads the piece again by its extent, without a search for its boundaries.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import BinaryIO, Final

from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.reading.reader import place
from kafu.notation.stream import encoding as encodings
from kafu.notation.stream.kinds import find_binary_fault
from kafu.notation.vocabulary import MAX_GAME_BYTES

#: The number of bytes retained of an over-long or binary piece.
MAX_BROKEN_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class Extent:
    """The position of a piece in its stream, and its form and encoding.

    ``number`` counts pieces and ``line`` lines, from 1; ``offset`` and ``length`` are bytes.
    ``form`` is "kafu" or "json". ``encoding`` names the codec of the bytes, or is "binary".
    """

    number: int
    offset: int
    length: int
    line: int
    form: str
    encoding: str

    def with_data(self, data: bytes, fault: Fault | None = None) -> Piece:
        """Return the piece of the extent with its bytes."""
        values = self.number, self.offset, self.length, self.line, self.form, self.encoding
        return Piece(*values, data, fault)


@dataclass(frozen=True, slots=True)
class Piece(Extent):
    """The bytes of a game, or of text in place of a game, and their position in the stream.

    A piece with a ``fault`` cannot be read. An over-long or binary piece has only its first bytes
    in ``data``.
    """

    data: bytes
    fault: Fault | None = None

    def extent(self) -> Extent:
        """Return the position of the piece, without its bytes."""
        return Extent(self.number, self.offset, self.length, self.line, self.form, self.encoding)

    def text(self) -> str:
        """Decode the piece. Undecodable bytes, in a piece with a fault, become U+FFFD."""
        codec = encodings.UTF8 if self.encoding == encodings.BINARY else self.encoding
        return self.data.decode(codec, "replace")


def piece_at(stream: BinaryIO, extent: Extent) -> Piece:
    """Return the piece at ``extent`` of a seekable stream.

    Only the piece's bytes are read, of an over-long piece no more than show that it is.
    """
    stream.seek(extent.offset)
    if extent.encoding == encodings.BINARY:
        return binary_piece(extent, stream.read(min(extent.length, MAX_BROKEN_BYTES)))
    is_utf16 = extent.encoding in encodings.UTF16
    # The limit is in bytes of UTF-8, and UTF-16 has at most two bytes for each of them.
    data, loose = stream.read(min(extent.length, (1 + is_utf16) * (MAX_GAME_BYTES + 1))), 0
    if is_utf16:
        decoder = codecs.getincrementaldecoder(extent.encoding)("surrogatepass")
        data = decoder.decode(data).encode("utf-8", "surrogatepass")
        loose = len(decoder.getstate()[0])
    return text_piece(extent, data, loose)


def text_piece(extent: Extent, data: bytes, loose: int = 0) -> Piece:
    """Return a piece of text.

    ``data`` is UTF-8 for a stream in UTF-16, else the original bytes; of an over-long piece more
    bytes than the limit. ``loose`` counts bytes after ``data`` in the stream that form no
    character.
    """
    fault = None
    is_too_large = len(data) > MAX_GAME_BYTES
    if is_too_large:
        data = data[:MAX_BROKEN_BYTES]
        fault = Fault(codes.GAME_TOO_LARGE, extent.line, 1, values={"limit": MAX_GAME_BYTES})
    elif not data:
        fault = Fault(codes.EMPTY, extent.line, 1)
    elif extent.encoding in (encodings.UTF8, *encodings.UTF16):
        # Every further encoding was only detected in valid data.
        bad = len(data) if loose else None
        try:
            data.decode()
        except UnicodeDecodeError as error:
            bad = error.start
        if bad is not None:
            before = data[:bad].decode()
            fault = Fault(codes.BAD_ENCODING, *place(before, len(before), extent.line))
    if extent.encoding in encodings.UTF16:
        text = data.decode("utf-8", "ignore" if is_too_large else "surrogatepass")
        data = text.encode(extent.encoding, "surrogatepass")
    return extent.with_data(data, fault)


def binary_piece(extent: Extent, head: bytes) -> Piece:
    """Return the only piece of a file that is not text (compressed, a picture, a program …)."""
    return extent.with_data(head, find_binary_fault(head) or Fault(codes.BINARY))
