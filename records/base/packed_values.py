"""Compressed column values: Zstandard, with dictionaries of text that games have in common.

A game's text or verdict is a few thousand bytes, too few to compress well alone. A packed value is
a frame with the id of its dictionary. `dictionaries/` has all dictionaries ever used, so that old
values remain readable. They are trained on texts and verdicts of 400 simulated games.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Final

# Zstandard of the standard library; before Python 3.14 the backport.
if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["DIRECTORY", "SUFFIX", "TEXT", "VERDICT", "pack", "unpack", "zstd"]

DIRECTORY: Final = Path(__file__).parent / "dictionaries"
SUFFIX: Final = ".zdict"
#: The dictionaries with which values are packed: texts and verdicts.
TEXT: Final = "text-1"
VERDICT: Final = "verdict-1"
_OPTIONS: Final[dict[int, int]] = {zstd.CompressionParameter.compression_level: 3}


def pack(value: bytes, dictionary: str) -> bytes:
    """Return the packed form of a value. Equal values have equal forms."""
    packed: bytes = _packer(dictionary).compress(value, zstd.ZstdCompressor.FLUSH_FRAME)
    return packed


def unpack(packed: bytes) -> bytes:
    """Return the value of a packed form. Raise ZstdError, or KeyError for a missing dictionary."""
    dictionary = _load_dictionaries()[zstd.get_frame_info(packed).dictionary_id]
    value: bytes = zstd.decompress(packed, zstd_dict=dictionary)
    return value


@cache
def _packer(dictionary: str) -> zstd.ZstdCompressor:
    content = (DIRECTORY / (dictionary + SUFFIX)).read_bytes()
    return zstd.ZstdCompressor(options=_OPTIONS, zstd_dict=zstd.ZstdDict(content))


@cache
def _load_dictionaries() -> dict[int, zstd.ZstdDict]:
    """Return the dictionaries by the id in the frames."""
    dictionaries = (zstd.ZstdDict(path.read_bytes()) for path in DIRECTORY.glob(f"*{SUFFIX}"))
    return {dictionary.dict_id: dictionary for dictionary in dictionaries}
