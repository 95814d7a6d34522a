"""A stream read block by block, with only the needed part in memory."""

from __future__ import annotations

import codecs
from typing import BinaryIO, Final

from kafu.notation.stream.encoding import utf16_length

BLOCK: Final = 1 << 16


def _count_line_ends(data: bytes) -> int:
    """Return the number of line ends in ``data``: LF, CR LF or a lone CR."""
    ends = data.count(b"\n")
    if b"\r" in data:
        ends += data.count(b"\r") - data.count(b"\r\n")
    return ends


class Tape:
    """A window over a stream: ``buffer`` is filled at its end and consumed from its beginning.

    UTF-16 is transcoded to UTF-8 on reading, with lone surrogates retained. ``loose`` counts bytes
    at the stream's end that form no character. ``offset`` and ``line`` are the position of the
    buffer in the stream, in bytes and in lines from 1. ``cut_short`` is true after the beginning of
    the current piece was dropped.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder: codecs.IncrementalDecoder | None = None
        self._dropped = 0
        self.buffer = b""
        self.ended = False
        self.loose = self.offset = 0
        self.line = 1
        self.cut_short = False

    def transcode(self, decoder: codecs.IncrementalDecoder) -> None:
        """Decode the buffer and all further blocks with ``decoder``."""
        self._decoder = decoder
        raw, self.buffer = self.buffer, b""
        self._add(raw)

    def fill(self, least: int = 1) -> None:
        """Read a block, or more until the buffer has ``least`` bytes. Set ``ended`` at the end."""
        while True:
            block = self._stream.read(BLOCK)
            self.ended = not block
            self._add(block)
            if self.ended or (len(self.buffer) >= least and block):
                return

    def _add(self, block: bytes) -> None:
        if self._decoder is None:
            self.buffer += block
            return
        self.buffer += self._decoder.decode(block).encode("utf-8", "surrogatepass")
        if self.ended:
            self.loose = len(self._decoder.getstate()[0])

    def take(self, length: int) -> bytes:
        """Remove and return the first ``length`` bytes, as the end of a piece."""
        data, self.buffer = self.buffer[:length], self.buffer[length:]
        self.offset += len(data) if self._decoder is None else utf16_length(data)
        self.line += _count_line_ends(data)
        self._dropped, self.cut_short = 0, False
        if self.is_empty:
            self.offset += self.loose
        return data

    @property
    def is_empty(self) -> bool:
        """Whether nothing of the stream is left to take."""
        return self.ended and not self.buffer

    def drop(self, keep: int) -> bytes:
        """Remove and return all but the last ``keep`` bytes.

        One more byte stays in the buffer if the cut would be between CR and LF.
        """
        length = len(self.buffer) - keep
        if self.buffer[length - 1 : length] == b"\r":
            length -= 1
        data = self.take(length)
        self._dropped, self.cut_short = length, True
        return data

    def pop_dropped(self) -> int:
        """Return the number of bytes removed by :meth:`drop` since the last call."""
        dropped, self._dropped = self._dropped, 0
        return dropped
