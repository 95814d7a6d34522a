"""Chunks of bytes as a stream."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO, cast


class ChunkStream(io.RawIOBase):
    """Chunks of bytes as a stream to be read once."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self.chunks = chunks
        self.unread = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        """Read at most ``size`` bytes, all of them if negative or None; none at the end."""
        if size is None or size < 0:
            size = 1 << 62
        parts, count = [self.unread], len(self.unread)
        while count < size and (data := next(self.chunks, b"")):
            parts.append(data)
            count += len(data)
        whole = b"".join(parts)
        self.unread = whole[size:]
        return whole[:size]


def flow(chunks: Iterator[bytes]) -> BinaryIO:
    """Return a stream of these chunks (none of them empty)."""
    return cast(BinaryIO, ChunkStream(chunks))
