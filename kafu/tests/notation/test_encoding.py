"""Detecting the encoding of bytes."""

from __future__ import annotations

import io

import pytest

from kafu.notation.stream.encoding import compression, of_file, of_piece, utf16_length
from kafu.notation.stream.extent import Extent, piece_at


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        (b"", "utf-8"),
        (b"[Kafu", "utf-8"),
        ("花見".encode("cp932"), "utf-8"),
        ("[Kafu".encode("utf-16"), "utf-16-le"),
        (b"\xfe\xff\x00[", "utf-16-be"),
        ("[Kafu".encode("utf-16-le"), "utf-16-le"),
        ("[Kafu 花".encode("utf-16-be"), "utf-16-be"),
        (b"\x00\x00\x01\x02" * 9, "binary"),
        (b"\x01\x02\x03text", "binary"),
        (b"a game " * 50 + b"\x00", "utf-8"),
    ],
)
def test_of_file(head: bytes, encoding: str) -> None:
    assert of_file(head) == encoding


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"abc", ("utf-8", None)),
        ("花札".encode(), ("utf-8", None)),
        ("花札で遊ぶ".encode("cp932"), ("cp932", None)),
        ("花札".encode() + b"\xff", ("utf-8", 6)),
        (b"ab\xff", ("utf-8", 2)),
        (b"\x81", ("utf-8", 0)),
    ],
)
def test_of_piece(data: bytes, found: tuple[str, int | None]) -> None:
    encoding, bad = found
    assert of_piece(data) == encoding
    extent = Extent(1, 0, len(data), 1, "kafu", encoding)
    fault = piece_at(io.BytesIO(data), extent).fault
    before = None if fault is None else data.decode("utf-8", "replace")[: (fault.column or 0) - 1]
    assert before == (None if bad is None else data[:bad].decode())


def test_utf16_length() -> None:
    text = "a花𠮷\ud800"
    data = text.encode("utf-8", "surrogatepass")
    length = len(text.encode("utf-16-le", "surrogatepass"))
    assert utf16_length(data) == length
    for split in range(len(data)):
        assert utf16_length(data[:split]) + utf16_length(data[split:]) == length


def test_compression() -> None:
    assert compression(b"PK\x03\x04") == "zip"
    assert compression(b"[Kafu") is None
