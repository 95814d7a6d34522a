"""A stream read block by block, of which only the part still needed is kept."""

from __future__ import annotations

import codecs
from typing import BinaryIO, Final

BLOCK: Final = 1 << 16


def rows(data: bytes) -> int:
    """How many lines end in ``data``: by LF, CR LF, or CR alone."""
    ends = data.count(b"\n")
    if b"\r" in data:
        ends += data.count(b"\r") - data.count(b"\r\n")
    return ends


class Tape:
    """A window over a stream: ``buffer``, filled at its end and consumed from its beginning. UTF-16
    is transcoded to UTF-8 on the way in, lone surrogates kept.

    ``loose`` counts bytes at the stream's end that made no character; ``cut_short`` says that the
    beginning of the current piece was dropped.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder: codecs.IncrementalDecoder | None = None
        self._dropped = 0
        self.buffer = b""
        self.ended = False
        self.loose = 0
        self.cut_short = False

    def head(self) -> bytes:
        """The first bytes of the stream, before anything was consumed or transcoded."""
        return self.buffer

    def transcode(self, decoder: codecs.IncrementalDecoder) -> None:
        """Decode the rest (and what is in the buffer) with ``decoder``."""
        self._decoder = decoder
        raw, self.buffer = self.buffer, b""
        self._add(raw)

    def fill(self, least: int = 1) -> None:
        """Read a block, or until the buffer has ``least`` bytes; sets ``ended`` at the end."""
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
        self._dropped, self.cut_short = 0, False
        return data

    def drop(self, keep: int) -> bytes:
        """Remove all but the last ``keep`` bytes (or one more, not to part CR from LF)."""
        length = len(self.buffer) - keep
        if self.buffer[length - 1 : length] == b"\r":
            length -= 1
        data = self.take(length)
        self._dropped, self.cut_short = length, True
        return data

    def dropped(self) -> int:
        """The number of bytes removed by :meth:`drop` since the last call."""
        dropped, self._dropped = self._dropped, 0
        return dropped
