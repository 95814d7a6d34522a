"""Content codings: which of them a client gets, and bodies and streams in each."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from records.base.zstd import zstd

#: The codings, the better one first.
CODINGS: Final = ("zstd", "gzip")
#: Levels for bodies that are compressed once and sent many times, and for streams.
_GZIP_LEVEL, _ZSTD_LEVEL = 6, 10
_GZIP_FAST, _ZSTD_FAST = 1, 1
#: The window of zlib, in bits; 16 more write the header of gzip.
_GZIP_WINDOW: Final = 15 + 16

_PACK: Final[dict[str, Callable[[bytes], bytes]]] = {
    "zstd": lambda body: zstd.compress(body, _ZSTD_LEVEL),
    "gzip": lambda body: gzip.compress(body, _GZIP_LEVEL, mtime=0),
}


@lru_cache(maxsize=512)
def chosen(accepted: str) -> str:
    """The coding for an Accept-Encoding header; "" for none.

    >>> chosen("gzip, deflate, br, zstd"), chosen("gzip;q=0.5, zstd;q=0"), chosen("br")
    ('zstd', 'gzip', '')
    >>> chosen("*"), chosen("*;q=0, gzip"), chosen("")
    ('zstd', 'gzip', '')
    """
    weights = {}
    for part in accepted.lower().split(","):
        name, _, parameter = part.partition(";")
        weights[name.strip()] = _weight(parameter)
    rest = weights.get("*", 0.0)
    best = max(CODINGS, key=lambda name: weights.get(name, rest))
    return best if weights.get(best, rest) > 0 else ""


def _weight(parameter: str) -> float:
    """The number of ``q=0.5``; 1 without one, 0 for what is no number."""
    name, _, value = parameter.partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


def forms(body: bytes) -> dict[str, bytes]:
    """The body in every coding."""
    return {coding: _PACK[coding](body) for coding in CODINGS}


def plain(forms: dict[str, bytes]) -> bytes:
    """The body of which these are forms; "" is the body itself."""
    return forms[""] if "" in forms else zstd.decompress(forms["zstd"])


def streamed(pieces: Iterator[bytes], coding: str) -> Iterator[bytes]:
    """The pieces of a stream in a coding; all that was given is readable after each piece."""
    if coding == "zstd":
        packer = zstd.ZstdCompressor(_ZSTD_FAST)
        for piece in pieces:
            yield packer.compress(piece, packer.FLUSH_BLOCK)
        yield packer.flush()
    elif coding == "gzip":
        packing = zlib.compressobj(_GZIP_FAST, zlib.DEFLATED, _GZIP_WINDOW)
        for piece in pieces:
            yield packing.compress(piece) + packing.flush(zlib.Z_SYNC_FLUSH)
        yield packing.flush()
    else:
        yield from pieces
