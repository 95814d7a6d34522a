"""Limits on the output of archives, and the errors for exceeding them.

Streams of chunks of bytes.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, cast

from kafu.notation import codes
from kafu.notation.faults import Code, Fault

#: Unpacked bytes up to which the ratio is not checked, because small archives are harmless.
RATIO_FROM: Final = 16 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the output of an archive.

    ``members`` is the number of files, ``member_bytes`` the size of a file, ``total_bytes`` the
    size of all files, and ``ratio`` the factor of unpacking (for files above `RATIO_FROM` bytes).
    """

    members: int = 20_000
    member_bytes: int = 1 << 30
    total_bytes: int = 4 << 30
    ratio: int = 250


class Broken(Exception):
    """An unreadable file in an archive, with its :class:`Fault`. The next file can be read."""

    def __init__(self, code: Code, **values: Any) -> None:
        self.fault = Fault(code, values=values)
        super().__init__(self.fault.message())


class Ended(Broken):
    """An archive that cannot be read further. The files read before are valid."""


class Meter:
    """A counter of the output of an archive and its nested archives, which enforces limits.

    ``pause()`` is called between two blocks, so that the caller can do other work.
    """

    def __init__(self, limits: Limits, pause: Callable[[], object] = lambda: None) -> None:
        self.limits = limits
        self.pause = pause
        self.total = 0
        self.count = 0

    def admit(self) -> None:
        """Count a file. Raises :class:`Ended` if there are too many."""
        self.count += 1
        if self.count > self.limits.members:
            raise Ended(codes.ARCHIVE_TOO_MANY, limit=self.limits.members)

    def measure_file(self, chunks: Iterator[bytes], packed: Callable[[], int]) -> Iterator[bytes]:
        """Yield the chunks of a file; ``packed`` returns the number of packed bytes read so far.

        Raises :class:`Broken` if the file is too large or its ratio is suspicious, and
        :class:`Ended` if the total size is too large.
        """
        limits, count = self.limits, 0
        for data in chunks:
            self.pause()
            count += len(data)
            self.total += len(data)
            if self.total > limits.total_bytes:
                raise Ended(codes.ARCHIVE_TOTAL, limit=limits.total_bytes)
            if count > limits.member_bytes:
                raise Broken(codes.ARCHIVE_FILE_TOO_LARGE, limit=limits.member_bytes)
            if count > RATIO_FROM and count > limits.ratio * packed():
                raise Broken(codes.ARCHIVE_RATIO, limit=limits.ratio)
            yield data

    def measure_archive(
        self, chunks: Iterator[bytes], packed: Callable[[], int]
    ) -> Iterator[bytes]:
        """Yield the chunks of a complete archive, like `measure_file`.

        Raises :class:`Ended` if the archive is too large, cannot be read further, or has a
        suspicious ratio.
        """
        limits, count = self.limits, 0
        try:
            for data in chunks:
                self.pause()
                count += len(data)
                self.total += len(data)
                if self.total > limits.total_bytes:
                    raise Ended(codes.ARCHIVE_TOTAL, limit=limits.total_bytes)
                if count > RATIO_FROM and count > limits.ratio * packed():
                    raise Ended(codes.ARCHIVE_RATIO, limit=limits.ratio)
                yield data
        except Ended:
            raise
        except Broken as broken:
            raise Ended(broken.fault.code, **broken.fault.values) from broken


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
