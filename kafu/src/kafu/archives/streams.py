"""Streams of chunks of bytes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO, cast


class ChunkStream(io.RawIOBase):
    """A stream over an iterator of chunks."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self.chunks = chunks
        self.unread = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        """Read at most ``size`` bytes, or all bytes for None or a negative size."""
        if size is None or size < 0:
            size = 1 << 62
        parts, count = [self.unread], len(self.unread)
        while count < size and (data := next(self.chunks, b"")):
            parts.append(data)
            count += len(data)
        data = b"".join(parts)
        self.unread = data[size:]
        return data[:size]


def as_stream(chunks: Iterator[bytes]) -> BinaryIO:
    """Return a stream of chunks, none of them empty."""
    return cast(BinaryIO, ChunkStream(chunks))
