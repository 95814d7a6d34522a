"""gzip and Zstandard streams: a single file in one or several consecutive frames."""

from __future__ import annotations

import importlib
import sys
import zlib
from collections.abc import Callable, Iterator
from itertools import count
from types import ModuleType
from typing import BinaryIO, Final, Protocol

from kafu.archives.bounds import Broken, Meter
from kafu.notation import codes

#: The module for Zstandard: in the standard library, or before Python 3.14 its backport.
MODULE: Final = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
#: The size of a chunk in bytes.
PIECE: Final = 1 << 16
#: The maximum window of a Zstandard frame, as a power of 2: 32 MiB, as written by `zstd -20`.
WINDOW_LOG: Final = 25


class Decoder(Protocol):
    """A decoder of one frame with limited output per call, like ``bz2.BZ2Decompressor``."""

    @property
    def eof(self) -> bool:
        """Return whether the frame is complete."""

    @property
    def unused_data(self) -> bytes:
        """Return the bytes after the frame."""

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """Return at most ``max_length`` bytes, and buffer unused ``data``."""


class Gunzip:
    """zlib's decoder of a gzip frame, which checks sum and length, with a buffer."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        """Return whether the frame is complete."""
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        """Return the bytes after the frame."""
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """Return at most ``max_length`` bytes."""
        return self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)


def zstd_module() -> ModuleType:
    """Import the module that reads Zstandard. Raises :class:`Broken` if it is not installed."""
    try:
        return importlib.import_module(MODULE)
    except ImportError:
        raise Broken(codes.ARCHIVE_NO_ZSTD) from None


def _unzstd() -> Decoder:
    zstd = zstd_module()
    options = {zstd.DecompressionParameter.window_log_max: WINDOW_LOG}
    decoder: Decoder = zstd.ZstdDecompressor(options=options)
    return decoder


def _unzstd_errors() -> type[Exception]:
    error: type[Exception] = zstd_module().ZstdError
    return error


#: The decoder of each kind, and its exception for corrupt bytes.
_DECODERS: Final[dict[str, tuple[Callable[[], Decoder], Callable[[], type[Exception]]]]] = {
    "gzip": (Gunzip, lambda: zlib.error),
    "zstd": (_unzstd, _unzstd_errors),
}


class Frames:
    """The file in a gzip or Zstandard stream, an iterable of chunks; ``kind`` is its format."""

    def __init__(self, stream: BinaryIO, kind: str, meter: Meter) -> None:
        self.stream = stream
        self.kind = kind
        self.meter = meter
        #: The number of packed bytes read so far.
        self.packed = 0

    def __iter__(self) -> Iterator[bytes]:
        """Yield chunks of at most `PIECE` bytes. Raises :class:`Broken` for corrupt frames.

        Raises :class:`kafu.archives.Ended` if there are too many frames.
        """
        make, errors = _DECODERS[self.kind]
        error = errors()
        data = self._read()
        for number in count(1):
            self.meter.step(number)
            decoder = make()
            yield from self._frame(decoder, data, error)
            data = decoder.unused_data
            while not data.strip(b"\0"):  # gzip files can be padded with zeros.
                data = self._read()
                if not data:
                    return
            data = data.lstrip(b"\0")

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
        # Only the message of the library distinguishes a window that is too large.
        if "too much memory" in str(error):
            return Broken(codes.ARCHIVE_WINDOW, limit=1 << WINDOW_LOG)
        return Broken(codes.ARCHIVE_DAMAGED, kind=self.kind)

    def _read(self) -> bytes:
        self.meter.step()
        data = self.stream.read(PIECE)
        self.packed += len(data)
        return data
