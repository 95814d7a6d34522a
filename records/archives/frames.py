"""gzip and Zstandard: one file each, in one frame or in several that follow one another."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final, Protocol

from kafu.notation import codes
from records.archives.bounds import Broken
from records.base.zstd import zstd

PIECE: Final = 1 << 16
#: Memory that a Zstandard frame may ask for, as a power of 2: 32 MiB, what `zstd -20` writes.
WINDOW_LOG: Final = 25
#: Frames of one file. Real ones have some for each MiB; empty ones cost time and give nothing.
MAX_FRAMES: Final = 1_000_000


class Decoder(Protocol):
    """What unpacks one frame, a bounded piece at a time (as ``bz2.BZ2Decompressor`` does)."""

    @property
    def eof(self) -> bool:
        """Whether the frame is whole."""

    @property
    def unused_data(self) -> bytes:
        """What followed the frame."""

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """At most ``max_length`` bytes; ``data`` that is not needed yet is kept."""


class Gunzip:
    """zlib's decoder of a gzip frame, which checks sum and length, with a memory of its own."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        """Whether the frame is whole."""
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        """What followed the frame."""
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """At most ``max_length`` bytes."""
        return self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)


def _unzstd() -> zstd.ZstdDecompressor:
    option = zstd.DecompressionParameter.window_log_max
    return zstd.ZstdDecompressor(options={option: WINDOW_LOG})


_DECODERS: Final[dict[str, Callable[[], Decoder]]] = {"gzip": Gunzip, "zstd": _unzstd}


class Frames:
    """The one file of a gzip or Zstandard stream: iterate over its bytes."""

    def __init__(self, stream: BinaryIO, kind: str) -> None:
        """``kind`` is "gzip" or "zstd"."""
        self.stream = stream
        self.kind = kind
        #: Packed bytes read so far.
        self.taken = 0

    def __iter__(self) -> Iterator[bytes]:
        """Pieces of at most `PIECE` bytes. Raises :class:`Broken` where it is not whole."""
        data = self._read()
        for _ in range(MAX_FRAMES):
            decoder = _DECODERS[self.kind]()
            yield from self._frame(decoder, data)
            data = decoder.unused_data
            while not data.strip(b"\0"):  # gzip files may be filled up with zeros
                data = self._read()
                if not data:
                    return
            data = data.lstrip(b"\0")
        raise Broken(codes.ARCHIVE_DAMAGED, kind=self.kind)

    def _frame(self, decoder: Decoder, data: bytes) -> Iterator[bytes]:
        while True:
            try:
                out = decoder.decompress(data, PIECE)
            except (zlib.error, zstd.ZstdError) as error:
                raise self._broken(error) from error
            if out:
                yield out
            if decoder.eof:
                return
            data = b"" if out else self._read()
            if not data and not out:
                raise Broken(codes.ARCHIVE_TRUNCATED, kind=self.kind)

    def _broken(self, error: Exception) -> Broken:
        # The library tells a window that is too large from other faults by its words alone.
        if "too much memory" in str(error):
            return Broken(codes.ARCHIVE_WINDOW, limit=1 << WINDOW_LOG)
        return Broken(codes.ARCHIVE_DAMAGED, kind=self.kind)

    def _read(self) -> bytes:
        data = self.stream.read(PIECE)
        self.taken += len(data)
        return data
