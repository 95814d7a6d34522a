"""Limits on the output and the cost of archives, and the errors for exceeding them.

Streams of chunks of bytes.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, TypeVar, cast

from kafu.notation import codes
from kafu.notation.faults import Code, Fault

#: Unpacked bytes up to which the ratio is not checked, because small archives are harmless.
RATIO_FROM: Final = 16 << 20
#: CPU seconds that unpacking any file may take, and for each byte of a larger file.
SECONDS: Final = 1.0
SECONDS_A_BYTE: Final = 1e-6
#: CPU seconds between two calls of `Meter.pause`.
PAUSE_SECONDS: Final = 0.05

#: The CPU time of the thread. Python in a browser has one thread, and no clock for it.
thread_time: Final = getattr(time, "thread_time", time.process_time)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the output and the cost of an archive, with the archives in it.

    ``members`` is the number of files, ``member_bytes`` the size of a file, ``total_bytes`` the
    size of all files, and ``ratio`` the factor of unpacking (for files above `RATIO_FROM` bytes).
    ``parts`` applies to each archive alone: the number of entries, of headers before entries, and
    of compressed frames. ``seconds`` is the CPU time that any file may take; a larger file may take
    `SECONDS_A_BYTE`.
    """

    members: int = 20_000
    member_bytes: int = 1 << 30
    total_bytes: int = 4 << 30
    ratio: int = 250
    parts: int = 10_000
    seconds: float = SECONDS


class Broken(Exception):
    """An unreadable file in an archive, with its :class:`Fault`. The next file can be read."""

    def __init__(self, code: Code, **values: Any) -> None:
        self.fault = Fault(code, values=values)
        super().__init__(self.fault.message())


class Ended(Broken):
    """An archive that cannot be read further. The files read before are valid."""


class Meter:
    """A counter of the output and the cost of an archive and its nested archives.

    ``pause`` is called about every `PAUSE_SECONDS` between two steps of unpacking, so that the
    caller can let other work run. Its time does not count.
    """

    def __init__(self, limits: Limits, pause: Callable[[], object] | None = None) -> None:
        self.limits = limits
        self.pause = pause
        self.total = 0
        self.count = 0
        #: The bytes read from the sent file.
        self.sent = 0
        #: The CPU seconds of unpacking until ``_began``, the start of the current call, if any.
        self.seconds = 0.0
        self._began: float | None = None
        self._paused = thread_time()

    def watch(self, items: Iterator[T]) -> Iterator[T]:
        """Yield items, counting the CPU time of each call that produces one.

        An iterator that is called inside another is counted with the other. The time in which the
        caller uses an item does not count.
        """
        while True:
            is_outer = self._began is None
            if is_outer:
                self._began = thread_time()
            try:
                item = next(items)
            except StopIteration:
                return
            finally:
                if is_outer and self._began is not None:
                    self.seconds += thread_time() - self._began
                    self._began = None
            yield item

    def step(self, number: int = 0) -> None:
        """Check the limits between two blocks, entries, headers or frames, and pause if due.

        ``number`` is the number of the entry, header or frame in its archive. Raises
        :class:`Ended` if there are too many, or if unpacking takes too much CPU time.
        """
        if number > self.limits.parts:
            raise Ended(codes.ARCHIVE_PARTS, limit=self.limits.parts)
        now = thread_time()
        allowed = max(self.limits.seconds, self.sent * SECONDS_A_BYTE)
        if self.seconds + (0.0 if self._began is None else now - self._began) > allowed:
            raise Ended(codes.ARCHIVE_COSTLY, limit=round(allowed))
        if self.pause is not None and now - self._paused >= PAUSE_SECONDS:
            self.pause()
            self._paused = thread_time()
            if self._began is not None:
                self._began += self._paused - now

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
        count = 0
        for data in self._measure(chunks, packed):
            count += len(data)
            if count > self.limits.member_bytes:
                raise Broken(codes.ARCHIVE_FILE_TOO_LARGE, limit=self.limits.member_bytes)
            yield data

    def measure_archive(
        self, chunks: Iterator[bytes], packed: Callable[[], int]
    ) -> Iterator[bytes]:
        """Yield the chunks of a complete archive, like `measure_file`.

        Raises :class:`Ended` if the archive is too large, cannot be read further, or has a
        suspicious ratio.
        """
        try:
            yield from self._measure(chunks, packed)
        except Ended:
            raise
        except Broken as broken:
            raise Ended(broken.fault.code, **broken.fault.values) from broken

    def _measure(self, chunks: Iterator[bytes], packed: Callable[[], int]) -> Iterator[bytes]:
        limits, count = self.limits, 0
        for data in chunks:
            self.step()
            count += len(data)
            self.total += len(data)
            if self.total > limits.total_bytes:
                raise Ended(codes.ARCHIVE_TOTAL, limit=limits.total_bytes)
            if count > RATIO_FROM and count > limits.ratio * packed():
                raise Broken(codes.ARCHIVE_RATIO, limit=limits.ratio)
            yield data


class SentStream(io.RawIOBase):
    """The stream of a sent file, which counts the bytes that are read from it."""

    def __init__(self, stream: BinaryIO, meter: Meter) -> None:
        self.stream = stream
        self.meter = meter

    def seekable(self) -> bool:
        """Return whether the file is seekable."""
        return self.stream.seekable()

    def tell(self) -> int:
        """Return the position."""
        return self.stream.tell()

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move to a position."""
        return self.stream.seek(offset, whence)

    def read(self, size: int | None = -1, /) -> bytes:
        """Read at most ``size`` bytes."""
        data = self.stream.read(-1 if size is None else size)
        self.meter.sent += len(data)
        return data


class ChunkStream(io.RawIOBase):
    """A stream over an iterator of chunks."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self.chunks = chunks
        #: The last chunk, and the number of bytes read from it.
        self._chunk = b""
        self._start = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        """Read at most ``size`` bytes, or all bytes for None or a negative size."""
        if size is None or size < 0:
            size = 1 << 62
        parts = []
        while True:
            data = self._chunk[self._start : self._start + size]
            parts.append(data)
            self._start += len(data)
            size -= len(data)
            if not size:
                break
            self._chunk, self._start = next(self.chunks, b""), 0
            if not self._chunk:
                break
        return b"".join(parts)


def as_stream(chunks: Iterator[bytes]) -> BinaryIO:
    """Return a stream of chunks, none of them empty."""
    return cast(BinaryIO, ChunkStream(chunks))
