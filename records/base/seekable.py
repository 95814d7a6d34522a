"""Streams of bytes that can be read from any position, for Django files and the web server."""

from __future__ import annotations

import errno
import io
import os
from abc import abstractmethod
from pathlib import Path
from typing import Any


class SeekableReader(io.RawIOBase):
    """A stream of ``length`` bytes, read by `_read_at`."""

    length: int
    place: int = 0

    @abstractmethod
    def _read_at(self, place: int, count: int) -> bytes:
        """Return 1 to ``count`` bytes from a position before the end. Raises OSError."""

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def tell(self) -> int:
        """Return the position."""
        return self.place

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Move to a position; reads stop at the end. Raises OSError for a negative position."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self.place, os.SEEK_END: self.length}[whence]
        if base + offset < 0:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))  # as for a plain file
        self.place = base + offset
        return self.place

    def readinto(self, buffer: Any, /) -> int:
        """Fill ``buffer`` by one read and return the number of bytes, 0 at the end."""
        count = min(len(buffer), self.length - self.place)
        if count <= 0:
            return 0
        data = self._read_at(self.place, count)
        buffer[: len(data)] = data
        self.place += len(data)
        return len(data)


class FileRange(SeekableReader):
    """The bytes ``first`` to ``last`` (inclusive) of a file, read like a whole file.

    The web server sends seekable streams without a thread.
    """

    def __init__(self, path: Path, first: int, last: int) -> None:
        """Open a range of a file. Raise OSError."""
        self.file = path.open("rb")
        self.first, self.length = first, last - first + 1

    def _read_at(self, place: int, count: int) -> bytes:
        self.file.seek(self.first + place)
        return self.file.read(count)

    def close(self) -> None:
        """Close the file too."""
        self.file.close()
        super().close()
