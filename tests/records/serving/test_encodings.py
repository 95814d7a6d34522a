"""Content codings: the choice of one, and bodies and streams in each."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

import pytest

from records.base.zstd import zstd
from records.serving.encodings import CODINGS, chosen, forms, plain, streamed

UNPACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "gzip": gzip.decompress,
    "zstd": zstd.decompress,
}


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("", ""),
        ("identity", ""),
        ("br, deflate", ""),
        ("gzip", "gzip"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("ZSTD, GZIP", "zstd"),
        ("gzip;q=1.0, zstd;q=0.5", "gzip"),
        ("gzip; q=0.2 , zstd ;q=0", "gzip"),
        ("gzip;q=0", ""),
        ("*", "zstd"),
        ("*;q=0", ""),
        ("zstd;q=0, *", "gzip"),
        ("gzip;q=high", ""),
        ("gzipped, zstandard", ""),
        (";;;,,=", ""),
    ],
)
def test_best_accepted_coding_is_chosen(accepted: str, coding: str) -> None:
    assert chosen(accepted) == coding


@pytest.mark.parametrize("body", [b"", b"a", b"hana " * 10_000, bytes(range(256))])
def test_every_form_unpacks_to_the_body(body: bytes) -> None:
    packed = forms(body)
    assert tuple(packed) == CODINGS
    assert all(UNPACK[coding](form) == body for coding, form in packed.items())
    assert plain(packed) == plain({"": body}) == body
    assert forms(body) == packed, "the same bytes each time: the ETag is strong"


@pytest.mark.parametrize("coding", ["", *CODINGS])
def test_streamed_pieces_unpack_to_the_body(coding: str) -> None:
    pieces = [b"first line\n" * 1000, b"", b"second line\n" * 1000]
    assert UNPACK[coding](b"".join(streamed(iter(pieces), coding))) == b"".join(pieces)
    assert UNPACK[coding](b"".join(streamed(iter([]), coding))) == b""


@pytest.mark.parametrize("coding", CODINGS)
def test_pieces_of_a_broken_stream_can_be_read(coding: str) -> None:
    reader = zlib.decompressobj(31) if coding == "gzip" else zstd.ZstdDecompressor()
    stream = streamed(iter([b"first", b"second", b"third"]), coding)
    assert [reader.decompress(next(stream)) for _ in range(2)] == [b"first", b"second"]
