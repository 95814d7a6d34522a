"""gzip and Zstandard: one file each, in one frame or in several consecutive ones."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final, Protocol

from kafu.archives.bounds import Broken
from kafu.archives.zstd import zstd_module
from kafu.notation import codes

PIECE: Final = 1 << 16
#: Maximum window of a Zstandard frame, as a power of 2: 32 MiB, what `zstd -20` writes.
WINDOW_LOG: Final = 25
#: Maximum frames of a file. Real ones have some for each MiB; empty ones cost time for no output.
MAX_FRAMES: Final = 1_000_000


class Decoder(Protocol):
    """A decoder of one frame, with bounded output a call (as ``bz2.BZ2Decompressor``)."""

    @property
    def eof(self) -> bool:
        """Whether the frame is complete."""

    @property
    def unused_data(self) -> bytes:
        """The bytes after the frame."""

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """Return at most ``max_length`` bytes; ``data`` that is not needed yet is buffered."""


class Gunzip:
    """zlib's decoder of a gzip frame, which checks sum and length, with a buffer of its own."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        """Whether the frame is complete."""
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        """The bytes after the frame."""
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """Return at most ``max_length`` bytes."""
        return self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)


def _unzstd() -> Decoder:
    zstd = zstd_module()
    options = {zstd.DecompressionParameter.window_log_max: WINDOW_LOG}
    decoder: Decoder = zstd.ZstdDecompressor(options=options)
    return decoder


def _unzstd_errors() -> type[Exception]:
    error: type[Exception] = zstd_module().ZstdError
    return error


#: The decoder of each kind, and what it raises for corrupt bytes.
_DECODERS: Final[dict[str, tuple[Callable[[], Decoder], Callable[[], type[Exception]]]]] = {
    "gzip": (Gunzip, lambda: zlib.error),
    "zstd": (_unzstd, _unzstd_errors),
}


class Frames:
    """The one file of a gzip or Zstandard stream: iterate over its bytes."""

    def __init__(self, stream: BinaryIO, kind: str) -> None:
        """``kind`` is "gzip" or "zstd"."""
        self.stream = stream
        self.kind = kind
        #: Packed bytes read so far.
        self.taken = 0

    def __iter__(self) -> Iterator[bytes]:
        """Chunks of at most `PIECE` bytes. Raises :class:`Broken` if it is truncated or corrupt."""
        make, errors = _DECODERS[self.kind]
        error = errors()
        data = self._read()
        for _ in range(MAX_FRAMES):
            decoder = make()
            yield from self._frame(decoder, data, error)
            data = decoder.unused_data
            while not data.strip(b"\0"):  # gzip files may be padded with zeros
                data = self._read()
                if not data:
                    return
            data = data.lstrip(b"\0")
        raise Broken(codes.ARCHIVE_DAMAGED, kind=self.kind)

    def _frame(self, decoder: Decoder, data: bytes, corrupt: type[Exception]) -> Iterator[bytes]:
        while True:
            try:
                out = decoder.decompress(data, PIECE)
            except corrupt as error:
                raise self._broken(error) from error
            if out:
                yield out
            if decoder.eof:
                return
            data = b"" if out else self._read()
            if not data and not out:
                raise Broken(codes.ARCHIVE_TRUNCATED, kind=self.kind)

    def _broken(self, error: Exception) -> Broken:
        # The library distinguishes a window that is too large from other faults by its message
        # only.
        if "too much memory" in str(error):
            return Broken(codes.ARCHIVE_WINDOW, limit=1 << WINDOW_LOG)
        return Broken(codes.ARCHIVE_DAMAGED, kind=self.kind)

    def _read(self) -> bytes:
        data = self.stream.read(PIECE)
        self.taken += len(data)
        return data
