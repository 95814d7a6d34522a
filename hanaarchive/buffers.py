"""Buffers of the web server: bytes in memory, or in a file from a number of bytes on.

They take the place of `waitress.buffers.OverflowableBuffer`, which loses bytes on a full disk.
"""

from __future__ import annotations

import errno
import io
import tempfile
from typing import IO, Final, NoReturn

from records.base.transient import Unavailable


class Buffer:
    """The bytes of a response that wait for their reader."""

    def __init__(self, most: int) -> None:
        """Have at most ``most`` bytes in memory."""
        self._most: Final = most
        self._memory = bytearray()
        self._file: IO[bytes] | None = None
        self._start = self._end = 0  # the range of bytes in the file

    def __len__(self) -> int:
        """Return the number of bytes."""
        return self._end - self._start if self._file else len(self._memory)

    def append(self, data: bytes) -> None:
        """Append all bytes, or raise OSError and append none."""
        if self._file and self._start == self._end:
            self.close()
        if not self._file and len(self._memory) + len(data) <= self._most:
            self._memory += data
            return
        file = self._file or tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
        try:
            end = self._end
            for piece in (self._memory, data):
                _write_at(file, end, piece)
                end += len(piece)
        except OSError:
            if not self._file:
                file.close()
            raise
        self._file, self._end = file, end
        self._memory.clear()

    def get(self, count: int) -> bytes | bytearray:
        """Return at most ``count`` bytes from the beginning, which stay in the buffer."""
        if not self._file:
            return self._memory[:count]
        self._file.seek(self._start)
        return self._file.read(min(count, len(self)))

    def skip(self, count: int, _allow_prune: bool = False) -> None:
        """Remove bytes at the beginning."""
        if self._file:
            self._start += count
        else:
            del self._memory[:count]

    def close(self) -> None:
        """Remove all bytes."""
        if self._file:
            self._file.close()
        self._file = None
        self._start = self._end = 0
        self._memory.clear()


class BufferedBody(Buffer):
    """The body of a request.

    Without room for it, the server receives the body to its end, so that the sender gets a
    response, and reading it raises :class:`records.base.transient.Unavailable`.
    """

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self._lost = 0

    def __len__(self) -> int:
        """Return the number of received bytes."""
        return self._lost or super().__len__()

    def append(self, data: bytes) -> None:
        """Append bytes, or count them if they are lost."""
        if not self._lost:
            try:
                super().append(data)
                return
            except OSError:
                self._lost = len(self)
                self.close()
        self._lost += len(data)

    def getfile(self) -> IO[bytes]:
        """Return the body as a file."""
        if self._lost:
            return io.BufferedReader(_Lost())
        if not self._file:
            return io.BytesIO(self._memory)
        self._file.seek(0)
        return self._file


class _Lost(io.RawIOBase):
    """A body without bytes."""

    def readable(self) -> bool:
        return True

    def readinto(self, _buffer: object) -> NoReturn:
        raise Unavailable("no room for the body of a request")


def _write_at(file: IO[bytes], place: int, data: bytes | bytearray) -> None:
    """Write all bytes at a place of a file. An unbuffered file may write some of them."""
    file.seek(place)
    # A view would keep the buffer from shrinking while an error is handled.
    unwritten = bytes(data)
    while unwritten:
        written = file.write(unwritten)
        if not written:
            raise OSError(errno.ENOSPC, "nothing was written")
        unwritten = unwritten[written:]
