"""A range of a file, read as if it were the whole file."""

from __future__ import annotations

import io
import os
from pathlib import Path


class FileRange(io.RawIOBase):
    """The bytes ``first`` to ``last`` of a file, both included.

    It is seekable, so that the web server sends it without a thread.
    """

    def __init__(self, path: Path, first: int, last: int) -> None:
        """Raises OSError."""
        self.file = path.open("rb")
        self.first, self.length = first, last - first + 1
        self.place = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def tell(self) -> int:
        """Return the position, from the beginning of the range."""
        return self.place

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Move to this position, within the range."""
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self.place, os.SEEK_END: self.length}[whence]
        self.place = max(0, min(start + offset, self.length))
        return self.place

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        """Fill ``buffer``; returns the number of bytes, 0 at the end."""
        self.file.seek(self.first + self.place)
        data = self.file.read(min(len(buffer), self.length - self.place))
        buffer[: len(data)] = data
        self.place += len(data)
        return len(data)

    def close(self) -> None:
        """Close the file too."""
        self.file.close()
        super().close()
